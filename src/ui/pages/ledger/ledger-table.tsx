import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Call } from '../../api/types.ts';
import { ToolIcon } from '../../components/tool-icon.tsx';
import { useKeys } from '../../shell/keys.ts';
import { callResult, callSeconds, callSeq, callSubject, isWrite } from '../../view/call-text.ts';
import { clock, dateAndTime, duration } from '../../view/format.ts';

const ROW_HEIGHT = 33;
const AHEAD = 40;

const scrollElement = () => document.getElementById('main');

/** Newest first; rows are virtual, so that thousands scroll like ten. */
export function LedgerTable(props: {
  readonly calls: readonly Call[];
  readonly hasMore: boolean;
  readonly onMore: () => void;
}) {
  const { calls } = props;
  const [search, setSearch] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const main = scrollElement();
    if (main === null || list.current === null) return;
    setMargin(
      list.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop,
    );
  }, []);
  const virtual = useVirtualizer({
    count: calls.length,
    getScrollElement: scrollElement,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => calls[index]?.callId ?? index,
    overscan: 12,
    scrollMargin: margin,
  });
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (props.hasMore && lastShown > calls.length - AHEAD) props.onMore();
  }, [props.hasMore, props.onMore, lastShown, calls.length]);
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
    setCursor(next);
    virtual.scrollToIndex(next);
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
    <div className="led" role="table" aria-label="Ledger" aria-rowcount={calls.length + 1}>
      <div className="lr lh" role="row">
        {['#', 'Time', 'Turn', 'Tool', 'Arguments', 'Result', 'Duration', 'Hash'].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div
        ref={list}
        role="rowgroup"
        className="virtual"
        style={{ height: virtual.getTotalSize() }}
      >
        {shown.map(({ index, key, start }) => {
          const call = calls[index];
          if (call === undefined) return null;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              role="presentation"
              className="virtual-line"
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              <LedgerRow
                call={call}
                index={index}
                isCurrent={callSeq(call) === current || index === cursor}
                onOpen={open}
              />
            </div>
          );
        })}
      </div>
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
      className={`lr ${props.isCurrent ? 'on' : ''}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={props.index + 2}
    >
      <span role="cell" className="mono t3">
        {seq}
      </span>
      <span role="cell" className="num t2 hidem" title={at === null ? '' : dateAndTime(at)}>
        {at === null ? '' : clock(at, 'seconds')}
      </span>
      <span role="cell" className="num t2 hidem">
        {call.turn}
      </span>
      <span role="cell" className="row tool-cell">
        <ToolIcon tool={call.tool} />
        {call.tool}
      </span>
      <span role="cell" className="args ell">
        <button type="button" className="mono ell" onClick={() => props.onOpen(seq)}>
          {callSubject(call) || call.tool}
        </button>
        {isWrite(call) ? <span className="tag">write</span> : null}
      </span>
      <span role="cell">
        <span className={`tag ${result.tone}`}>{result.text}</span>
      </span>
      <span role="cell" className="r t2 num hidem">
        {seconds === null ? '–' : duration(seconds)}
      </span>
      <span role="cell" className="hash hidem">
        {call.hash.slice(0, 10)}
      </span>
    </div>
  );
}
