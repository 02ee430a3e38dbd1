import { useState } from 'react';
import { clearGoal } from '../../../api/actions.ts';
import { isSameStatus, stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

export function ClearDialog({ goal, onClose }: GoalDialogProps) {
  const [typed, setTyped] = useState('');
  return (
    <ActionDialog
      goal={goal}
      title="Clear this goal?"
      confirm="Clear the goal"
      busy="Clearing…"
      done="Cleared; its record is kept."
      tone="danger"
      isReady={typed.trim() === goal.goalId}
      send={(expectedRevision, key) => clearGoal(goal.goalId, { expectedRevision }, key)}
      isSame={isSameStatus}
      versions={(_before, now) => ({ theirs: stateText(now), mine: 'Clear it' })}
      onClose={onClose}
    >
      <p>
        It stops and leaves the lists; its thread is free for another goal. The record with ledger
        and receipts stays. It can’t be brought back.
      </p>
      <label className="field-label" htmlFor="clear-id">
        Type <span className="mono">{goal.goalId}</span> to go on
      </label>
      <div className="field">
        <input
          id="clear-id"
          className="mono"
          data-autofocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
    </ActionDialog>
  );
}
