import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';

/** What the service answered; before, its skeleton, or what failed. */
export function Loaded<Data>(props: {
  readonly what: string;
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  const { what, query } = props;
  if (query.data !== undefined) return <>{props.children(query.data)}</>;
  if (query.isPending) {
    return <SkeletonLines label={`Loading: ${what}`} widths={[88, 80, 84, 70]} />;
  }
  return <FailedBox what={what} error={query.error} onRetry={() => void query.refetch()} />;
}
