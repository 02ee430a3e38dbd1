import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decideDispute } from '../../api/actions.ts';
import { disputesQuery } from '../../api/queries.ts';
import type { Dispute, Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { disputeWords, expectationText, whereShown } from '../../view/dispute-text.ts';
import { fits, MOST_NOTE } from '../../view/text-length.ts';
import { AnswerError, AnswerField, useAnswer } from './answer-field.tsx';

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
        {open === undefined ? null : <DisputeShown dispute={open} />}
        <Answers goal={goal} onAmend={onAmend} />
      </div>
    </section>
  );
}

/** The counter-example as the host saw it. */
export function DisputeShown({ dispute }: { readonly dispute: Dispute }) {
  const [first] = dispute.runs;
  return (
    <>
      <p className="text-small text-secondary">
        {disputeWords[dispute.kind]}. The host ran <code>{dispute.counterExample.command}</code>,
        which was to show {expectationText(dispute.counterExample.expect)}: exit{' '}
        {first?.exit ?? 'none'}. {whereShown(dispute)}
      </p>
      {first === undefined || first.output.trim() === '' ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        <pre className="text-small" tabIndex={0}>
          {first.output}
        </pre>
      )}
    </>
  );
}

function Answers(props: { readonly goal: Goal; readonly onAmend: () => void }) {
  const { goal, onAmend } = props;
  const [note, setNote] = useState('');
  const [isEnding, setEnding] = useState(false);
  const { answer: send, isBusy } = useAnswer(
    (decision: 'insist' | 'infeasible', key) => {
      const said = note.trim() === '' ? {} : { note: note.trim() };
      const disputeId = goal.pause?.disputeId ?? '';
      return decideDispute(goal.goalId, disputeId, { decision, ...said }, key);
    },
    (decision) =>
      decision === 'insist' ? 'Insisted; the goal goes on.' : 'Ended; it is not complete.',
  );
  const isOff = isBusy || !fits(note, MOST_NOTE);
  return (
    <>
      <div className="row wrap ask-answers">
        <AnswerField
          label="Your words for the model"
          hint="Why, in your words"
          value={note}
          most={MOST_NOTE}
          onText={setNote}
        />
        <Button isSmall disabled={isBusy} onClick={onAmend}>
          Amend criteria…
        </Button>
        <Button look="keeper" isSmall disabled={isOff} onClick={() => send.mutate('insist')}>
          Insist
        </Button>
        <Button
          look="danger"
          isSmall
          disabled={isOff}
          onClick={() => (isEnding ? send.mutate('infeasible') : setEnding(true))}
        >
          {isEnding ? 'End it: not complete' : 'End as infeasible'}
        </Button>
      </div>
      <AnswerError error={send.error} />
    </>
  );
}
