import { useQuery } from '@tanstack/react-query';
import { callSubject } from '../../../../schema/call-subject.ts';
import { callQuery } from '../../api/queries.ts';
import { Receipt } from '../../components/receipt.tsx';
import { callResult } from '../../view/call-text.ts';
import { clock } from '../../view/format.ts';
import { toneClass } from '../../view/tone.ts';

export function ReceiptLine({ goalId, seq }: { readonly goalId: string; readonly seq: number }) {
  const { data: call } = useQuery(callQuery(goalId, seq));
  const result = call === undefined ? null : callResult(call);
  return (
    <div className="receipt-line">
      <Receipt seq={seq} />
      <span className="command-text">{call === undefined ? '…' : callSubject(call)}</span>
      {result === null ? (
        <span />
      ) : (
        <span className={`tag ${toneClass(result.tone)}`}>{result.text}</span>
      )}
      {call === undefined ? null : (
        <span className="receipt-facts">
          {call.tool}, turn {call.turn}
          {call.settledAt === null ? '' : `, ${clock(call.settledAt, 'seconds')}`}
        </span>
      )}
    </div>
  );
}
