import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { countsQuery, goalsQuery } from '../../api/queries.ts';
import type { GoalStatus } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StatusTag } from '../../components/status-tag.tsx';
import { GoalCard } from './goal-card.tsx';
import { type ListState, queryOf } from './list-filter.ts';

const columns: readonly GoalStatus[] = ['active', 'paused', 'budget_limited', 'complete'];

/** Columns are statuses; who acts next is still what a card says first. */
export function Board({ state }: { readonly state: ListState }) {
  return (
    <div className="board">
      {columns.map((status) => (
        <Column key={status} status={status} state={state} />
      ))}
    </div>
  );
}

function Column({ status, state }: { readonly status: GoalStatus; readonly state: ListState }) {
  const { data: counts } = useQuery(countsQuery);
  const goals = useInfiniteQuery(
    goalsQuery({ ...queryOf({ ...state, filter: status, isGrouped: false }), limit: 50 }),
  );
  const items = goals.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section className="board-column" aria-label={status.replace('_', ' ')}>
      <h2>
        <StatusTag goal={{ status }} />
        <span className="text-muted tabular">
          {state.q === '' ? counts?.statuses[status] : items.length}
        </span>
      </h2>
      {goals.isPending ? <SkeletonLines label="Loading" widths={[90, 70, 80]} /> : null}
      {goals.isError ? (
        <FailedBox what="This column" error={goals.error} onRetry={() => void goals.refetch()} />
      ) : null}
      {goals.isSuccess && items.length === 0 ? (
        <p className="text-muted text-small">
          {state.q === '' ? 'No goal is here.' : 'No goal here is called so.'}
        </p>
      ) : null}
      {items.map((goal) => (
        <GoalCard key={goal.goalId} goal={goal} />
      ))}
      {goals.hasNextPage ? (
        <Button
          isSmall
          disabled={goals.isFetchingNextPage}
          onClick={() => void goals.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </section>
  );
}
