import { decideApproval } from '../../../api/actions.ts';
import type { Approval, Goal } from '../../../api/types.ts';
import { AlwaysRule } from '../../../components/always-rule.tsx';
import { Button } from '../../../components/button.tsx';
import { isSameStatus, stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import { useDecided } from './use-decided.ts';

/** Shows the rule before it is stored. */
export function ConfirmAlways(props: {
  readonly goal: Goal;
  readonly approval: Approval;
  readonly always: NonNullable<Approval['always']>;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const { goal, approval, always } = props;
  const decided = useDecided(approval);
  return (
    <ActionDialog
      goal={goal}
      title={`Always allow this in ${always.workspace}?`}
      confirm="Approve and store the rule"
      busy="Storing…"
      done="Approved, and the rule is stored."
      tone="keeper"
      send={(expectedRevision, key) =>
        decideApproval(
          goal.goalId,
          approval.approvalId,
          { decision: 'approve', always: true, expectedRevision },
          key,
        )
      }
      isSame={isSameStatus}
      versions={(_before, now) => ({ theirs: stateText(now), mine: `Always ${always.says}` })}
      onClose={props.onClose}
      decided={decided}
      second={<Button onClick={props.onBack}>Back</Button>}
    >
      <AlwaysRule always={always} />
    </ActionDialog>
  );
}
