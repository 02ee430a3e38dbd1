import type { Approval } from '../../../schema/approval.ts';
import type { Page } from '../../contract/reads.ts';
import { approvalText } from '../approval-text.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, findGoal, openSession, print } from '../session.ts';

/** Lists open approvals of one goal, or of all. */
export async function approvals(
  prefix: string | undefined,
  options: CommonOptions & { all?: boolean },
): Promise<ExitCode> {
  const session = openSession(options);
  const goal = prefix === undefined ? '' : `&goalId=${(await findGoal(session, prefix)).goalId}`;
  const state = options.all === true ? 'all' : 'open';
  const page = await session.client.get<Page<Approval>>(`/v1/approvals?state=${state}${goal}`);
  const nothing = 'nothing waits for approval';
  print(session, page, () => page.items.map(approvalText).join('\n\n') || nothing);
  return EXIT.complete;
}
