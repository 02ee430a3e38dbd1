import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { isPassing, isUnauthorized } from './problem.ts';

const TRIES = 2;

/** Queries don't poll: the live stream patches cached data and names queries to refetch. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({ onError: endSession }),
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

/** Called only after a session ended: the page then asks to sign in over its content. */
function endSession(error: unknown): void {
  const wasSignedIn = Boolean(queryClient.getQueryData(keys.session));
  if (wasSignedIn && isUnauthorized(error)) queryClient.setQueryData(keys.sessionEnded, true);
}
