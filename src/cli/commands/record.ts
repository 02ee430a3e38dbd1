import type { ShownChange } from '../../../schema/proof-change.ts';
import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { ShownTodoList, TodoStatus } from '../../../schema/todo.ts';
import { changeLines } from '../change-text.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { criterionLines } from '../goal-text.ts';
import { type CommonOptions, findGoalId, openSession, print } from '../session.ts';
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
  readonly criteria: TrackedCriterion[];
}

export async function gate(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const verdict = await session.client.get<Gate>(`/v1/goals/${goalId}/gate`);
  print(session, verdict, () => gateText(verdict));
  return EXIT.complete;
}

function gateText({ turn, missing, reasons, changes, criteria }: Gate): string {
  const asked = turn === null ? 'the gate was not asked yet' : `asked last in turn ${turn}`;
  const why = missing.flatMap((id) => reasonLines(`missing ${id}`, reasons[id] ?? ''));
  const basis = changes.length === 0 ? [] : reasonLines('basis', reasons.basis ?? '');
  return [asked, ...why, ...basis, ...criterionLines({ criteria }), ...changeLines(changes)].join(
    '\n',
  );
}

function reasonLines(name: string, reason: string): string[] {
  const [first = '', ...details] = reason.split('\n');
  return [
    `  ${name}: ${oneLine(first, 400)}`,
    ...details.map((line) => `    ${oneLine(line, 200)}`),
  ];
}
