import type { Goal, Turn } from '../../api/types.ts';
import { clock, compact, dollars } from '../../view/format.ts';
import type { TurnCost } from '../../view/turn-cost.ts';
import { CallWaterfall } from './call-waterfall.tsx';
import { DecisionRecord } from './decision-record.tsx';

const kinds: Readonly<Record<string, string>> = {
  start: 'the start',
  nudge: 'a nudge',
  wake: 'a wake',
  message: 'a message',
  answer: 'an answer',
  resume: 'a resume',
  wrap_up: 'the wrap-up',
};

/** A turn's words, calls and decision. */
export function TurnBody(props: {
  readonly goal: Goal;
  readonly turn: Turn;
  readonly cost: TurnCost | null;
}) {
  const { goal, turn, cost } = props;
  const end = turn.settledAt === null ? 'now' : clock(turn.settledAt, 'seconds');
  return (
    <div className="turn-body">
      <p className="text-small text-muted tabular">
        {clock(turn.startedAt, 'seconds')} to {end}, opened by {kinds[turn.kind] ?? turn.kind}
        {cost === null ? '' : `, ${compact(cost.tokens)} tokens, ${dollars(cost.costUsd)}`}
      </p>
      {turn.messages.map((message) => (
        <Said key={message.seq} voice={message.voice} text={message.text} />
      ))}
      {turn.compactions.map(({ number, tokensBefore, tokensAfter, notesBy }) => (
        <p key={number} className="text-small text-muted compacted">
          <i className="turn-kind-compaction" />
          Context compacted from {compact(tokensBefore)} to {compact(tokensAfter)} tokens
          {notesBy === null ? '' : `, notes by the ${notesBy}`}. The list and the plan come from the
          record.
        </p>
      ))}
      <CallWaterfall goalId={goal.goalId} turn={turn} />
      {turn.decision === null ? null : (
        <DecisionRecord goal={goal} turn={turn.turn} decision={turn.decision} />
      )}
    </div>
  );
}

const voices: Readonly<Record<string, string>> = {
  person: 'A person said',
  agent: 'An agent said',
  host: 'The host said',
};

function Said({ voice, text }: { readonly voice: string; readonly text: string }) {
  if (text.trim() === '' || voice === 'tool') return null;
  if (voice === 'model') return <p className="model-text">{text}</p>;
  return (
    <details className="message-said" open={voice === 'person'}>
      <summary>{voices[voice] ?? voice}</summary>
      <p className="pre-wrap">{text}</p>
    </details>
  );
}
