import type { SeenPin } from '../../contract/tool-pins.ts';
import type { Executor, Transaction } from '../client.ts';
import type { DB } from '../generated/tables.ts';
import type { Row } from '../row.ts';
import {
  type Counted,
  isCountedIntact,
  type NewestSeal,
  newestSeal,
  nextSeal,
  storeSeal,
} from './counted-seal.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';

/**
 * Which definition of a tool the goals of a workspace may see. A pin that was forgotten is sealed as
 * gone: whoever takes a row away has no tool trusted at its first use.
 */
type SealedColumn = 'server' | 'hash' | 'pinned_by';

/** All other columns are free, and why. A new one is a type error here. */
export const FREE_PIN_COLUMNS: Readonly<
  Record<Exclude<keyof DB['tool_pin'], SealedColumn>, string>
> = {
  workspace: 'each seal names it',
  tool: 'each seal names it',
  definition: 'is shown: the hash decides',
  pinned_at: 'is shown',
  offered_hash: 'is what the server says now: a person who accepts it names it',
  offered: 'is shown: a person accepts by the hash',
  offered_at: 'is shown',
};

/** A pin with its newest seal; `pinned` null = there is no row. */
interface PinRow {
  readonly tool: string;
  readonly offered_hash: string | null;
  readonly pinned: Row<'tool_pin', SealedColumn> | null;
  readonly sealed: NewestSeal;
}

const subjectOf = (workspace: string, tool: string): string => JSON.stringify([workspace, tool]);

const counted = (workspace: string, { tool, pinned, sealed }: PinRow): Counted => ({
  ...{ kind: 'pin', subject: subjectOf(workspace, tool), content: pinned, sealed },
});

/** Of these tools, whether they are pinned or not. */
const pinsOf = (sql: Executor, workspace: string, tools: readonly string[]) => {
  const asked = tools.map((tool) => ({ tool, subject: subjectOf(workspace, tool) }));
  return sql<PinRow[]>`
    SELECT o.tool, p.offered_hash, ${newestSeal(sql, 'pin', sql`o.subject`)} AS sealed,
      CASE WHEN p.tool IS NULL THEN NULL ELSE jsonb_build_object('server', p.server,
        'hash', p.hash, 'pinned_by', p.pinned_by) END AS pinned
    FROM jsonb_to_recordset(${sql.json(asked)}) AS o(tool text, subject text)
      LEFT JOIN tool_pin p ON p.workspace = ${workspace} AND p.tool = o.tool
    ORDER BY o.tool`;
};

export interface KnownPin extends SeenPin {
  readonly isAltered: boolean;
}

/**
 * The pins of a workspace, and what of these tools was pinned once. One that somebody else changed or
 * took away is trusted by nobody.
 */
export async function readPins(
  sql: Executor,
  keys: LedgerKeys,
  workspace: string,
  offered: readonly Pick<SeenPin, 'server' | 'tool'>[],
): Promise<KnownPin[]> {
  const stored = await sql<Pick<SeenPin, 'server' | 'tool'>[]>`
    SELECT server, tool FROM tool_pin WHERE workspace = ${workspace}`;
  const servers = new Map([...offered, ...stored].map(({ server, tool }) => [tool, server]));
  const rows = servers.size === 0 ? [] : await pinsOf(sql, workspace, [...servers.keys()]);
  return rows.flatMap((row): KnownPin[] => {
    const { tool, pinned, sealed, offered_hash: offeredHash } = row;
    if (pinned === null && sealed === null) return [];
    const isAltered = !isCountedIntact(keys, counted(workspace, row));
    if (pinned === null && !isAltered) return [];
    const server = pinned?.server ?? servers.get(tool) ?? '';
    return [
      { server, tool, offeredHash, hash: isAltered ? null : (pinned?.hash ?? null), isAltered },
    ];
  });
}

/** Seals these pins as this transaction leaves them. */
export async function sealPins(
  tx: Transaction,
  keys: LedgerKeys,
  workspace: string,
  tools: readonly string[],
): Promise<void> {
  if (keys.sealing === null || tools.length === 0) return;
  for (const row of await pinsOf(tx, workspace, tools))
    await storeSeal(tx, nextSeal(keys, counted(workspace, row)));
}

/** Takes in what was pinned before seals covered it. */
export async function adoptPins(tx: Transaction, keys: LedgerKeys): Promise<void> {
  const rows = await tx<Row<'tool_pin', 'workspace' | 'tool'>[]>`
    SELECT workspace, tool FROM tool_pin ORDER BY workspace, tool FOR UPDATE`;
  for (const { workspace, tool } of rows) await sealPins(tx, keys, workspace, [tool]);
}

/** Statements of pins of a workspace take turns: what they seal is what they leave. */
export const lockPins = (tx: Transaction, workspace: string): Fragment =>
  tx`SELECT pg_advisory_xact_lock(hashtextextended(${`pins ${workspace}`}, 0))`;
