import type { Executor, Transaction } from '../client.ts';
import type { TokenModel } from '../generated/client/models.ts';
import { canonicalStorable } from '../json.ts';
import type { Row } from '../row.ts';
import { jsonOf, timeOf, timeOrNull } from '../store.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable, rowsOf, sealedAs } from './counted-table.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import { type Fragment, isDue, sealedRows } from './row-seal.ts';
import { byAnyKey } from './seals.ts';

/**
 * What gives rights is a row under a key that the database doesn't have: whoever writes a token's or
 * a session's row without it made nothing. What a token gives is sealed in its row; its end only takes
 * away, and a trigger keeps it.
 */
export type TokenRow = Row<
  'token',
  | 'name'
  | 'secret_hash'
  | 'role'
  | 'workspaces'
  | 'templates'
  | 'created_by'
  | 'created_at'
  | 'expires_at'
  | 'seal'
>;

export const tokenRow = (token: TokenModel): TokenRow => ({
  ...{ name: token.name, secret_hash: token.secretHash, role: token.role, seal: token.seal },
  ...{ workspaces: jsonOf(token.workspaces), templates: jsonOf(token.templates) },
  ...{ created_by: token.createdBy, created_at: timeOf(token.createdAt) },
  expires_at: timeOrNull(token.expiresAt),
});

const readTokens = (tx: Transaction, name: string | null, newest: string | null) => tx<TokenRow[]>`
  SELECT name, secret_hash, role, workspaces, templates, created_by, created_at, expires_at, seal
  FROM token WHERE CASE WHEN ${name}::text IS NULL THEN ${isDue(tx, newest)} ELSE name = ${name} END`;

export const tokens = sealedRows<TokenRow>({
  content: ({ seal: _, ...row }) => ['rights', row],
  read: (tx, newest) => readTokens(tx, null, newest),
  keep: (tx, { name }, seal) => tx`UPDATE token SET seal = ${seal} WHERE name = ${name}`,
});

/** Seals a row that this transaction wrote, as it is stored. */
export async function sealToken(tx: Transaction, keys: LedgerKeys, name: string): Promise<void> {
  for (const row of await readTokens(tx, name, null)) await tokens.seal(tx, keys, row);
}

/** Sessions and sign-in codes end, and none that ended signs anybody in again. */
const SEALED = ['secret_hash', 'kind', 'console_hash', 'token_name', 'identity'] as const;

/** A new column is a type error here. */
export const SESSION_COLUMNS: Columns<'session'> = {
  ...sealedAs(SEALED),
  created_at: 'iso',
  expires_at: 'iso',
  seal: { free: 'is read once, where seals cover less' },
};

/** A session as JSON, with its newest seal. */
export type SealedSession = Row<
  'session',
  (typeof SEALED)[number] | 'created_at' | 'expires_at' | 'seal'
> & { readonly sealed: NewestSeal };

export type FoundSession = { readonly row: SealedSession };

/** A statement of the sessions `s` of which `which` holds. */
export const sessionsOf = (sql: Executor, which: Fragment) => sql`
  SELECT to_jsonb(s) || jsonb_build_object('sealed',
    ${newestSeal(sql, 'session', sql`s.token_name || ' ' || s.secret_hash`)}) AS row
  FROM session s WHERE ${which} ORDER BY s.created_at, s.secret_hash`;

const readAll = (tx: Transaction): Promise<SealedSession[]> =>
  rowsOf(tx<FoundSession[]>`${sessionsOf(tx, tx`true`)}`);

export async function readSession(
  sql: Executor,
  secretHash: string,
): Promise<SealedSession | null> {
  const which = sql`s.secret_hash = ${secretHash}`;
  const [row] = await rowsOf(sql<FoundSession[]>`${sessionsOf(sql, which)}`);
  return row ?? null;
}

const content = contentBy(SESSION_COLUMNS);

/** Its token's name comes first, so that all of a token are found also where their rows are hidden. */
export const sessions = countedTable<SealedSession>({
  kind: 'session',
  since: 9,
  subject: ({ token_name: name, secret_hash: hash }) => `${name} ${hash}`,
  content,
  read: readAll,
  held: async (tx, keys, covered) => (covered < BORN ? 'all' : await bornSealed(tx, keys)),
});

/** From then on until now a session bore its seal itself. */
const BORN = 3;

async function bornSealed(tx: Transaction, keys: LedgerKeys): Promise<ReadonlySet<string>> {
  const held = (await readAll(tx)).filter((row) =>
    byAnyKey(keys, (key) => formerSessionSeal(key, row)).includes(row.seal ?? ''),
  );
  return new Set(held.map(({ token_name: name, secret_hash: hash }) => `${name} ${hash}`));
}

/** Seals a session or code that this transaction wrote, as it is stored. */
export async function sealSession(
  tx: Transaction,
  keys: LedgerKeys,
  secretHash: string,
): Promise<void> {
  const row = await readSession(tx, secretHash);
  if (row !== null) await sessions.seal(tx, keys, [row]);
}

export const formerSessionSeal = (key: LedgerKey, row: object): string =>
  digestUnder(key, (hmac) => hmac.update(canonicalStorable(['rights', content(row)])));

/** All of a token's, or one by its hash: none of them counts if it comes back. */
export async function sealEnded(
  tx: Transaction,
  keys: LedgerKeys,
  ended: { readonly tokenName: string } | { readonly hash: string },
): Promise<void> {
  if (keys.sealing === null) return;
  const [begins, ends] = 'hash' in ended ? ['', ` ${ended.hash}`] : [`${ended.tokenName} `, ''];
  const rows = await tx<Row<'row_seal', 'subject'>[]>`
    SELECT DISTINCT subject FROM row_seal WHERE kind = 'session'
      AND starts_with(subject, ${begins}) AND right(subject, ${ends.length}::int) = ${ends}`;
  await sessions.sealGone(
    tx,
    keys,
    rows.map(({ subject }) => subject),
  );
}
