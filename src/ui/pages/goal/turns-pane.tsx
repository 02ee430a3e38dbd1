import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { timelineQuery, turnsQuery } from '../../api/queries.ts';
import type { Goal, TurnOutline } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { useKeys } from '../../shell/keys.ts';
import { ranWithin, type TimeRange } from '../../view/turn-range.ts';
import { FollowingContext, useLeaveByScroll } from './following.tsx';
import { LiveHeadBar } from './live-head-bar.tsx';
import { MessageBox } from './message-box.tsx';
import { Minimap } from './minimap.tsx';
import { TurnRow } from './turn-row.tsx';
import { useOpenTurns } from './use-open-turns.ts';
import { useShortList } from './use-short-list.ts';

const noTurns: readonly TurnOutline[] = [];

/** Are there newer turns than the ones that are loaded? */
const isBelowNewest = (
  items: readonly { readonly turn: number }[],
  timeline: readonly TurnOutline[] = noTurns,
): boolean => (items[0]?.turn ?? 0) < (timeline[0]?.turn ?? 0);

/** Is all that was selected on the map in the list? */
const hasAll = (
  items: readonly { readonly turn: number }[],
  selected: readonly TurnOutline[] | null,
): boolean =>
  selected !== null &&
  (items.at(-1)?.turn ?? 0) <= (selected.at(-1)?.turn ?? Number.POSITIVE_INFINITY);

/** Newest first, the newest open; the map leads anywhere, also to turns that aren't loaded yet. */
export function TurnsPane({ goal }: { readonly goal: Goal }) {
  const [search, setSearch] = useSearchParams();
  const asked = Number(search.get('turn') ?? 0);
  const [from, setFrom] = useState<number | null>(asked > 0 ? asked : null);
  const turns = useInfiniteQuery(turnsQuery(goal.goalId, from));
  const { data: timeline } = useInfiniteQuery(timelineQuery(goal.goalId));
  const pane = useRef<HTMLElement>(null);
  const newest = timeline?.[0]?.turn ?? 0;
  const opened = useOpenTurns(newest, asked);
  const [current, setCurrent] = useState(asked);
  const [range, setRange] = useState<TimeRange | null>(null);
  const [hasMap, setHasMap] = useState(false);
  // A link to a turn leads there, and not away from it again.
  const [isFollowed, setFollowed] = useState(asked === 0);
  const isOn = isFollowed && goal.activity.state === 'running';
  const following = useMemo(() => ({ isOn, set: setFollowed }), [isOn]);
  useLeaveByScroll(pane, following);

  const items = turns.data?.pages.flatMap((page) => page.items) ?? [];
  useShortList(pane, turnsQuery(goal.goalId, from).queryKey, items, isOn && range === null);
  const shown = range === null ? items : items.filter(ranWithin(range));
  const selected = range === null ? null : (timeline ?? noTurns).filter(ranWithin(range));
  const select = (next: TimeRange) => {
    setRange(next);
    const newest = timeline?.find(ranWithin(next));
    if (newest !== undefined && !items.some(({ turn }) => turn === newest.turn))
      setFrom(newest.turn);
  };
  const show = useCallback(
    (turn: number) => {
      setFollowed(false);
      setCurrent(turn);
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          after.set('turn', String(turn));
          return after;
        },
        { replace: true },
      );
      requestAnimationFrame(() =>
        document.getElementById(`turn-${turn}`)?.scrollIntoView({ block: 'nearest' }),
      );
    },
    [setSearch],
  );
  const { toggle: toggleOpen } = opened;
  const toggle = useCallback(
    (turn: number) => {
      toggleOpen(turn);
      setCurrent(turn);
    },
    [toggleOpen],
  );
  const jump = (turn: number) => {
    setRange(null);
    if (!items.some((item) => item.turn === turn)) setFrom(turn);
    opened.open(turn);
    show(turn);
  };
  // A link to another turn, such as that of a receipt, leads there while the page is open.
  const isElsewhere = asked > 0 && asked !== current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address alone asks for it
  useEffect(() => {
    if (isElsewhere) jump(asked);
  }, [asked]);
  const step = (by: 1 | -1) => {
    const at = shown.findIndex(({ turn }) => turn === current);
    const next = shown[at === -1 ? 0 : Math.max(0, Math.min(shown.length - 1, at + by))];
    if (next !== undefined) show(next.turn);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    '[': () => step(1),
    ']': () => step(-1),
    e: () => current > 0 && toggle(current),
    f: () => setFollowed((before) => !before),
    m: () => setHasMap((before) => !before),
  });
  const hasLoaded = turns.data !== undefined;
  useEffect(() => {
    if (hasLoaded && from !== null)
      document.getElementById(`turn-${from}`)?.scrollIntoView({ block: 'center' });
  }, [hasLoaded, from]);

  const newestTurn = items.find(({ turn }) => turn === newest) ?? null;
  const isMapOpen = hasMap || range !== null;
  return (
    <FollowingContext value={following}>
      <section ref={pane} className="pane turns-pane" aria-label="Turns">
        <LiveHeadBar
          goal={goal}
          turn={newestTurn}
          hasMap={isMapOpen}
          onMap={() => setHasMap((before) => !before)}
        />
        {isMapOpen && timeline !== undefined && timeline.length > 0 ? (
          <Minimap
            goal={goal}
            turns={timeline}
            current={current}
            range={range}
            onRange={select}
            onJump={jump}
          />
        ) : null}
        {isMapOpen ? (
          <div className="pane-head turns-head">
            <span className="pane-note">
              {selected === null
                ? `${goal.usage.own.turns} turns, newest first`
                : `${selected.length} in the selected time`}
            </span>
            <span className="grow" />
            {range === null ? (
              <span className="text-muted text-small desktop-only">drag on the map to zoom</span>
            ) : (
              <Button look="subtle" isSmall onClick={() => setRange(null)}>
                Show all
              </Button>
            )}
          </div>
        ) : null}
        {turns.isPending ? <SkeletonLines label="Loading turns" widths={[70, 85, 60, 75]} /> : null}
        {turns.isError && !hasLoaded ? (
          <FailedBox what="The turns" error={turns.error} onRetry={() => void turns.refetch()} />
        ) : null}
        {hasLoaded && items.length === 0 ? (
          <p className="text-muted empty-note">
            No turn has begun yet. The first one shows here as it runs.
          </p>
        ) : null}
        {from !== null && isBelowNewest(items, timeline) ? (
          <Button
            look="subtle"
            isSmall
            className="load-older"
            onClick={() => {
              setRange(null);
              setFrom(null);
            }}
          >
            Show the newest turns
          </Button>
        ) : null}
        {shown.map((turn) => (
          <TurnRow
            key={turn.turn}
            goal={goal}
            turn={turn}
            timeline={timeline ?? noTurns}
            isOpen={opened.has(turn.turn)}
            isCurrent={current === turn.turn}
            onToggle={toggle}
          />
        ))}
        {selected?.length === 0 ? (
          <p className="text-muted empty-note">No turn ran in the selected time.</p>
        ) : null}
        {turns.hasNextPage && !hasAll(items, selected) ? (
          <Button
            look="subtle"
            isSmall
            className="load-older"
            disabled={turns.isFetchingNextPage}
            onClick={() => void turns.fetchNextPage()}
          >
            {turns.isFetchingNextPage ? 'Loading…' : 'Older turns'}
          </Button>
        ) : null}
        <MessageBox goal={goal} />
      </section>
    </FollowingContext>
  );
}
