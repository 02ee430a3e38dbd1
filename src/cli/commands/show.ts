import type { Plan } from '../../../schema/todo.ts';
import type { Call } from '../../../schema/turn.ts';
import type { Page, TurnRow } from '../../contract/reads.ts';
import { archiveLines } from '../archive-text.ts';
import { attachmentText } from '../attachment-text.ts';
import type { Client } from '../client.ts';
import { decisionText } from '../decision-text.ts';
import { delegateTree } from '../delegate-text.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { goalText } from '../goal-text.ts';
import { resultLook } from '../screen/result-look.ts';
import {
  type CommonOptions,
  findGoal,
  openArchive,
  openSession,
  print,
  type Session,
} from '../session.ts';
import { silentModels } from '../silent-models.ts';
import { printable } from '../terminal.ts';
import { type FailedCall, failedOf, turnsLines } from '../turns-text.ts';
import { whyFailed } from '../watch/why-failed.ts';
import { asksForTurn, showTurn, type TurnOptions } from './show-turn.ts';

export interface ShowOptions extends CommonOptions, TurnOptions {
  readonly turns?: boolean;
  /** A file that `export` wrote, instead of a service. */
  readonly archive?: string;
}

export async function show(given: string | undefined, options: ShowOptions): Promise<ExitCode> {
  if (given === undefined && options.archive === undefined) {
    throw new UsageError('It is not said which goal is meant.', 'Give its id, or --archive FILE.');
  }
  const session =
    options.archive === undefined
      ? openSession(options)
      : await openArchive(options.archive, options);
  const prefix = given ?? session.archive?.goal.goalId ?? '';
  if (asksForTurn(options)) {
    if (options.turns !== true) return await showTurn(session, prefix, options);
    throw new UsageError('--turns lists all of them.', 'Leave it out beside one turn.');
  }
  const goal = await findGoal(session, prefix);
  const silent = session.isJson ? new Map() : await silentModels(session.client, [goal]);
  const head = () => goalText(goal, resultLook(), silent.get(goal.goalId));
  if (options.turns !== true) {
    const asked = session.isJson ? '' : await decisionText(session.client, goal);
    const plan = session.isJson ? '' : await planText(session.client, goal.goalId);
    const files = session.isJson ? '' : await attachmentText(session.client, goal.goalId);
    const tree = session.isJson ? '' : await delegateTree(session.client, goal.goalId);
    print(session, goal, () => head() + files + asked + plan + tree + archiveText(session));
    return EXIT.complete;
  }
  const limit = session.archive?.turns.length ?? 200;
  const path = `/v1/goals/${goal.goalId}/turns?limit=${limit}`;
  const turns = await session.client.get<Page<TurnRow>>(path);
  const value = { ...goal, turns: turns.items };
  const failed = session.isJson ? [] : await failedCalls(session.client, goal.goalId);
  print(session, value, () =>
    [
      head() + archiveText(session),
      '',
      ...turnsLines(turns.items.toReversed(), failed, resultLook()),
    ].join('\n'),
  );
  return EXIT.complete;
}

const archiveText = ({ archive }: Session): string =>
  archive === undefined ? '' : `\n\n${archiveLines(archive, resultLook()).join('\n')}`;

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
