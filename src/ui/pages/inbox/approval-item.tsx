import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decideApproval } from '../../api/actions.ts';
import { approvalQuery } from '../../api/inbox.ts';
import type { Approval } from '../../api/types.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { approvalRule, approvalWords, plannedText } from '../../view/approval-text.ts';
import { type ApprovalItemKind, grantWords } from '../../view/inbox-text.ts';
import { ApprovalFacts } from '../goal/approval-facts.tsx';
import { EditProposalDialog, proposedCriterion } from '../goal/dialogs/edit-proposal-dialog.tsx';
import { AlwaysDialog } from './always-dialog.tsx';
import { type Answer, AnswerBar } from './answer-bar.tsx';
import { ItemBody, ItemHead, useHold, WaitingCost, WhyItAsks } from './item-head.tsx';
import type { ItemProps } from './item-props.ts';
import { StandingDialog } from './standing-dialog.tsx';
import { useGive } from './use-give.ts';
import { WordsDialog } from './words-dialog.tsx';

type Props = ItemProps & { readonly kind: ApprovalItemKind };

/** A decision: what is asked, what it rests on, and what both answers lead to. */
export function ApprovalItem(props: Props) {
  const { entry, place } = props;
  const { item, goal } = entry;
  const approval = useQuery(approvalQuery(goal.goalId, item.itemId));
  return (
    <>
      <ItemBody>
        <ItemHead entry={entry} />
        {approval.isPending ? <SkeletonLines label="Loading" widths={[70, 90, 50]} /> : null}
        {approval.isError && approval.data === undefined ? (
          <FailedBox
            what="The question"
            error={approval.error}
            onRetry={() => void approval.refetch()}
          />
        ) : null}
        {approval.data ? <Shown approval={approval.data} /> : null}
        <WaitingCost entry={entry} />
      </ItemBody>
      {approval.data ? <Decide {...props} approval={approval.data} /> : <footer>{place}</footer>}
    </>
  );
}

function Shown({ approval }: { readonly approval: Approval }) {
  const plan = plannedText(approval);
  const rule = approvalRule(approval);
  return (
    <>
      <WhyItAsks goalId={approval.goalId} why={approvalWords(approval)} turn={approval.turn} />
      {/* Of a call, title and rule say it. */}
      {rule === null ? <p className="inbox-question">{approval.question}</p> : null}
      {plan === null ? null : <p className="pre-wrap">{plan}</p>}
      <ApprovalFacts approval={approval} />
      <dl className="key-values">
        <dt>Yes</dt>
        <dd>{approval.onApprove}</dd>
        <dt>No</dt>
        <dd>{approval.onDeny}</dd>
        {rule === null ? null : (
          <>
            <dt>Asked by</dt>
            <dd>{rule}</dd>
          </>
        )}
      </dl>
    </>
  );
}

function Decide(props: Props & { readonly approval: Approval }) {
  const { entry, kind, approval, onAnswered, onHold, place } = props;
  const { goalId, approvalId } = approval;
  const [dialog, setDialog] = useState<'always' | 'decline' | 'edit' | 'plan' | null>(null);
  useHold(onHold, dialog !== null);
  const { give, isBusy, error } = useGive(onAnswered);
  const { always } = approval;
  const proposed = proposedCriterion(approval);
  const forGood: readonly Answer[] =
    always === null ? [] : [{ key: 'w', label: 'Always…', onGive: () => setDialog('always') }];
  const decide = (said: string, body: Parameters<typeof decideApproval>[2]) =>
    give({
      said,
      // What is decided never changes: its id is all that the decision rests on.
      send: (key) => decideApproval(goalId, approvalId, body, key),
    });
  return (
    <>
      <AnswerBar
        isBusy={isBusy || entry.isGone}
        error={dialog === null ? error : null}
        answers={[
          {
            key: 'y',
            label: grantWords[kind],
            look: 'keeper',
            onGive: () =>
              kind === 'plan' ? setDialog('plan') : decide('Approved.', { decision: 'approve' }),
          },
          ...forGood,
          ...(proposed === null
            ? []
            : [{ key: '2', label: 'Edit first…', onGive: () => setDialog('edit') } as const]),
          { key: 'd', label: 'Decline…', onGive: () => setDialog('decline') },
        ]}
      >
        {place}
      </AnswerBar>
      {dialog === 'decline' ? (
        <WordsDialog
          title="Decline, and say why"
          text={`If you decline: ${approval.onDeny}.`}
          label="Reason, for the agent and the record"
          confirm="Decline"
          look="danger"
          isBusy={isBusy}
          error={error}
          onSend={(note) => decide('Declined.', { decision: 'deny', note })}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'always' && always !== null ? (
        <AlwaysDialog
          always={always}
          isBusy={isBusy}
          error={error}
          onGive={() =>
            decide('Approved, and the rule is stored.', { decision: 'approve', always: true })
          }
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'edit' && proposed !== null ? (
        <EditProposalDialog
          goal={entry.goal}
          approval={approval}
          proposed={proposed}
          onAnswered={onAnswered}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'plan' ? (
        <StandingDialog
          name="approve"
          goal={entry.goal}
          onClose={() => setDialog(null)}
          onAnswered={onAnswered}
        />
      ) : null}
    </>
  );
}
