import { pauseGoal } from '../../../api/actions.ts';
import { isSameStatus, stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

export function PauseDialog({ goal, onClose }: GoalDialogProps) {
  return (
    <ActionDialog
      goal={goal}
      title="Pause this goal?"
      confirm="Pause"
      busy="Pausing…"
      done="Paused."
      send={(expectedRevision, key) => pauseGoal(goal.goalId, { expectedRevision }, key)}
      isSame={isSameStatus}
      versions={(_before, now) => ({ theirs: stateText(now), mine: 'Pause it' })}
      onClose={onClose}
    >
      <p>
        The running turn stops at its next call; what runs now ends first. Timers and wakes that it
        asked for are void. Nothing is spent until someone resumes it.
      </p>
    </ActionDialog>
  );
}
