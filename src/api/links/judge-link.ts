import type { Approval } from '../../../schema/approval.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { Caller } from '../../../schema/role.ts';
import type { ApprovalLink } from '../../contract/notices.ts';
import { sightOf } from '../../policy/sight.ts';
import type { OwnerOf, Ports } from '../application.ts';
import { type ApproverNeeds, approverIssue } from '../approver.ts';
import { may } from '../may.ts';
import { shownWhole } from './shown-call.ts';

export type JudgeNeeds = ApproverNeeds | 'links';

/** What a link is worth now. Nothing of the goal is told unless its principal may decide. */
export type LinkVerdict =
  | { readonly kind: 'expired' | 'ended' | 'may_not'; readonly caller: Caller | null }
  | { readonly kind: 'gone' | 'asked_anew'; readonly caller: Caller }
  | { readonly kind: 'decided'; readonly caller: Caller; readonly approval: Approval }
  | OpenLink;

export interface OpenLink {
  readonly kind: 'open';
  readonly caller: Caller;
  readonly approval: Approval;
  readonly goal: Goal;
  /** Why this link may deny alone; null where it may approve too. */
  readonly whyNoApproval: string | null;
}

/** Looks at everything anew, each time: rights and approvals change while a link lies about. */
export async function judgeLink(
  ports: Ports<JudgeNeeds>,
  ownerOf: OwnerOf,
  link: ApprovalLink,
  now: number,
): Promise<LinkVerdict> {
  const caller = await ownerOf(link.as);
  if (link.expiresAt <= now) return { kind: 'expired', caller };
  if (caller === null) return { kind: 'ended', caller };
  const { goalId, approvalId } = link;
  const owner = (await ports.reader.owner(goalId)) ?? 'unknown';
  if (may(caller, 'decideApproval', owner) !== 'yes') return { kind: 'may_not', caller };
  const sight = sightOf(caller);
  const goal = await ports.reader.goal(goalId);
  const all = await ports.reader.approvals({ goalId, sight, state: 'all' });
  const approval = all.find((one) => one.approvalId === approvalId);
  if (goal === null || approval === undefined) return { kind: 'gone', caller };
  if (!ports.links.isAbout(link, approval)) return { kind: 'asked_anew', caller };
  if (approval.state !== 'open') return { kind: 'decided', caller, approval };
  const issue = await approverIssue(ports, caller, goalId);
  const whyNoApproval = issue?.detail ?? (shownWhole(approval) ? null : TOO_LONG);
  return { kind: 'open', caller, approval, goal, whyNoApproval };
}

const TOO_LONG =
  'Its arguments are too long to be shown whole here: look at the goal to approve it.';
