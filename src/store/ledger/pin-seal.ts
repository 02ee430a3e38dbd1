import type { SeenPin } from '../../contract/tool-pins.ts';
import type { Executor, Transaction } from '../client.ts';
import type { Row } from '../row.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable } from './counted-table.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';

/**
 * Which definition of a tool the goals of a workspace may see. A pin that was forgotten is sealed as
 * gone: whoever takes a row away has no tool trusted at its first use.
 */
export const PIN_COLUMNS: Columns<'tool_pin'> = {
  workspace: 'key',
  tool: 'key',
  server: 'sealed',
  hash: 'sealed',
  pinned_by: 'sealed',
  definition: { free: 'is shown: the hash decides' },
  pinned_at: { free: 'is shown' },
  offered_hash: { free: 'is what the server says now: a person who accepts it names it' },
  offered: { free: 'is shown: a person accepts by the hash' },
  offered_at: { free: 'is shown' },
};

/** A pin with its newest seal; `pinned` null = there is no row. */
interface PinRow {
  readonly workspace: string;
  readonly tool: string;
  readonly offered_hash: string | null;
  readonly pinned: Row<'tool_pin', 'server' | 'hash' | 'pinned_by'> | null;
  readonly sealed: NewestSeal;
}

const subjectOf = (workspace: string, tool: string): string => JSON.stringify([workspace, tool]);

const content = contentBy(PIN_COLUMNS);

export const pins = countedTable<PinRow>({
  kind: 'pin',
  since: 8,
  subject: ({ workspace, tool }) => subjectOf(workspace, tool),
  content: ({ pinned }) => (pinned === null ? null : content(pinned)),
  read: (tx) =>
    tx<PinRow[]>`
      SELECT p.workspace, p.tool, p.offered_hash, to_jsonb(p) AS pinned,
        ${newestSeal(tx, 'pin', tx`concat('[', to_json(p.workspace), ',', to_json(p.tool), ']')`)}
          AS sealed
      FROM tool_pin p ORDER BY p.workspace, p.tool`,
});

/** Of these tools, whether they are pinned or not. */
const pinsOf = (sql: Executor, workspace: string, tools: readonly string[]) => {
  const asked = tools.map((tool) => ({ tool, subject: subjectOf(workspace, tool) }));
  return sql<PinRow[]>`
    SELECT ${workspace}::text AS workspace, o.tool, p.offered_hash, to_jsonb(p) AS pinned,
      ${newestSeal(sql, 'pin', sql`o.subject`)} AS sealed
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
    const isAltered = !pins.isIntact(keys, row);
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
  await pins.seal(tx, keys, await pinsOf(tx, workspace, tools));
}

/** Statements of pins of a workspace take turns: what they seal is what they leave. */
export const lockPins = (tx: Transaction, workspace: string): Fragment =>
  tx`SELECT pg_advisory_xact_lock(hashtextextended(${`pins ${workspace}`}, 0))`;
