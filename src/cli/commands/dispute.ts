import type { Dispute } from '../../../schema/dispute.ts';
import type { Goal } from '../../../schema/goal.ts';
import { disputeText } from '../dispute-text.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';

export interface DisputeOptions extends CommonOptions {
  readonly insist?: boolean;
  readonly infeasible?: boolean;
  readonly note?: string;
}

/** Shows what the model disputes; with a decision, answers it. */
export async function dispute(
  prefix: string,
  disputeId: string | undefined,
  options: DisputeOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const { items } = await session.client.get<{ items: Dispute[] }>(`/v1/goals/${goalId}/disputes`);
  if (options.insist !== true && options.infeasible !== true) {
    const shown = disputeId === undefined ? items : [found(items, disputeId)];
    const nothing = 'nothing was disputed';
    print(session, { items: shown }, () => shown.map(disputeText).join('\n\n') || nothing);
    return EXIT.complete;
  }
  return await decide(session, goalId, disputeId ?? onlyOpen(goalId, items), options);
}

async function decide(
  session: Session,
  goalId: string,
  disputeId: string,
  { insist, infeasible, note }: DisputeOptions,
): Promise<ExitCode> {
  if (insist === true && infeasible === true) {
    throw new UsageError('Insisting and ending exclude each other.', 'Give one of the two.');
  }
  const decision = insist === true ? 'insist' : 'infeasible';
  const body = { decision, ...(note === undefined ? {} : { note }) };
  const path = `/v1/goals/${goalId}/disputes/${encodeURIComponent(disputeId)}`;
  const goal = await session.client.send<Goal>('POST', path, body);
  const done = insist === true ? 'insisted' : 'ended as infeasible';
  print(session, goal, () => `${done}: ${goal.goalId} is ${goal.status}`);
  return EXIT.complete;
}

function found(items: readonly Dispute[], disputeId: string): Dispute {
  const dispute = items.find((one) => one.disputeId === disputeId);
  if (dispute !== undefined) return dispute;
  throw new UsageError(`There is no dispute ${disputeId}.`, 'Leave the id out to see all.');
}

function onlyOpen(goalId: string, items: readonly Dispute[]): string {
  const open = items.find(({ state }) => state === 'open');
  if (open !== undefined) return open.disputeId;
  throw new UsageError(`${goalId} disputes nothing now.`, 'See "goalkeeper show".');
}
