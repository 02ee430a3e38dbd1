import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { decideDispute } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { disputesQuery } from '../../api/queries.ts';
import type { Dispute, Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { patchGoal } from '../../live/patch.ts';
import { useToast } from '../../shell/toasts.tsx';
import { disputeWords, expectationText, whereShown } from '../../view/dispute-text.ts';

/** A criterion that the model disputes, with what the host saw, answered where it is read. */
export function DisputeForm(props: { readonly goal: Goal; readonly onAmend: () => void }) {
  const { goal, onAmend } = props;
  const disputes = useQuery(disputesQuery(goal.goalId));
  const open = disputes.data?.find(({ disputeId }) => disputeId === goal.pause?.disputeId);
  return (
    <section className="ask-bar with-question" aria-label="Waiting for you">
      <span className="tag tone-keeper">You</span>
      <div className="grow">
        <p className="ask-question">{goal.pause?.message}</p>
        {open === undefined ? null : <Shown dispute={open} />}
        <Answers goal={goal} onAmend={onAmend} />
      </div>
    </section>
  );
}

function Shown({ dispute }: { readonly dispute: Dispute }) {
  const [first] = dispute.runs;
  return (
    <>
      <p className="text-small text-secondary">
        {disputeWords[dispute.kind]}. The host ran <code>{dispute.counterExample.command}</code>,
        which was to show {expectationText(dispute.counterExample.expect)}: exit{' '}
        {first?.exit ?? 'none'}. {whereShown(dispute)}
      </p>
      {first === undefined || first.output.trim() === '' ? null : (
        <pre className="text-small">{first.output}</pre>
      )}
    </>
  );
}

function Answers(props: { readonly goal: Goal; readonly onAmend: () => void }) {
  const { goal, onAmend } = props;
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const [note, setNote] = useState('');
  const [isEnding, setEnding] = useState(false);
  const key = useRef(crypto.randomUUID());
  const send = useMutation({
    mutationFn: (decision: 'insist' | 'infeasible') => {
      const said = note.trim() === '' ? {} : { note: note.trim() };
      const disputeId = goal.pause?.disputeId ?? '';
      return answerOf(decideDispute(goal.goalId, disputeId, { decision, ...said }, key.current));
    },
    onSuccess: (after, decision) => {
      patchGoal(client, after);
      toast(decision === 'insist' ? 'Insisted; the goal goes on.' : 'Ended; it is not complete.');
    },
    // Another answer is another request.
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const isBusy = send.isPending || isOffline;
  return (
    <>
      <div className="row wrap ask-answers">
        <span className="field grow">
          <input
            aria-label="Your words for the model"
            placeholder="Why, in your words"
            value={note}
            maxLength={4000}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </span>
        <Button isSmall disabled={isBusy} onClick={onAmend}>
          Amend criteria…
        </Button>
        <Button look="keeper" isSmall disabled={isBusy} onClick={() => send.mutate('insist')}>
          Insist
        </Button>
        <Button
          look="danger"
          isSmall
          disabled={isBusy}
          onClick={() => (isEnding ? send.mutate('infeasible') : setEnding(true))}
        >
          {isEnding ? 'End it: not complete' : 'End as infeasible'}
        </Button>
      </div>
      {send.isError ? (
        <p className="field-error" role="alert">
          {send.error.message}
        </p>
      ) : null}
    </>
  );
}
