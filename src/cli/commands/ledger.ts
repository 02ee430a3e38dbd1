import type { ChainVerdict, LedgerRow } from '../../../schema/ledger.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { oneLine, table } from '../terminal.ts';

interface LedgerPage {
  readonly items: readonly LedgerRow[];
  readonly nextCursor: string | null;
  readonly chain?: ChainVerdict;
}

export async function ledger(
  prefix: string,
  options: CommonOptions & { tool?: string; search?: string },
): Promise<ExitCode> {
  const session = openSession(options);
  const page = await ledgerPages(session, await findGoalId(session, prefix), options);
  print(session, page, () => [table(page.items.map(rowCells)), chainText(page.chain)].join('\n'));
  return EXIT.complete;
}

export async function verifyLedger(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const verdict = await session.client.get<ChainVerdict>(`/v1/goals/${goalId}/ledger/verify`);
  print(session, verdict, () => chainText(verdict));
  return exitOf(verdict);
}

export function exitOf({ fault, holds }: ChainVerdict): ExitCode {
  if (fault === 'key') return EXIT.usage;
  return holds ? EXIT.complete : EXIT.incomplete;
}

async function ledgerPages(
  session: Session,
  goalId: string,
  { tool, search }: { tool?: string; search?: string },
): Promise<LedgerPage> {
  const query = new URLSearchParams({ limit: '200' });
  if (tool !== undefined) query.set('tool', tool);
  if (search !== undefined) query.set('q', search);
  const path = `/v1/goals/${goalId}/ledger?${query}`;
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

function chainText(verdict: ChainVerdict | undefined): string {
  if (verdict === undefined) return '';
  const { holds, rows, sealedFrom, adopted = 0, at, record, problem, wayOut } = verdict;
  if (!holds) {
    const what = record === undefined ? 'ledger' : 'record';
    return [`the ${what} does not hold from row ${at} on: ${problem}`, wayOut].join('\n');
  }
  const seal = sealedFrom === null ? 'no key seals it' : `sealed from row ${sealedFrom} on`;
  const before = adopted === 0 ? '' : `; ${adopted} records were there before seals covered them`;
  return `the chain of ${rows} rows holds; ${seal}${before}`;
}
