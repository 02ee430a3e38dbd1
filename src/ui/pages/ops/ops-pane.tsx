import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { clock } from '../../view/format.ts';

/** One part of the page: it loads, fails and is tried again by itself. */
export function OpsPane<Data>(props: {
  readonly title: string;
  readonly count?: ReactNode;
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  const { title, query } = props;
  const retry = () => void query.refetch();
  return (
    <section aria-label={title} className="ops-pane">
      <div className="pane-head">
        <h2>{title}</h2>
        <span className="pane-note">{props.count}</span>
      </div>
      {query.isPending ? (
        <SkeletonLines label={`Loading: ${title}`} widths={[80, 64, 72]} />
      ) : query.data === undefined ? (
        <FailedBox what={title} error={query.error} onRetry={retry} />
      ) : (
        <>
          {query.isError ? (
            <p className="ops-notice">
              From {clock(query.dataUpdatedAt, 'seconds')}: the last look failed.{' '}
              {query.error.message}{' '}
              <Button look="subtle" isSmall onClick={retry}>
                Try again
              </Button>
            </p>
          ) : null}
          {props.children(query.data)}
        </>
      )}
    </section>
  );
}
