import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Approval } from '../../../schema/approval.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { Page } from '../../contract/reads.ts';
import { approvalText } from '../approval-text.ts';
import { type BudgetOptions, budgetOf } from '../budget-options.ts';
import { criteriaOf } from '../criteria-options.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';

export interface ApproveOptions extends CommonOptions, BudgetOptions {
  readonly deny?: boolean;
  readonly note?: string;
  /** File with the plan as it should be; `-` = standard input. */
  readonly plan?: string;
  readonly criterion?: readonly string[];
  readonly sealed?: readonly string[];
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
  const criteria = criteriaOf(options);
  const body = {
    decision: options.deny === true ? 'deny' : 'approve',
    ...(options.note === undefined ? {} : { note: options.note }),
    ...(options.plan === undefined ? {} : { plan: await planIn(options.plan) }),
    ...(criteria === undefined ? {} : { criteria }),
    ...budgetOf(options),
  };
  const path = `/v1/goals/${goalId}/approvals/${encodeURIComponent(id)}`;
  const goal = await session.client.send<Goal>('POST', path, body);
  const done = body.decision === 'deny' ? 'denied' : 'approved';
  print(session, goal, () =>
    [`${done}: ${goal.goalId} is ${goal.status}`, ...next(goal)].join('\n'),
  );
  return EXIT.complete;
}

const next = ({ handedTo }: Goal): string[] =>
  handedTo === undefined ? [] : [`${handedTo} carries it out: goalkeeper watch ${handedTo}`];

async function planIn(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The plan can't be read: ${(error as Error).message}`, 'Name a file.');
  }
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
