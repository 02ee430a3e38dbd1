import type { ChainVerdict } from '../../../schema/ledger.ts';
import type { SecurityEntry } from '../../../schema/security-log.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, openSession, print } from '../session.ts';
import { printable } from '../terminal.ts';
import { exitOf } from './ledger.ts';

export interface SecurityLogOptions extends CommonOptions {
  readonly limit?: number;
}

interface Page {
  readonly items: readonly SecurityEntry[];
  readonly nextCursor: string | null;
}

const PAGE = 200;

/** Newest first; as JSON all of it, one entry a line, for whoever keeps it elsewhere. */
export async function securityLog(options: SecurityLogOptions): Promise<ExitCode> {
  const { client, terminal, isJson } = openSession(options);
  let left = options.limit ?? (isJson ? Number.POSITIVE_INFINITY : 50);
  for (let cursor: string | null = ''; cursor !== null && left > 0; ) {
    const query = `limit=${Math.min(PAGE, left)}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: Page = await client.get<Page>(`/v1/security-log?${query}`);
    for (const entry of page.items)
      terminal.out(isJson ? JSON.stringify(entry) : securityLine(entry));
    left -= page.items.length;
    cursor = page.nextCursor;
  }
  return EXIT.complete;
}

/** Exits as the verification of a goal's ledger does. */
export async function verifyLog(options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const verdict = await session.client.get<ChainVerdict>('/v1/security-log/verify');
  print(session, verdict, () => verdictText(verdict));
  return exitOf(verdict);
}

function verdictText({ holds, rows, sealedFrom, adopted = 0, problem, wayOut }: ChainVerdict) {
  if (!holds) return [`the security log does not hold: ${problem}`, wayOut].join('\n');
  const seal = sealedFrom === null ? 'no key seals them' : `sealed from number ${sealedFrom} on`;
  const before = adopted === 0 ? '' : `; ${adopted} more are from before the log was a chain`;
  return `the ${rows} entries of the security log hold; ${seal}${before}`;
}

/** Paths and names are callers' own words. */
function securityLine(entry: SecurityEntry): string {
  const { at, what, subject, result } = entry;
  const about = subject === null ? '' : ` ${subject}`;
  return printable(`${at} ${byWhom(entry)}: ${what}${about} · ${result}`);
}

/** The service seals its own log; what the record and Temporal hold was written by nobody known. */
function byWhom({ who, role, address, what }: SecurityEntry): string {
  if (what === 'log_sealed') return 'the service';
  const by = who === null ? 'somebody unknown' : `${who} (${role})`;
  return `${by} from ${address ?? (what === 'record_refused' ? 'the database' : 'Temporal')}`;
}
