import { callKey, callName } from '../../../../schema/model-call-words.ts';
import type { ModelCall } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { IconAlertTriangle } from '../../generated/icons.tsx';
import { clock, dollars } from '../../view/format.ts';
import { callFacts } from '../../view/model-call-text.ts';

/** The calls of a turn in their order, each with what it took. */
export function CallList(props: {
  readonly calls: readonly ModelCall[];
  readonly current: ModelCall | undefined;
  readonly onChoose: (call: ModelCall) => void;
}) {
  const { calls, current, onChoose } = props;
  if (calls.length === 0) return null;
  return (
    <>
      {calls.map((call) => (
        <PlainButton
          key={callKey(call)}
          className="model-call"
          aria-current={call === current}
          onClick={() => onChoose(call)}
        >
          <span className="model-call-head">
            <b>{callName(call, calls)}</b>
            <span className="text-muted tabular">{clock(call.startedAt, 'seconds')}</span>
            <span className="grow" />
            <span className="tabular">{call.state === 'sent' ? '' : dollars(call.costUsd)}</span>
          </span>
          <TokenBar call={call} />
          <span className="text-small text-muted tabular">{callFacts(call)}</span>
          {call.trouble === undefined ? null : (
            <span className="text-small tone-warn model-call-trouble">
              <IconAlertTriangle size={13} stroke={1.75} aria-hidden="true" />
              <span className="truncate" title={call.trouble}>
                {call.trouble}
              </span>
            </span>
          )}
        </PlainButton>
      ))}
      <p className="text-small text-muted token-legend">
        <i className="tokens-cached" /> cached <i className="tokens-new" /> new{' '}
        <i className="tokens-out" /> out
      </p>
    </>
  );
}

/** Written tokens cost several times what read ones do, and show as if they were as many. */
const WEIGHT_OF_OUTPUT = 4;

function TokenBar({ call }: { readonly call: ModelCall }) {
  const { inputTokens, cachedInputTokens, outputTokens } = call;
  if (inputTokens + outputTokens === 0) return null;
  return (
    <span className="token-bar" aria-hidden="true">
      <i className="tokens-cached" style={{ flex: cachedInputTokens }} />
      <i className="tokens-new" style={{ flex: inputTokens - cachedInputTokens }} />
      <i className="tokens-out" style={{ flex: outputTokens * WEIGHT_OF_OUTPUT }} />
    </span>
  );
}
