import { useQuery } from '@tanstack/react-query';
import { approvalQuery } from '../../api/inbox.ts';
import { answeredQuery, disputesQuery, goalQuery } from '../../api/queries.ts';
import { nextAct } from '../../view/actor.ts';
import { answeredText, decidedText, isApproval } from '../../view/inbox-text.ts';
import { ItemBody, ItemHead } from './item-head.tsx';
import type { ItemProps } from './item-props.ts';

/** It waits no longer: who decided, and how. Its keys do nothing. */
export function GoneItem({ entry, place }: ItemProps) {
  const { item, goal } = entry;
  const { goalId } = goal;
  const isDispute = item.kind === 'dispute';
  const approval = useQuery({
    ...approvalQuery(goalId, item.itemId),
    enabled: isApproval(item.kind),
  });
  const disputes = useQuery({ ...disputesQuery(goalId), enabled: isDispute });
  const answered = useQuery({ ...answeredQuery(goalId), enabled: item.kind === 'question' });
  const now = useQuery(goalQuery(goalId));
  const dispute = disputes.data?.find(({ disputeId }) => disputeId === item.itemId);
  const decided = approval.data ?? dispute ?? null;
  const answer = answered.data?.questionId === item.itemId ? answered.data : null;
  return (
    <>
      <ItemBody>
        <div className="inbox-gone">
          <ItemHead entry={{ ...entry, item: { ...item, holds: false } }} />
        </div>
        <p role="status">
          <b>{saidText(decided, answer)}</b>
        </p>
        {now.data === undefined ? null : (
          <p className="text-secondary">The goal: {nextAct(now.data, true).reason}.</p>
        )}
      </ItemBody>
      <footer className="inbox-answers">{place}</footer>
    </>
  );
}

function saidText(
  decided: Parameters<typeof decidedText>[0] | null,
  answer: Parameters<typeof answeredText>[0] | null,
): string {
  if (decided !== null) return decidedText(decided);
  return answer === null ? 'It waits no longer.' : answeredText(answer);
}
