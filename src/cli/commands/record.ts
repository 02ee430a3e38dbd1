import type { ShownChange } from '../../../schema/basis-change.ts';
import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { LedgerRow } from '../../../schema/ledger.ts';
import type { TodoList, TodoStatus } from '../../../schema/todo.ts';
import { changeLines } from '../change-text.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { criterionLines } from '../goal-text.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { oneLine, table } from '../terminal.ts';

const marks: Record<TodoStatus, string> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  dropped: '[-]',
};

export async function todos(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const list = await session.client.get<TodoList>(`/v1/goals/${goalId}/todos`);
  const lines = list.items.map(
    (item) =>
      `${'  '.repeat(item.level)}${marks[item.status]} ${oneLine(item.content)}${seqs(item.receipts)}`,
  );
  print(session, list, () => (lines.length === 0 ? 'no todo list' : lines.join('\n')));
  return EXIT.complete;
}

function seqs(receipts: readonly number[]): string {
  return receipts.length === 0 ? '' : `  (ledger ${receipts.join(', ')})`;
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
  const why = missing.map((id) => `  missing ${id}: ${oneLine(reasons[id] ?? '', 200)}`);
  return [asked, ...why, ...criterionLines({ criteria }), ...changeLines(changes)].join('\n');
}

interface LedgerPage {
  readonly items: readonly LedgerRow[];
  readonly nextCursor: string | null;
  readonly chain?: Chain;
}

interface Chain {
  readonly holds: boolean;
  readonly at?: number;
  readonly problem?: string;
}

export async function ledger(
  prefix: string,
  options: CommonOptions & { tool?: string },
): Promise<ExitCode> {
  const session = openSession(options);
  const page = await ledgerPages(session, await findGoalId(session, prefix), options.tool);
  print(session, page, () => [table(page.items.map(rowCells)), chainText(page.chain)].join('\n'));
  return EXIT.complete;
}

export async function verifyLedger(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const { chain } = await session.client.get<LedgerPage>(`/v1/goals/${goalId}/ledger?limit=1`);
  print(session, chain, () => chainText(chain));
  return chain?.holds === true ? EXIT.complete : EXIT.incomplete;
}

async function ledgerPages(
  session: Session,
  goalId: string,
  tool: string | undefined,
): Promise<LedgerPage> {
  const filter = tool === undefined ? '' : `&tool=${encodeURIComponent(tool)}`;
  const path = `/v1/goals/${goalId}/ledger?limit=200${filter}`;
  const first = await session.client.get<LedgerPage>(path);
  const items = [...first.items];
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const page = await session.client.get<LedgerPage>(
      `${path}&cursor=${encodeURIComponent(cursor)}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return { ...first, items, nextCursor: null };
}

function rowCells(row: LedgerRow): string[] {
  const exit = row.receipt?.exitCode === undefined ? '' : `exit ${row.receipt.exitCode}`;
  const subject =
    row.receipt?.command ??
    row.receipt?.writes?.join(' ') ??
    (row.arguments === undefined || row.arguments === null ? '' : JSON.stringify(row.arguments));
  return [
    String(row.seq),
    row.at.slice(11, 19),
    row.phase,
    row.tool,
    row.outcome ?? '',
    exit,
    oneLine(subject, 70),
  ];
}

function chainText(chain: Chain | undefined): string {
  if (chain === undefined) return '';
  return chain.holds ? 'the chain holds' : `the chain breaks at row ${chain.at}: ${chain.problem}`;
}
