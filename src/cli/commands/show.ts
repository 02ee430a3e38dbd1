import type { Plan } from '../../../schema/todo.ts';
import type { Call } from '../../../schema/turn.ts';
import type { Page, TurnRow } from '../../contract/reads.ts';
import { attachmentText } from '../attachment-text.ts';
import type { Client } from '../client.ts';
import { decisionText } from '../decision-text.ts';
import { delegateTree } from '../delegate-text.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { goalText } from '../goal-text.ts';
import { resultLook } from '../screen/result-look.ts';
import { type CommonOptions, findGoal, openSession, print } from '../session.ts';
import { printable } from '../terminal.ts';
import { type FailedCall, failedOf, turnsLines } from '../turns-text.ts';
import { whyFailed } from '../watch/why-failed.ts';
import { asksForTurn, showTurn, type TurnOptions } from './show-turn.ts';

export interface ShowOptions extends CommonOptions, TurnOptions {
  readonly turns?: boolean;
}

export async function show(prefix: string, options: ShowOptions): Promise<ExitCode> {
  const session = openSession(options);
  if (asksForTurn(options)) {
    if (options.turns !== true) return await showTurn(session, prefix, options);
    throw new UsageError('--turns lists all of them.', 'Leave it out beside one turn.');
  }
  const goal = await findGoal(session, prefix);
  if (options.turns !== true) {
    const asked = session.isJson ? '' : await decisionText(session.client, goal);
    const plan = session.isJson ? '' : await planText(session.client, goal.goalId);
    const files = session.isJson ? '' : await attachmentText(session.client, goal.goalId);
    const tree = session.isJson ? '' : await delegateTree(session.client, goal.goalId);
    print(session, goal, () => goalText(goal) + files + asked + plan + tree);
    return EXIT.complete;
  }
  const turns = await session.client.get<Page<TurnRow>>(`/v1/goals/${goal.goalId}/turns?limit=200`);
  const value = { ...goal, turns: turns.items };
  const failed = session.isJson ? [] : await failedCalls(session.client, goal.goalId);
  print(session, value, () =>
    [goalText(goal), '', ...turnsLines(turns.items.toReversed(), failed, resultLook())].join('\n'),
  );
  return EXIT.complete;
}

/** Older failures are told by their turn alone. */
const MOST_EXPLAINED = 30;

async function failedCalls(client: Client, goalId: string): Promise<FailedCall[]> {
  const path = `/v1/goals/${goalId}/calls?limit=200`;
  const { items } = await client.get<Page<Call>>(path).catch(() => ({ items: [] }));
  const failed: FailedCall[] = [];
  for (const call of failedOf(items).slice(0, MOST_EXPLAINED)) {
    const why = await whyFailed(client, goalId, { ...call, seq: call.settledSeq });
    failed.push({ call, why });
  }
  return failed.toReversed();
}

async function planText(client: Client, goalId: string): Promise<string> {
  const { plan } = await client.get<{ plan: Plan | null }>(`/v1/goals/${goalId}/plan`);
  return plan === null ? '' : `\n\nplan (version ${plan.revision}):\n${printable(plan.markdown)}`;
}
