import type { ChainVerdict, LedgerRow } from '../../../schema/ledger.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { resultLook } from '../screen/result-look.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { oneLine, table } from '../terminal.ts';
import { whyLines } from '../watch/screen-lines.ts';
import { whyFailed } from '../watch/why-failed.ts';

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
  const goalId = await findGoalId(session, prefix);
  const page = await ledgerPages(session, goalId, options);
  const why = session.isJson ? new Map() : await reasonsOf(session, goalId, page.items);
  const shown = table(page.items.map(rowCells)).split('\n');
  const rows = page.items.flatMap((row, index) => [
    shown[index] ?? '',
    ...(why.get(row.seq) ?? []),
  ]);
  print(session, page, () => [...rows, chainText(page.chain)].join('\n'));
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

/** Failures beyond these are told by their row alone; `--search` narrows them. */
const MOST_EXPLAINED = 30;

/** Why calls failed, in lines below their rows. */
async function reasonsOf(
  { client }: Session,
  goalId: string,
  rows: readonly LedgerRow[],
): Promise<Map<number, string[]>> {
  const failed = rows.filter(
    ({ phase, outcome, receipt }) =>
      phase === 'settled' && outcome !== 'succeeded' && receipt?.expectFailure !== true,
  );
  const found = new Map<number, string[]>();
  for (const row of failed.slice(-MOST_EXPLAINED)) {
    const { seq, receipt = null, outputRef } = row;
    const why = await whyFailed(client, goalId, {
      seq,
      receipt,
      hasOutput: outputRef !== undefined,
    });
    found.set(seq, whyLines(why, resultLook()));
  }
  return found;
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
