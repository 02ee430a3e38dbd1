import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { historyQuery } from '../../api/queries.ts';
import type { Goal, HistoryRun } from '../../api/types.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { lacksAnswer, temporalNotice } from '../../view/temporal-notice.ts';
import { HistoryTurns } from './history-turns.tsx';
import { Scrubber } from './scrubber.tsx';
import { StatePanel } from './state-panel.tsx';
import { usePlace } from './use-place.ts';

/** Turns above the one that is looked for. */
const ABOVE = 4;

const noRuns: readonly HistoryRun[] = [];

/** The state of a goal at any moment, with the events of Temporal and the journal. */
export function HistoryPage({ goal }: { readonly goal: Goal }) {
  const { goalId } = goal;
  const place = usePlace(goalId);
  const [from, setFrom] = useState<number | null>(place.turnAsked);
  const [hasTasks, setTasks] = useState(false);
  const history = useInfiniteQuery({
    ...historyQuery(goalId, from, hasTasks),
    placeholderData: keepPreviousData,
  });
  const pages = history.data?.pages ?? [];
  const turns = pages.flatMap(({ items }) => items);
  const { point, isNow } = place;
  const turn = point?.turn;
  const isLoaded = turn === undefined || turns.some((one) => one.turn === turn);
  const hasData = history.data !== undefined;
  useEffect(() => {
    if (isNow) setFrom(null);
    else if (hasData && !isLoaded && turn !== undefined) setFrom(turn + ABOVE);
  }, [isNow, hasData, isLoaded, turn]);

  if (history.isPending) {
    return <SkeletonLines label="Loading the history" widths={[90, 60, 75, 70, 80, 55]} />;
  }
  const [first] = pages;
  if (first === undefined) {
    const retry = () => void history.refetch();
    return <FailedBox what="The history" error={history.error} onRetry={retry} />;
  }
  const runs = first.runs ?? noRuns;
  const newest = Math.max(first.newest, point?.newest ?? 1);
  return (
    <>
      <Scrubber place={place} newest={newest} runs={runs} turnNow={turns[0]?.turn ?? 0} />
      <div className="history">
        <HistoryTurns
          goal={goal}
          turns={turns}
          point={point}
          isNow={isNow}
          run={runOf(runs, turn)}
          notice={temporalNotice(turns, first.temporal)}
          onAskAgain={
            lacksAnswer(turns) && !history.isFetching ? () => void history.refetch() : null
          }
          hasTasks={hasTasks}
          onTasks={setTasks}
          onPick={place.goTo}
          isBelowNewest={from !== null}
          onNewest={place.goToNow}
          more={
            history.hasNextPage
              ? { isLoading: history.isFetchingNextPage, load: () => void history.fetchNextPage() }
              : null
          }
        />
        <StatePanel goal={goal} place={place} newest={newest} />
      </div>
    </>
  );
}

/** The run that a turn belongs to: the last one that had begun by then. */
const runOf = (runs: readonly HistoryRun[], turn: number | undefined): HistoryRun | null =>
  runs.findLast(({ firstTurn }) => turn === undefined || firstTurn <= Math.max(1, turn)) ??
  runs[0] ??
  null;
