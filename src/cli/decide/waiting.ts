import type { Approval } from '../../../schema/approval.ts';
import type { Dispute } from '../../../schema/dispute.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { InboxItem } from '../../../schema/inbox.ts';
import type { OpenQuestion, Page } from '../../contract/reads.ts';
import type { Client } from '../client.ts';

/** What waits for a person, with all that the decision rests on. */
export type Waiting =
  | { readonly kind: 'approval'; readonly approval: Approval }
  | { readonly kind: 'question'; readonly goalId: string; readonly question: OpenQuestion }
  /** With the goal whose criteria can be amended. */
  | { readonly kind: 'dispute'; readonly dispute: Dispute; readonly goal: Goal }
  /** A spent budget, or whatever else stopped the goal. */
  | { readonly kind: 'budget' | 'pause'; readonly goal: Goal };

/** Null where it no longer waits: somebody else was first. */
export async function readWaiting(
  client: Client,
  { kind, goalId, itemId }: InboxItem,
): Promise<Waiting | null> {
  const goalPath = `/v1/goals/${goalId}`;
  if (kind === 'question') {
    const { question } = await client.get<{ question: OpenQuestion | null }>(
      `${goalPath}/question`,
    );
    return question?.questionId === itemId ? { kind, goalId, question } : null;
  }
  if (kind === 'dispute') {
    const { items } = await client.get<{ items: Dispute[] }>(`${goalPath}/disputes`);
    const dispute = items.find((one) => one.disputeId === itemId && one.state === 'open');
    if (dispute === undefined) return null;
    return { kind, dispute, goal: await client.get<Goal>(goalPath) };
  }
  if (kind === 'budget' || kind === 'pause') {
    const goal = await client.get<Goal>(goalPath);
    const status = kind === 'budget' ? 'budget_limited' : 'paused';
    return goal.status === status ? { kind, goal } : null;
  }
  const { items } = await client.get<Page<Approval>>(`/v1/approvals?goalId=${goalId}`);
  const approval = items.find(({ approvalId }) => approvalId === itemId);
  return approval === undefined ? null : { kind: 'approval', approval };
}
