import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { queryClient } from '../api/query-client.ts';
import { FailedBox } from './failed-box.tsx';

class CodeMissing extends Error {
  constructor(cause: unknown) {
    super(
      'Its code did not come: the service is away, or runs another version by now, and then a reload helps.',
      { cause },
    );
    this.name = 'CodeMissing';
  }
}

// Two views may be told by the same words, and are not the same code.
let made = 0;

type LazyView<Props> = ComponentType<Props> & {
  /** Fetches its code before it is shown. */
  readonly fetchEarly: () => void;
};

/**
 * A view whose code is loaded when it is first shown. A failed load shows an error with a retry,
 * where React's `lazy` would break the whole console.
 */
export function lazyView<Props extends object>(
  what: string,
  loading: ReactNode,
  load: () => Promise<ComponentType<Props>>,
): LazyView<Props> {
  const query = {
    queryKey: ['code', made++],
    queryFn: async () => {
      try {
        return { View: await load() };
      } catch (cause) {
        throw new CodeMissing(cause);
      }
    },
    gcTime: Number.POSITIVE_INFINITY,
  };
  function View(props: Props) {
    const code = useQuery(query);
    if (code.isPending) return loading;
    if (code.data === undefined) {
      return <FailedBox what={what} error={code.error} onRetry={() => void code.refetch()} />;
    }
    const { View: Loaded } = code.data;
    return <Loaded {...props} />;
  }
  return Object.assign(View, { fetchEarly: () => void queryClient.prefetchQuery(query) });
}
