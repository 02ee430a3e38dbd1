import { QueryCache, QueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { isPassing, isUnauthorized } from './problem.ts';

const TRIES = 2;

/** Nothing is polled: the live stream patches what it knows and names what to ask for again. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      if (!isUnauthorized(error) || query.queryKey[0] === keys.session[0]) return;
      queryClient.setQueryData(keys.session, null);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60 * 1000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // A browser that thinks it is offline still reaches a service on the same machine.
      networkMode: 'always',
      retry: (failures, error) => failures < TRIES && isPassing(error),
      retryDelay: 500,
    },
    mutations: { networkMode: 'always' },
  },
});
