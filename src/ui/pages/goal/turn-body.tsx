import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { callSeq } from '../../../../schema/call-subject.ts';
import { sentMessagesQuery, turnCallsQuery } from '../../api/queries.ts';
import type { Goal, Turn } from '../../api/types.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { Markdown } from '../../components/markdown/markdown.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { IconUser } from '../../generated/icons.tsx';
import { useSaid } from '../../live/live-context.tsx';
import { useKeys } from '../../shell/keys.ts';
import { clock, compact, dollars } from '../../view/format.ts';
import { type Passage, transcriptOf } from '../../view/transcript.ts';
import type { TurnCost } from '../../view/turn-cost.ts';
import { type Unread, unreadOf, withUnread } from '../../view/unread-messages.ts';
import { AskedLine, CallPassage, isCommand } from './call-passage.tsx';
import { DecisionRecord } from './decision-record.tsx';
import { KeptInSight } from './following.tsx';
import { UnreadMessage } from './sent-messages.tsx';
import { useOpenCall } from './use-open-call.ts';

const kinds: Readonly<Record<string, string>> = {
  start: 'the start',
  nudge: 'a nudge',
  wake: 'a wake',
  message: 'a message',
  answer: 'an answer',
  resume: 'a resume',
  wrap_up: 'the wrap-up',
};

/** A turn's words and calls in the order of time, and its decision. */
export function TurnBody(props: {
  readonly goal: Goal;
  readonly turn: Turn;
  readonly cost: TurnCost | null;
  readonly isNewest: boolean;
}) {
  const { goal, turn, cost, isNewest } = props;
  const end = turn.settledAt === null ? 'now' : clock(turn.settledAt, 'seconds');
  const script = <Transcript goal={goal} turn={turn} isNewest={isNewest} />;
  return (
    <div className="turn-body">
      {isNewest ? <KeptInSight>{script}</KeptInSight> : script}
      <p className="turn-foot text-small text-muted tabular">
        <span>
          {clock(turn.startedAt, 'seconds')} to {end}, opened by {kinds[turn.kind] ?? turn.kind}
        </span>
        <Link className="link" href={`/goals/${goal.goalId}/changes`}>
          Changes
        </Link>
        <Link className="link" href={`/goals/${goal.goalId}/turns/${turn.turn}`}>
          Requests
        </Link>
        <span className="grow" />
        <span>
          {cost === null ? '' : `${compact(cost.tokens)} tokens, ${dollars(cost.costUsd)}`}
        </span>
      </p>
      {turn.decision === null ? null : (
        <DecisionRecord goal={goal} turn={turn.turn} decision={turn.decision} />
      )}
    </div>
  );
}

function Transcript(props: {
  readonly goal: Goal;
  readonly turn: Turn;
  readonly isNewest: boolean;
}) {
  const { goal, turn, isNewest } = props;
  const calls = useQuery(turnCallsQuery(goal.goalId, turn));
  const said = useSaid(goal.goalId);
  const passages = transcriptOf({
    turn,
    calls: calls.data?.items ?? [],
    said: isNewest && goal.status === 'active' ? said : null,
    isByAgent: goal.agent !== undefined,
  });
  const sent = useQuery(sentMessagesQuery(goal.goalId)).data ?? [];
  const shown = withUnread(passages, unreadOf(sent, turn, isNewest), sent);
  const last = passages.findLast(({ kind }) => kind === 'call');
  const open = useOpenCall();
  const ended = passages.findLast(isEndedCommand);
  useKeys(isNewest ? { o: () => ended !== undefined && open(callSeq(ended.call)) } : {});
  return (
    <div className="transcript">
      {shown.map((passage) => (
        <PassageView
          key={keyOf(passage)}
          goal={goal}
          passage={passage}
          isNewest={isNewest}
          isLast={passage === last && passages.at(-1) === passage}
        />
      ))}
      {calls.isPending ? <SkeletonLines label="Loading calls" widths={[60, 80]} /> : null}
      {calls.isError && calls.data === undefined ? (
        <FailedBox what="The calls" error={calls.error} onRetry={() => void calls.refetch()} />
      ) : null}
    </div>
  );
}

/** What it printed is kept whole. */
const isEndedCommand = (passage: Passage): passage is Extract<Passage, { kind: 'call' }> =>
  passage.kind === 'call' && passage.call.settledSeq !== null && isCommand(passage.call.tool);

function keyOf(passage: Passage | Unread): string {
  switch (passage.kind) {
    case 'said':
      return `said ${passage.seq}`;
    case 'call':
      return passage.call.callId;
    case 'asked':
      return passage.callId;
    case 'compacted':
      return `compacted ${passage.compaction.number}`;
    case 'saying':
      return 'saying';
    case 'unread':
      return passage.message.messageId;
  }
}

function PassageView(props: {
  readonly goal: Goal;
  readonly passage: Passage | Unread;
  readonly isNewest: boolean;
  readonly isLast: boolean;
}) {
  const { goal, passage, isNewest, isLast } = props;
  switch (passage.kind) {
    case 'said':
      return <Said voice={passage.voice} text={passage.text} />;
    case 'call':
      return <CallPassage goal={goal} call={passage.call} isLast={isLast} isNewest={isNewest} />;
    case 'asked':
      return <AskedLine tool={passage.tool} input={passage.input} />;
    case 'compacted': {
      const { tokensBefore, tokensAfter, notesBy } = passage.compaction;
      return (
        <p className="text-small text-muted compacted">
          <i className="turn-kind-compaction" />
          Context compacted from {compact(tokensBefore)} to {compact(tokensAfter)} tokens
          {notesBy === null ? '' : `, notes by the ${notesBy}`}. The list and the plan come from the
          record.
        </p>
      );
    }
    case 'unread':
      return <UnreadMessage goal={goal} message={passage.message} />;
    case 'saying': {
      const { start, text } = passage.said;
      return (
        <section className="saying" aria-label="The model says now">
          <Markdown text={start > 0 ? `… ${text}` : text} />
        </section>
      );
    }
  }
}

const voices: Readonly<Record<string, string>> = {
  agent: 'An agent said',
  host: 'The host said',
};

function Said({ voice, text }: { readonly voice: string; readonly text: string }) {
  if (voice === 'model') return <Markdown text={text} />;
  if (voice === 'person') {
    return (
      <div className="person-said">
        <p className="text-small text-muted">
          <IconUser size={13} stroke={1.75} aria-hidden="true" /> A person said
        </p>
        <p className="pre-wrap">{text}</p>
      </div>
    );
  }
  return (
    <details className="message-said">
      <summary>{voices[voice] ?? voice}</summary>
      <p className="pre-wrap">{text}</p>
    </details>
  );
}
