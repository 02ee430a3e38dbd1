import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decideApproval } from '../../../api/actions.ts';
import { approvalsQuery } from '../../../api/queries.ts';
import type { Approval, Goal } from '../../../api/types.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { SkeletonLines } from '../../../components/skeleton.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { approvalWords, planBody, plannedText } from '../../../view/approval-text.ts';
import { isSameStatus, stateText } from '../../../view/version-text.ts';
import { ApprovalFacts } from '../approval-facts.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { ConfirmAlways } from './confirm-always.tsx';
import { ConfirmDecline } from './confirm-decline.tsx';
import { EditProposalDialog, proposedCriterion } from './edit-proposal-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';
import { useDecided } from './use-decided.ts';

const titles = {
  pending: 'Approvals',
  error: 'The approvals could not be loaded',
  success: 'Nothing to approve',
} as const;

export function ApproveDialog({ goal, onClose }: GoalDialogProps) {
  const approvals = useQuery(approvalsQuery(goal.goalId));
  const [first] = approvals.data ?? [];
  // Kept: the list moves on while its answer is shown.
  const [shown, setShown] = useState<Approval | null>(null);
  if (shown === null && first !== undefined) setShown(first);
  if (shown !== null) return <Decide goal={goal} approval={shown} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={titles[approvals.status]}>
      {approvals.isPending ? <SkeletonLines label="Loading" widths={[80, 60]} /> : null}
      {approvals.isError ? (
        <p className="tone-bad">{approvals.error.message} Try again in a moment.</p>
      ) : null}
      {approvals.isSuccess ? <p>Nothing of this goal waits for approval.</p> : null}
    </Dialog>
  );
}

function Decide(props: {
  readonly goal: Goal;
  readonly approval: Approval;
  readonly onClose: () => void;
}) {
  const { goal, approval, onClose } = props;
  const [step, setStep] = useState<'ask' | 'always' | 'decline' | 'edit'>('ask');
  const asked = plannedText(approval);
  const [form, setForm] = useState({ plan: asked ?? '', commands: '' });
  const holdsWords = form.plan !== (asked ?? '') || form.commands !== '';
  const decided = useDecided(approval);
  const back = () => setStep('ask');
  const { always } = approval;
  const proposed = proposedCriterion(approval);
  if (step === 'edit' && proposed !== null)
    return <EditProposalDialog {...props} proposed={proposed} />;
  if (step === 'decline')
    return <ConfirmDecline {...props} holdsWords={holdsWords} onBack={back} />;
  if (step === 'always' && always !== null) {
    return <ConfirmAlways {...props} always={always} onBack={back} />;
  }
  return (
    <ActionDialog
      goal={goal}
      title={approval.question}
      confirm={always === null ? 'Approve' : 'Approve once'}
      busy="Approving…"
      done="Approved."
      tone="keeper"
      isWide
      isReady={asked === null || form.plan.trim() !== ''}
      send={(expectedRevision, key) =>
        decideApproval(
          goal.goalId,
          approval.approvalId,
          {
            decision: 'approve',
            ...(asked === null ? {} : planBody(form, asked)),
            expectedRevision,
          },
          key,
        )
      }
      isSame={isSameStatus}
      versions={(_before, now) => ({ theirs: stateText(now), mine: 'Approve' })}
      onClose={onClose}
      holdsWords={holdsWords}
      decided={decided}
      second={
        <>
          <Button onClick={() => setStep('decline')}>Decline…</Button>
          {proposed === null ? null : <Button onClick={() => setStep('edit')}>Edit first…</Button>}
          {always === null ? null : <Button onClick={() => setStep('always')}>Always…</Button>}
        </>
      }
    >
      {asked === null ? null : (
        <>
          <TextField
            label="The plan, as it will be carried out"
            value={form.plan}
            problem={form.plan.trim() === '' ? 'Write the plan, or decline it.' : ''}
            onText={(plan) => setForm({ ...form, plan })}
            isLong
            isCode
          />
          <TextField
            label="More checks of the work, one command a line"
            value={form.commands}
            hint="npm test"
            onText={(commands) => setForm({ ...form, commands })}
            isLong
            isCode
          />
        </>
      )}
      <ApprovalFacts approval={approval} />
      <ModelWords approval={approval} />
      <dl className="key-values">
        <dt>If you approve</dt>
        <dd>{approval.onApprove}</dd>
        <dt>If you decline</dt>
        <dd>{approval.onDeny}</dd>
      </dl>
    </ActionDialog>
  );
}

function ModelWords({ approval }: { readonly approval: Approval }) {
  const words = approvalWords(approval);
  if (words === null) return null;
  return (
    <div className="facts">
      <h3 className="field-label">The model says</h3>
      <p className="pre-wrap">{words}</p>
    </div>
  );
}
