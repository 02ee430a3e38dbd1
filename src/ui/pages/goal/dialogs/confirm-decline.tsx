import { useState } from 'react';
import { decideApproval } from '../../../api/actions.ts';
import type { Approval, Goal } from '../../../api/types.ts';
import { LeaveButton } from '../../../components/leave.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { fits, MOST_NOTE } from '../../../view/text-length.ts';
import { isSameStatus, stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import { useDecided } from './use-decided.ts';

/** The reason goes to the agent: without one it would only try again. */
export function ConfirmDecline(props: {
  readonly goal: Goal;
  readonly approval: Approval;
  /** Words were typed on the step before. */
  readonly holdsWords: boolean;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const { goal, approval } = props;
  const decided = useDecided(approval);
  const [note, setNote] = useState('');
  return (
    <ActionDialog
      goal={goal}
      title="Decline, and say why"
      confirm="Decline"
      busy="Declining…"
      done="Declined."
      isReady={note.trim() !== '' && fits(note, MOST_NOTE)}
      send={(expectedRevision, key) =>
        decideApproval(
          goal.goalId,
          approval.approvalId,
          { decision: 'deny', note: note.trim(), expectedRevision },
          key,
        )
      }
      isSame={isSameStatus}
      versions={(_before, now) => ({ theirs: stateText(now), mine: `Decline: ${note}` })}
      onClose={props.onClose}
      holdsWords={props.holdsWords}
      decided={decided}
      second={<LeaveButton words="Back" onLeave={props.onBack} />}
    >
      <p>{approval.onDeny}</p>
      <TextField
        label="Reason, for the agent and the record"
        isLong
        most={MOST_NOTE}
        isFocused
        value={note}
        onText={setNote}
      />
    </ActionDialog>
  );
}
