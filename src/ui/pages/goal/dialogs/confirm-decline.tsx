import { useState } from 'react';
import { decideApproval } from '../../../api/actions.ts';
import type { Approval, Goal } from '../../../api/types.ts';
import { Button } from '../../../components/button.tsx';
import { isSameStatus, stateText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';

/** The reason goes to the agent: without one it would only try again. */
export function ConfirmDecline(props: {
  readonly goal: Goal;
  readonly approval: Approval;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const { goal, approval } = props;
  const [note, setNote] = useState('');
  return (
    <ActionDialog
      goal={goal}
      title="Decline, and say why"
      confirm="Decline"
      busy="Declining…"
      done="Declined."
      isReady={note.trim() !== ''}
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
      second={<Button onClick={props.onBack}>Back</Button>}
    >
      <p>{approval.onDeny}</p>
      <label className="field-label" htmlFor="decline-note">
        Reason, for the agent and the record
      </label>
      <textarea
        id="decline-note"
        className="text-area"
        data-autofocus
        maxLength={4000}
        rows={3}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}
