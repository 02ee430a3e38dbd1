import { useState } from 'react';
import { resumeGoal } from '../../../api/actions.ts';
import { isSamePause, stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

export function ResumeDialog({ goal, onClose }: GoalDialogProps) {
  const [acknowledge, setAcknowledge] = useState(false);
  const { pause } = goal;
  return (
    <ActionDialog
      goal={goal}
      title="Resume this goal?"
      confirm="Resume"
      busy="Resuming…"
      done="Resumed."
      send={(expectedRevision, key) =>
        resumeGoal(goal.goalId, { expectedRevision, ...(acknowledge ? { acknowledge } : {}) }, key)
      }
      isSame={isSamePause}
      versions={(_before, now) => ({ theirs: stateText(now), mine: 'Resume it' })}
      onClose={onClose}
    >
      <p>It goes on where it stopped. Every streak starts again; totals and the budget stay.</p>
      {pause === undefined || pause.message === '' ? null : <p className="note">{pause.message}</p>}
      {pause === undefined || pause.missing.length === 0 ? null : (
        <p>
          Still missing: <span className="mono">{pause.missing.join(' ')}</span>
        </p>
      )}
      {pause?.reason === 'recovery' || pause?.reason === 'blocked' ? (
        <label className="row check-option">
          <input
            className="checkbox"
            type="checkbox"
            checked={acknowledge}
            onChange={(event) => setAcknowledge(event.currentTarget.checked)}
          />
          I looked at what stopped it
        </label>
      ) : null}
    </ActionDialog>
  );
}
