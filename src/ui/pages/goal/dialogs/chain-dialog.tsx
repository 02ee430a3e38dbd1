import { cancelChain } from '../../../api/actions.ts';
import { isSameStatus, stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

export function ChainDialog({ goal, onClose }: GoalDialogProps) {
  return (
    <ActionDialog
      goal={goal}
      title="End the chain of wakes?"
      confirm="End the chain"
      busy="Ending…"
      done="The chain has ended."
      send={(expectedRevision, key) => cancelChain(goal.goalId, { expectedRevision }, key)}
      isSame={isSameStatus}
      versions={(_before, now) => ({ theirs: stateText(now), mine: 'End the chain' })}
      onClose={onClose}
    >
      <p>
        The agent asked to be woken {goal.chain?.length ?? 0} times in a row. Ending the chain voids
        the wake that is pending; the goal itself stays.
      </p>
    </ActionDialog>
  );
}
