import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { countsQuery, goalsQuery } from '../../api/queries.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { Delayed } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { IconPlus, IconSearch, IconTargetArrow } from '../../generated/icons.tsx';
import { useMayPause } from '../../session/session-context.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { Board } from './board.tsx';
import { GoalList } from './goal-list.tsx';
import { GoalsHead } from './goals-head.tsx';
import { isNarrowed, type ListState, queryOf, readListState } from './list-filter.ts';
import { ListSkeleton } from './list-skeleton.tsx';

const NOTHING = {
  q: null,
  filter: null,
  workspace: null,
  model: null,
  reason: null,
  days: null,
};

export function GoalsPage() {
  useTitle('Goals');
  const [search, setSearch] = useSearchParams();
  const state = readListState(search);
  const change = (values: Readonly<Record<string, string | null>>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
  return (
    <>
      <GoalsHead state={state} onChange={change} />
      {state.isBoard ? (
        <Board state={state} />
      ) : (
        <Listed state={state} onClear={() => change(NOTHING)} />
      )}
    </>
  );
}

function Listed({ state, onClear }: { readonly state: ListState; readonly onClear: () => void }) {
  const goals = useInfiniteQuery(goalsQuery(queryOf(state)));
  const { data: counts } = useQuery(countsQuery);
  if (goals.isPending) {
    return (
      <Delayed>
        <ListSkeleton />
      </Delayed>
    );
  }
  if (goals.isError && goals.data === undefined) {
    return <FailedBox what="Goals" error={goals.error} onRetry={() => void goals.refetch()} />;
  }
  const items = goals.data.pages.flatMap((page) => page.items);
  const isWhole = !isNarrowed(state);
  if (items.length === 0)
    return isWhole ? <NoGoals /> : <NoMatch state={state} onClear={onClear} />;
  return (
    <GoalList
      key={state.isGrouped ? 'grouped' : 'flat'}
      goals={items}
      isGrouped={state.isGrouped}
      groupCounts={isWhole ? (counts?.groups ?? null) : null}
      hasMore={goals.hasNextPage && !goals.isFetchingNextPage}
      onMore={() => void goals.fetchNextPage()}
    />
  );
}

function NoGoals() {
  const mayStart = useMayPause();
  return (
    <StateBox
      icon={<IconTargetArrow size={28} stroke={1.4} aria-hidden="true" />}
      title="No goals yet"
      text="A goal is an objective, the criteria that prove it, and a budget it can’t exceed. Goalkeeper runs it until the evidence is there, or asks you."
    >
      {mayStart ? (
        <Link className={buttonClass({ look: 'primary' })} href="/new">
          <IconPlus size={14} stroke={1.75} aria-hidden="true" />
          Start the first goal
        </Link>
      ) : null}
    </StateBox>
  );
}

function NoMatch({ state, onClear }: { readonly state: ListState; readonly onClear: () => void }) {
  return (
    <StateBox
      icon={<IconSearch size={28} stroke={1.4} aria-hidden="true" />}
      title="No goal matches"
      text={
        state.q === ''
          ? 'Nothing is in this filter.'
          : `Nothing matches “${state.q}” in this filter.`
      }
    >
      <Button onClick={onClear}>Clear search and filters</Button>
    </StateBox>
  );
}
