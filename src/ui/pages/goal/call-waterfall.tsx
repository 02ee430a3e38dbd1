import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { turnCallsQuery } from '../../api/queries.ts';
import type { Call, Turn } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { ToolIcon } from '../../components/tool-icon.tsx';
import { callResult, callSeconds, callSeq, callSubject } from '../../view/call-text.ts';
import { duration } from '../../view/format.ts';
import { toneClass } from '../../view/tone.ts';

/** The calls of a turn in their order, each where it lay in the turn's time. */
export function CallWaterfall({ goalId, turn }: { readonly goalId: string; readonly turn: Turn }) {
  const calls = useQuery(turnCallsQuery(goalId, turn));
  const [, setSearch] = useSearchParams();
  if (calls.isPending) return <SkeletonLines label="Loading calls" widths={[60, 80]} />;
  const items = [...(calls.data?.items ?? [])].reverse();
  if (items.length === 0) return null;
  const from = Date.parse(turn.startedAt);
  const to = turn.settledAt === null ? Date.now() : Date.parse(turn.settledAt);
  const open = (seq: number) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set('call', String(seq));
      return after;
    });
  return (
    <div className="turn-section">
      <h3>Tool calls</h3>
      {items.map((call) => (
        <CallRow
          key={call.callId}
          call={call}
          from={from}
          to={Math.max(to, from + 1)}
          onOpen={open}
        />
      ))}
    </div>
  );
}

function CallRow(props: {
  readonly call: Call;
  readonly from: number;
  readonly to: number;
  readonly onOpen: (seq: number) => void;
}) {
  const { call, from, to } = props;
  const seconds = callSeconds(call);
  const result = callResult(call);
  const began = Date.parse(call.startedAt ?? call.settledAt ?? '') || from;
  const left = Math.max(0, Math.min(98, ((began - from) / (to - from)) * 100));
  const width =
    seconds === null ? 100 - left : Math.min(100 - left, ((seconds * 1000) / (to - from)) * 100);
  const seq = callSeq(call);
  return (
    <PlainButton className="call-row" onClick={() => props.onOpen(seq)} title="Open in the ledger">
      <ToolIcon tool={call.tool} />
      <span className="hash call-number">#{seq}</span>
      <span className="truncate">
        <span className="call-tool">{call.tool} </span>
        <span className="mono">{callSubject(call)}</span>
      </span>
      <span className="tabular text-right">
        {result.text === 'ok' ? (
          <span className="text-muted">{seconds === null ? '' : duration(seconds)}</span>
        ) : (
          <span className={`text-strong ${toneClass(result.tone)}`}>{result.text}</span>
        )}
      </span>
      <span
        className={`call-span ${toneClass(result.tone)}`}
        title={seconds === null ? 'running' : duration(seconds)}
      >
        <i style={{ left: `${left.toFixed(1)}%`, width: `${Math.max(0.5, width).toFixed(1)}%` }} />
      </span>
    </PlainButton>
  );
}
