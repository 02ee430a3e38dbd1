import type { Goal } from '../../../schema/goal.ts';
import type { SealedOfGoal } from '../../../schema/sealed.ts';
import type { ShownTodoList, TodoStatus } from '../../../schema/todo.ts';
import type { Call } from '../../../schema/turn.ts';
import { ApiProblem } from '../client.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Gate, type GateFacts, gateLines, holdsForPerson } from '../gate-text.ts';
import { resultLook } from '../screen/result-look.ts';
import { sealedOfGoalLines } from '../sealed-text.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { oneLine } from '../terminal.ts';
import { whyFailed } from '../watch/why-failed.ts';

const marks: Record<TodoStatus, string> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  dropped: '[-]',
};

export async function todos(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const list = await session.client.get<ShownTodoList>(`/v1/goals/${goalId}/todos`);
  const lines = list.items.map(
    (item) =>
      `${'  '.repeat(item.level)}${marks[item.status]} ${oneLine(item.content)}${seqs(item.receipts)}${later(item)}`,
  );
  print(session, list, () => (lines.length === 0 ? 'no todo list' : lines.join('\n')));
  return EXIT.complete;
}

function seqs(receipts: readonly number[]): string {
  return receipts.length === 0 ? '' : `  (ledger ${receipts.join(', ')})`;
}

/** The item stays completed, but readers should know that its proof is older than the files. */
function later({ writtenAfter }: ShownTodoList['items'][number]): string {
  if (writtenAfter === undefined) return '';
  return `  written since: ${oneLine(writtenAfter.paths.join(', '), 80)} (ledger ${writtenAfter.seq})`;
}

export interface GateOptions extends CommonOptions {
  readonly exitCode?: boolean;
}

export async function gate(prefix: string, options: GateOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const verdict = await session.client.get<Gate>(`/v1/goals/${goalId}/gate`);
  const sealed = await sealedOf(session, goalId, verdict);
  const value = { ...verdict, ...(sealed && { sealed: sealed.items }) };
  if (session.isJson && options.exitCode !== true) {
    print(session, value, () => '');
    return EXIT.complete;
  }
  const facts = await factsOf(session, goalId, verdict);
  const sealedLines = sealed ? sealedOfGoalLines(sealed) : [];
  print(session, value, () => [...gateLines(facts, resultLook()), ...sealedLines].join('\n'));
  return options.exitCode === true ? exitOf(facts) : EXIT.complete;
}

function exitOf({ goal }: GateFacts): ExitCode {
  if (goal.status === 'complete') return EXIT.complete;
  return holdsForPerson(goal) ? EXIT.waits : EXIT.incomplete;
}

const MOST_EXPLAINED = 10;

async function factsOf({ client }: Session, goalId: string, gate: Gate): Promise<GateFacts> {
  const goal = await client.get<Goal>(`/v1/goals/${goalId}`);
  const todos = await client.get<ShownTodoList>(`/v1/goals/${goalId}/todos`);
  const failed = gate.criteria
    .filter(({ state, receipts }) => state === 'unmet' && receipts.length > 0)
    .slice(0, MOST_EXPLAINED);
  const why = new Map<string, readonly string[]>();
  for (const { criterionId, receipts } of failed) {
    const seq = receipts.at(-1) ?? 0;
    const call = await client.get<Call>(`/v1/goals/${goalId}/calls/${seq}`).catch(() => null);
    if (call !== null)
      why.set(criterionId, await whyFailed(client, goalId, { ...call, seq: call.settledSeq }));
  }
  return { gate, goal, todos, why };
}

/** Null where nothing is sealed, or the caller's role may not see it. */
async function sealedOf(
  { client }: Session,
  goalId: string,
  { criteria }: Gate,
): Promise<SealedOfGoal | null> {
  if (criteria.every(({ spec }) => spec.kind !== 'sealed')) return null;
  return await client.get<SealedOfGoal>(`/v1/goals/${goalId}/sealed`).catch((error) => {
    if (error instanceof ApiProblem && error.problem.code === 'forbidden') return null;
    throw error;
  });
}
