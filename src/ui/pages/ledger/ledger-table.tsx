import { useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { callSeconds, callSeq, callSubject } from '../../../../schema/call-subject.ts';
import type { Call } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { ToolIcon } from '../../components/tool-icon.tsx';
import { type VirtualHandle, VirtualRows } from '../../components/virtual-rows.tsx';
import { leaveControls, useKeys } from '../../shell/keys.ts';
import { callResult, isWrite } from '../../view/call-text.ts';
import { clock, dateAndTime, duration } from '../../view/format.ts';
import { toneClass } from '../../view/tone.ts';

const ROW_HEIGHT = 33;
const AHEAD = 40;

/** Newest first; rows are virtual, so that thousands scroll like ten. */
export function LedgerTable(props: {
  readonly calls: readonly Call[];
  readonly hasMore: boolean;
  readonly onMore: () => void;
}) {
  const { calls } = props;
  const [search, setSearch] = useSearchParams();
  const list = useRef<VirtualHandle>(null);
  const open = (seq: number) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set('call', String(seq));
      return after;
    });
  const current = Number(search.get('call') ?? 0);
  const [cursor, setCursor] = useState(-1);
  const move = (by: number) => {
    const next = Math.max(0, Math.min(calls.length - 1, cursor + by));
    leaveControls();
    setCursor(next);
    list.current?.scrollTo(next);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const call = calls[cursor];
      if (call !== undefined) open(callSeq(call));
    },
  });
  return (
    <div className="ledger" role="table" aria-label="Ledger" aria-rowcount={calls.length + 1}>
      <div className="ledger-row ledger-head" role="row">
        {['#', 'Time', 'Turn', 'Tool', 'Arguments', 'Result', 'Duration', 'Hash'].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <VirtualRows
        handle={list}
        count={calls.length}
        heightOf={() => ROW_HEIGHT}
        keyOf={(index) => calls[index]?.callId ?? index}
        row={(index) => {
          const call = calls[index];
          if (call === undefined) return null;
          const isCurrent = callSeq(call) === current || index === cursor;
          return <LedgerRow call={call} index={index} isCurrent={isCurrent} onOpen={open} />;
        }}
        overscan={12}
        ahead={AHEAD}
        hasMore={props.hasMore}
        onMore={props.onMore}
      />
    </div>
  );
}

function LedgerRow(props: {
  readonly call: Call;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly onOpen: (seq: number) => void;
}) {
  const { call } = props;
  const result = callResult(call);
  const seconds = callSeconds(call);
  const seq = callSeq(call);
  const at = call.startedAt ?? call.settledAt;
  return (
    <div
      className={`ledger-row ${props.isCurrent ? 'current' : ''}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={props.index + 2}
    >
      <span role="cell" className="mono text-muted">
        {seq}
      </span>
      <span
        role="cell"
        className="tabular text-secondary desktop-only"
        title={at === null ? '' : dateAndTime(at)}
      >
        {at === null ? '' : clock(at, 'seconds')}
      </span>
      <span role="cell" className="tabular text-secondary desktop-only">
        {call.turn}
      </span>
      <span role="cell" className="row ledger-tool">
        <ToolIcon tool={call.tool} />
        {call.tool}
      </span>
      <span role="cell" className="ledger-arguments truncate">
        <PlainButton className="mono truncate" onClick={() => props.onOpen(seq)}>
          {callSubject(call) || call.tool}
        </PlainButton>
        {isWrite(call) ? <span className="tag">write</span> : null}
      </span>
      <span role="cell">
        <span className={`tag ${toneClass(result.tone)}`}>{result.text}</span>
      </span>
      <span role="cell" className="text-secondary tabular desktop-only">
        {seconds === null ? '–' : duration(seconds)}
      </span>
      <span role="cell" className="hash desktop-only">
        {call.hash.slice(0, 10)}
      </span>
    </div>
  );
}
