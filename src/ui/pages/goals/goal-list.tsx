import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Goal, GoalCounts } from '../../api/types.ts';
import { useKeys } from '../../shell/keys.ts';
import { arrange, type ListLine, type Place, placesOf } from '../../view/groups.ts';
import { type BulkAct, BulkBar } from './bulk-bar.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { GoalRow } from './goal-row.tsx';
import { GroupHead } from './group-head.tsx';

const ROW_HEIGHT = 71;
const HEAD_HEIGHT = 35;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 30;

const scrollElement = () => document.getElementById('main');

export function GoalList(props: {
  readonly goals: readonly Goal[];
  readonly isGrouped: boolean;
  readonly groupCounts: GoalCounts['groups'] | null;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}) {
  const [, navigate] = useLocation();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [act, setAct] = useState<BulkAct | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const { lines, hold, release } = useHeldLines(props.goals, props.isGrouped, cursor !== null);
  const list = useRef<HTMLDivElement>(null);
  const margin = useOffset(list);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: scrollElement,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? HEAD_HEIGHT : ROW_HEIGHT),
    getItemKey: (index) => keyOf(lines[index]),
    overscan: 8,
    scrollMargin: margin,
  });
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (props.hasMore && lastShown > lines.length - AHEAD) props.onMore();
  }, [props.hasMore, props.onMore, lastShown, lines.length]);

  const rows = lines.flatMap((line) => (line.kind === 'goal' ? [line.goal] : []));
  const at = rows.findIndex(({ goalId }) => goalId === cursor);
  const move = (by: number) => {
    const goal = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (goal === undefined) return;
    setCursor(goal.goalId);
    const index = lines.findIndex((line) => line.kind === 'goal' && line.goal === goal);
    virtual.scrollToIndex(index, { align: 'auto' });
  };
  const toggle = useCallback((goalId: string) => {
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(goalId)) after.add(goalId);
      return after;
    });
  }, []);
  const openBulk = (kind: BulkAct) => {
    if (selected.size === 0 && cursor !== null) setSelected(new Set([cursor]));
    if (selected.size > 0 || cursor !== null) setAct(kind);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => cursor !== null && navigate(`/goals/${cursor}`),
    x: () => cursor !== null && toggle(cursor),
    p: () => openBulk('pause'),
    r: () => openBulk('resume'),
    Escape: () => setCursor(null),
  });
  const chosen = rows.filter(({ goalId }) => selected.has(goalId));
  return (
    <>
      <div className="grid" role="table" aria-label="Goals" aria-rowcount={lines.length + 1}>
        <div className="gr gh" role="row">
          <span role="columnheader">
            <span className="sr">Select</span>
          </span>
          <span role="columnheader">Objective</span>
          <span role="columnheader">Who acts next, and why</span>
          <span role="columnheader">Proved</span>
          <span className="budget" role="columnheader">
            Budget used, %
          </span>
          <span className="r cost" role="columnheader">
            Cost
          </span>
          <span className="r" role="columnheader">
            Last activity
          </span>
        </div>
        <div
          ref={list}
          role="rowgroup"
          className="virtual"
          style={{ height: virtual.getTotalSize() }}
          onPointerEnter={hold}
          onPointerLeave={release}
        >
          {shown.map(({ index, key, start }) => {
            const line = lines[index];
            if (line === undefined) return null;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                role="presentation"
                className="virtual-line"
                style={{ transform: `translateY(${start - margin}px)` }}
              >
                {line.kind === 'group' ? (
                  <GroupHead
                    group={line.group}
                    count={props.groupCounts?.[line.group] ?? line.loaded}
                    index={index}
                  />
                ) : (
                  <GoalRow
                    goal={line.goal}
                    index={index}
                    isSelected={selected.has(line.goal.goalId)}
                    isCurrent={line.goal.goalId === cursor}
                    onToggle={toggle}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {selected.size > 0 ? (
        <BulkBar count={selected.size} onAct={setAct} onClear={() => setSelected(new Set())} />
      ) : null}
      {act === null ? null : (
        <BulkDialog
          act={act}
          goals={chosen}
          onClose={() => setAct(null)}
          onDone={() => setSelected(new Set())}
        />
      )}
    </>
  );
}

const keyOf = (line: ListLine | undefined): string => {
  if (line === undefined) return '';
  return line.kind === 'group' ? `group ${line.group}` : line.goal.goalId;
};

/** How far below the top of what scrolls the list begins. */
function useOffset(list: React.RefObject<HTMLDivElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const main = scrollElement();
      if (main === null || list.current === null) return;
      const top = list.current.getBoundingClientRect().top - main.getBoundingClientRect().top;
      setOffset(Math.round(top + main.scrollTop));
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [list]);
  return offset;
}

/** A row under the pointer or the keyboard's cursor does not move: sorting waits until it is left. */
function useHeldLines(goals: readonly Goal[], isGrouped: boolean, hasCursor: boolean) {
  const [isPointed, setPointed] = useState(false);
  const held = useRef<readonly Place[] | null>(null);
  const lines = useMemo((): ListLine[] => {
    if (!isGrouped) return goals.map((goal) => ({ kind: 'goal', group: 'agent', goal }));
    const arranged = arrange(goals, isPointed || hasCursor ? held.current : null);
    held.current = placesOf(arranged);
    return arranged;
  }, [goals, isGrouped, isPointed, hasCursor]);
  const hold = useCallback(() => setPointed(true), []);
  const release = useCallback(() => setPointed(false), []);
  return { lines, hold, release };
}
