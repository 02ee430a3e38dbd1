import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Approval } from '../../../schema/approval.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { Page } from '../../contract/reads.ts';
import { approvalText } from '../approval-text.ts';
import { type BudgetOptions, budgetOf } from '../budget-options.ts';
import { criteriaWithFile } from '../criteria-options.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { assertFileEnds } from '../named-file.ts';
import { saysYes } from '../says-yes.ts';
import { type CommonOptions, findGoal, openSession, print, type Session } from '../session.ts';
import { printable } from '../terminal.ts';

export interface ApproveOptions extends CommonOptions, BudgetOptions {
  readonly deny?: boolean;
  readonly note?: string;
  /** Calls like this one run without a question from now on. */
  readonly always?: boolean;
  /** The rule was looked at. */
  readonly yes?: boolean;
  /** File with the plan as it should be; `-` = standard input. */
  readonly plan?: string;
  readonly criterion?: readonly string[];
  readonly sealed?: readonly string[];
  readonly criteriaFile?: string;
}

/** Without an id: the goal's only open approval, which `show` describes. */
export async function approve(
  prefix: string,
  approvalId: string | undefined,
  options: ApproveOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const { goalId } = await findGoal(session, prefix);
  const id = approvalId ?? (await onlyOpen(session, goalId)).approvalId;
  const always = options.always === true ? await rule(session, goalId, id) : null;
  if (always !== null) await confirm(session, always, options);
  const criteria = await criteriaWithFile(options);
  const body = {
    decision: options.deny === true ? 'deny' : 'approve',
    ...(options.note === undefined ? {} : { note: options.note }),
    ...(always === null ? {} : { always: true }),
    ...(options.plan === undefined ? {} : { plan: await planIn(options.plan) }),
    ...(criteria === undefined ? {} : { criteria }),
    ...budgetOf(options),
  };
  const path = `/v1/goals/${goalId}/approvals/${encodeURIComponent(id)}`;
  const goal = await session.client.send<Goal>('POST', path, body);
  const done = body.decision === 'deny' ? 'denied' : 'approved';
  print(session, goal, () =>
    [`${done}: ${goal.goalId} is ${goal.status}`, ...ruled(always), ...next(goal)].join('\n'),
  );
  return EXIT.complete;
}

type Always = NonNullable<Approval['always']>;

/** What the service would store. */
async function rule({ client }: Session, goalId: string, approvalId: string): Promise<Always> {
  const path = `/v1/approvals?state=all&goalId=${goalId}`;
  const { items } = await client.get<Page<Approval>>(path);
  const always = items.find((one) => one.approvalId === approvalId)?.always ?? null;
  if (always !== null) return always;
  throw new UsageError(
    `${approvalId} is about nothing that a rule can say.`,
    'Leave --always out, and it is approved once.',
  );
}

/** @throws UsageError where nobody looked at the rule */
async function confirm(
  { terminal }: Session,
  { workspace, says }: Always,
  { yes = false }: ApproveOptions,
): Promise<void> {
  terminal.err(`In every goal of ${workspace}, until it is revoked:\n  always ${printable(says)}`);
  if (yes || (terminal.isInteractive && (await saysYes('Store this rule?')))) return;
  throw new UsageError('Nobody accepted the rule: nothing is approved.', 'Look at it, add --yes.');
}

const ruled = (always: Always | null): string[] =>
  always === null ? [] : [`stored for ${always.workspace}: goalkeeper rules list`];

const next = ({ handedTo }: Goal): string[] =>
  handedTo === undefined ? [] : [`${handedTo} carries it out: goalkeeper watch ${handedTo}`];

async function planIn(file: string): Promise<string> {
  await assertFileEnds(file, 'Name a file, or - for stdin.');
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
