import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { rewindGoal } from '../../../api/actions.ts';
import { checkpointsQuery } from '../../../api/changes.ts';
import { placesOf } from '../../../view/change-tree.ts';
import { isSameStatus, stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

const UNDO = 'undo';

/** Takes files and todo list back; begins with the place that the page compares from. */
export function RewindDialog({ goal, onClose }: GoalDialogProps) {
  const [search] = useSearchParams();
  const { data } = useQuery(checkpointsQuery(goal.goalId));
  const turns = data?.checkpoints.filter(({ kind }) => kind === 'turn') ?? [];
  const [chosen, setChosen] = useState(search.get('from') ?? '');
  const target = turns.find(({ name }) => name === chosen) ?? turns[0];
  const isUndo = chosen === UNDO;
  const canUndo = (data?.rewinds ?? []).length > 0;
  const isRunning = goal.status === 'active' && goal.activity.state === 'running';
  return (
    <ActionDialog
      goal={goal}
      title="Take the files back?"
      confirm="Rewind"
      busy="Rewinding…"
      done="The rewind is ordered."
      tone="danger"
      isReady={isUndo || target !== undefined}
      send={(expectedRevision, key) => {
        const to = isUndo ? { undo: true as const } : { turn: target?.turn ?? 0 };
        return rewindGoal(goal.goalId, { ...to, expectedRevision }, key);
      }}
      isSame={isSameStatus}
      versions={(_before, now) => ({ theirs: stateText(now), mine: 'Rewind it' })}
      onClose={onClose}
    >
      <p>
        The workspace and the todo list go back; the goal is paused afterwards. Turns, receipts and
        costs stay in the history, and every receipt from before no longer proves. The present state
        is kept first, so that this can be taken back.
      </p>
      <label className="field-label" htmlFor="rewind-to">
        To
      </label>
      <select
        id="rewind-to"
        className="field full-width"
        data-autofocus
        value={isUndo ? UNDO : (target?.name ?? '')}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {placesOf({ checkpoints: turns }).map(({ name, words }) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
        {canUndo ? <option value={UNDO}>Before the last rewind</option> : null}
      </select>
      {isRunning ? <p className="tone-warn">It works now: pause it first.</p> : null}
    </ActionDialog>
  );
}
