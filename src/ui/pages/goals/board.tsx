import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { countsQuery, goalsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { type Group, groupOrder, groupTitles } from '../../view/groups.ts';
import { GoalCard } from './goal-card.tsx';
import { groupQueries, isNarrowed, type ListState, queryOf } from './list-filter.ts';

/** Columns by who acts next; a goal changes its column when somebody else's turn comes. */
export function Board({ state }: { readonly state: ListState }) {
  return (
    <div className="board">
      {groupOrder.map((group) => (
        <Column key={group} group={group} state={state} />
      ))}
    </div>
  );
}

function Column({ group, state }: { readonly group: Group; readonly state: ListState }) {
  const { data: counts } = useQuery(countsQuery);
  const whole: ListState = { ...state, filter: 'all', isGrouped: false };
  const isPart = isNarrowed(whole);
  const goals = useInfiniteQuery(
    goalsQuery({ ...queryOf(whole), ...groupQueries[group], limit: 50 }),
  );
  const items = goals.data?.pages.flatMap((page) => page.items) ?? [];
  const { title, hint } = groupTitles[group];
  return (
    <section className="board-column" aria-label={title}>
      <h2 title={hint}>
        {title}
        <span
          className={group === 'you' && items.length > 0 ? 'keeper-count' : 'text-muted tabular'}
        >
          {isPart ? items.length : counts?.groups[group]}
        </span>
      </h2>
      {goals.isPending ? <SkeletonLines label="Loading" widths={[90, 70, 80]} /> : null}
      {goals.isError ? (
        <FailedBox what="This column" error={goals.error} onRetry={() => void goals.refetch()} />
      ) : null}
      {goals.isSuccess && items.length === 0 ? (
        <p className="text-muted text-small">
          {isPart ? 'No goal here is in this view.' : 'No goal is here.'}
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
