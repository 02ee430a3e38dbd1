import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { GoalProof } from '../../../schema/goal-proof.ts';
import type { ShownChange } from '../../../schema/proof-change.ts';
import type { SealedOfGoal } from '../../../schema/sealed.ts';
import type { ShownTodoList, TodoStatus } from '../../../schema/todo.ts';
import { changeLines } from '../change-text.ts';
import { ApiProblem } from '../client.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { criterionLines } from '../goal-text.ts';
import { proofLines } from '../proof-text.ts';
import { sealedOfGoalLines } from '../sealed-text.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { oneLine } from '../terminal.ts';

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

interface Gate {
  readonly turn: number | null;
  readonly missing: readonly string[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly changes: readonly ShownChange[];
  readonly proof: GoalProof | null;
  readonly criteria: TrackedCriterion[];
}

export async function gate(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const verdict = await session.client.get<Gate>(`/v1/goals/${goalId}/gate`);
  const sealed = await sealedOf(session, goalId, verdict);
  print(session, { ...verdict, ...(sealed && { sealed: sealed.items }) }, () =>
    [gateText(verdict), ...(sealed ? sealedOfGoalLines(sealed) : [])].join('\n'),
  );
  return EXIT.complete;
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

function gateText({ turn, missing, reasons, changes, proof, criteria }: Gate): string {
  const asked = turn === null ? 'the gate was not asked yet' : `asked last in turn ${turn}`;
  const why = missing.flatMap((id) => reasonLines(`missing ${id}`, reasons[id] ?? ''));
  const basis = changes.length === 0 ? [] : reasonLines('basis', reasons.basis ?? '');
  const proven = proof === null ? [] : proofLines(proof);
  const lines = [...criterionLines({ criteria }), ...changeLines(changes), ...proven];
  return [asked, ...why, ...basis, ...lines].join('\n');
}

function reasonLines(name: string, reason: string): string[] {
  const [first = '', ...details] = reason.split('\n');
  return [
    `  ${name}: ${oneLine(first, 400)}`,
    ...details.map((line) => `    ${oneLine(line, 200)}`),
  ];
}
