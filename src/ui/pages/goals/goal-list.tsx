import { useCallback, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Goal, GoalCounts } from '../../api/types.ts';
import { type VirtualHandle, VirtualRows } from '../../components/virtual-rows.tsx';
import { leaveControls, useKeys } from '../../shell/keys.ts';
import { arrange, type ListLine, type Place, placesOf } from '../../view/groups.ts';
import { type BulkAct, BulkBar } from './bulk-bar.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { GoalRow } from './goal-row.tsx';
import { GroupHead } from './group-head.tsx';

const ROW_HEIGHT = 71;
const HEAD_HEIGHT = 35;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 30;

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
  const list = useRef<VirtualHandle>(null);
  const rows = lines.flatMap((line) => (line.kind === 'goal' ? [line.goal] : []));
  const at = rows.findIndex(({ goalId }) => goalId === cursor);
  const move = (by: number) => {
    const goal = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (goal === undefined) return;
    leaveControls();
    setCursor(goal.goalId);
    list.current?.scrollTo(lines.findIndex((line) => line.kind === 'goal' && line.goal === goal));
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
  const lineAt = (index: number) => {
    const line = lines[index];
    if (line === undefined) return null;
    if (line.kind === 'group') {
      const count = props.groupCounts?.[line.group] ?? line.loaded;
      return <GroupHead group={line.group} count={count} index={index} />;
    }
    return (
      <GoalRow
        goal={line.goal}
        index={index}
        isSelected={selected.has(line.goal.goalId)}
        isCurrent={line.goal.goalId === cursor}
        onToggle={toggle}
      />
    );
  };
  const chosen = rows.filter(({ goalId }) => selected.has(goalId));
  return (
    <>
      <div className="goal-list" role="table" aria-label="Goals" aria-rowcount={lines.length + 1}>
        <div className="goal-grid goal-list-head" role="row">
          <span role="columnheader">
            <span className="visually-hidden">Select</span>
          </span>
          <span role="columnheader">Objective</span>
          <span role="columnheader">Who acts next, and why</span>
          <span role="columnheader">Met</span>
          <span className="budget-cell" role="columnheader">
            Budget used, %
          </span>
          <span className="text-right cost-cell" role="columnheader">
            Cost
          </span>
          <span className="text-right" role="columnheader">
            Last activity
          </span>
        </div>
        <VirtualRows
          handle={list}
          count={lines.length}
          heightOf={(index) => (lines[index]?.kind === 'group' ? HEAD_HEIGHT : ROW_HEIGHT)}
          keyOf={(index) => keyOf(lines[index])}
          row={(index) => lineAt(index)}
          overscan={8}
          ahead={AHEAD}
          hasMore={props.hasMore}
          onMore={props.onMore}
          pointer={{ onPointerEnter: hold, onPointerLeave: release }}
        />
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
