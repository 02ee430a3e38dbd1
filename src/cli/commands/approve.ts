import type { Approval } from '../../../schema/approval.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { Page } from '../../contract/reads.ts';
import { approvalText } from '../approval-text.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';

export interface ApproveOptions extends CommonOptions {
  readonly deny?: boolean;
  readonly note?: string;
}

/** Without an id: the goal's only open approval, which `show` describes. */
export async function approve(
  prefix: string,
  approvalId: string | undefined,
  options: ApproveOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const id = approvalId ?? (await onlyOpen(session, goalId)).approvalId;
  const body = {
    decision: options.deny === true ? 'deny' : 'approve',
    ...(options.note === undefined ? {} : { note: options.note }),
  };
  const path = `/v1/goals/${goalId}/approvals/${encodeURIComponent(id)}`;
  const goal = await session.client.send<Goal>('POST', path, body);
  const done = body.decision === 'deny' ? 'denied' : 'approved';
  print(session, goal, () => `${done}: ${goal.goalId} is ${goal.status}`);
  return EXIT.complete;
}

async function onlyOpen(session: Session, goalId: string): Promise<Approval> {
  const { items } = await session.client.get<Page<Approval>>(`/v1/approvals?goalId=${goalId}`);
  const [only] = items;
  if (only !== undefined && items.length === 1) return only;
  if (only === undefined) {
    throw new UsageError(`Nothing of ${goalId} waits for approval.`, 'See "goalkeeper show".');
  }
  const texts = items.map(approvalText);
  throw new UsageError(`Several approvals are open:\n${texts.join('\n\n')}`, 'Name one of them.');
}
