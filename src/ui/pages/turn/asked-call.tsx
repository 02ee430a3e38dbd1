import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callName, missingAnswer, secondsOf } from '../../../../schema/model-call-words.ts';
import { ownValue } from '../../../../schema/own-value.ts';
import { modelCallQuery } from '../../api/model-calls.ts';
import type { AskedModelCall, Goal, ModelCall } from '../../api/types.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { Markdown } from '../../components/markdown/markdown.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { dollars, duration } from '../../view/format.ts';
import { RequestView } from './request-view.tsx';
import { TurnActs } from './turn-acts.tsx';

type Side = 'request' | 'answer' | 'raw';

const sides = [
  ['request', 'Request'],
  ['answer', 'Answer'],
  ['raw', 'Raw'],
] as const;

/** One model call: its facts, and its request or its answer. */
export function AskedCall(props: {
  readonly goal: Goal;
  readonly call: ModelCall;
  readonly all: readonly ModelCall[];
}) {
  const { goal, call, all } = props;
  const [side, setSide] = useState<Side>('request');
  const asked = useQuery(modelCallQuery(goal.goalId, call));
  const name = callName(call, all);
  return (
    <section className="asked-call" aria-label={name}>
      <div className="asked-bar">
        <Segmented label="Part of the call" choices={sides} chosen={side} onChoose={setSide} />
        <span className="mono text-small text-muted">{call.model}</span>
        <span className="grow" />
        <TurnActs goal={goal} turn={call.turn} />
        {asked.data === undefined ? null : (
          <CopyButton text={rawOf(asked.data)} words="Copy as JSON" isSmall />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys */}
      <div className="asked-body" tabIndex={0} role="region" aria-label={`${name} in full`}>
        <Facts call={call} />
        {asked.isPending ? <SkeletonLines label="Loading the call" widths={[90, 70, 80]} /> : null}
        {asked.isError && asked.data === undefined ? (
          <FailedBox what="The call" error={asked.error} onRetry={() => void asked.refetch()} />
        ) : null}
        {asked.data === undefined ? null : <SideOf side={side} asked={asked.data} />}
      </div>
    </section>
  );
}

const rawOf = (asked: AskedModelCall): string => JSON.stringify(asked, null, 2);

function SideOf({ side, asked }: { readonly side: Side; readonly asked: AskedModelCall }) {
  const { call, request, answer } = asked;
  if (side === 'raw') return <pre className="asked-text">{rawOf(asked)}</pre>;
  if (side === 'request') {
    return request === null ? (
      <p className="note">
        Its request isn’t kept: what it asks is sealed, an agent asked its own model, or an earlier
        version made the call.
      </p>
    ) : (
      <RequestView call={call} request={request} />
    );
  }
  if (answer === null) return <p className="note">{missingAnswer(call)}</p>;
  return (
    <>
      {answer.reasoning === '' ? null : (
        <details className="asked-part">
          <summary>Its reasoning</summary>
          <pre className="asked-text">{answer.reasoning}</pre>
        </details>
      )}
      {answer.text === '' ? null : <Markdown text={answer.text} />}
      {answer.calls.map(({ callId, tool, input }) => (
        <div className="asked-part" key={callId}>
          <h3>
            {tool} <span className="mono text-muted">{callId}</span>
          </h3>
          <pre className="asked-text">{indented(input)}</pre>
        </div>
      ))}
      {answer.text === '' && answer.calls.length === 0 ? (
        <p className="note">It said nothing.</p>
      ) : null}
    </>
  );
}

/** Arguments that are no JSON stay as the model wrote them. */
function indented(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), null, 2);
  } catch {
    return input;
  }
}

const UNKNOWN = '–';

const STATES: Readonly<Record<ModelCall['state'], string>> = {
  sent: 'runs',
  committed: UNKNOWN,
  failed: 'failed',
  lost: 'lost',
};

/** Why the model stopped, as far as all providers tell it. */
const ENDS: Readonly<Record<string, string>> = {
  stop: 'by itself',
  tool_calls: 'with calls',
  length: 'cut off',
  content_filter: 'refused',
  other: 'otherwise',
  absent: UNKNOWN,
};

const endWords = ({ finishReason, state }: ModelCall): string =>
  finishReason === null ? STATES[state] : (ownValue(ENDS, finishReason) ?? finishReason);

function Facts({ call }: { readonly call: ModelCall }) {
  const seconds = secondsOf(call);
  const isKnown = call.state !== 'sent';
  const told = (count: number): string => (isKnown ? count.toLocaleString('en') : UNKNOWN);
  const estimated = `about ${call.estimatedInput.toLocaleString('en')}`;
  const facts: readonly (readonly [string, string])[] = [
    ['In', isKnown && !call.isEstimated ? told(call.inputTokens) : estimated],
    ['Cached', told(call.cachedInputTokens)],
    ['Out', told(call.outputTokens)],
    ['Cost', isKnown ? dollars(call.costUsd) : UNKNOWN],
    ['First token', call.firstTokenMs === null ? UNKNOWN : duration(call.firstTokenMs / 1000)],
    ['Latency', seconds === null ? UNKNOWN : duration(seconds)],
    ['Try', String(call.attempt)],
    ['Ended', endWords(call)],
  ];
  return (
    <dl className="call-facts tabular">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
