import type { Transaction } from '../client.ts';
import type { SessionModel, TokenModel } from '../generated/client/models.ts';
import { canonicalJson, storable } from '../json.ts';
import type { Row } from '../row.ts';
import { jsonOf, timeOf, timeOrNull } from '../store.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';

/**
 * What gives rights is a row under a key that the database doesn't have: whoever writes a token's or
 * a session's row without it made nothing. What a row gives is sealed; its end only takes away, and
 * a trigger keeps a token's.
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

export type SessionRow = Row<
  'session',
  | 'secret_hash'
  | 'kind'
  | 'console_hash'
  | 'token_name'
  | 'identity'
  | 'created_at'
  | 'expires_at'
  | 'seal'
>;

type RightsRow = TokenRow | SessionRow;

/** The same for a token and for a session; their names of columns differ, so neither is the other. */
const rightsSeal = (key: LedgerKey, { seal: _, ...row }: RightsRow): string =>
  digestUnder(key, (digest) => digest.update(canonicalJson(storable(['rights', row]))));

/** Without a key nothing is sealed, and every row counts. */
export const isRightsIntact = ({ sealing, ...keys }: LedgerKeys, row: RightsRow): boolean =>
  sealing === null ||
  byAnyKey({ sealing, ...keys }, (key) => rightsSeal(key, row)).includes(row.seal ?? '');

export const tokenRow = (token: TokenModel): TokenRow => ({
  ...{ name: token.name, secret_hash: token.secretHash, role: token.role, seal: token.seal },
  ...{ workspaces: jsonOf(token.workspaces), templates: jsonOf(token.templates) },
  ...{ created_by: token.createdBy, created_at: timeOf(token.createdAt) },
  expires_at: timeOrNull(token.expiresAt),
});

export const sessionRow = (session: SessionModel): SessionRow => ({
  ...{ secret_hash: session.secretHash, kind: session.kind, console_hash: session.consoleHash },
  ...{ token_name: session.tokenName, identity: jsonOf(session.identity), seal: session.seal },
  ...{ created_at: timeOf(session.createdAt), expires_at: timeOf(session.expiresAt) },
});

const readTokens = (tx: Transaction, name: string | null = null) => tx<TokenRow[]>`
  SELECT name, secret_hash, role, workspaces, templates, created_by, created_at, expires_at, seal
  FROM token WHERE ${name}::text IS NULL OR name = ${name}`;

export const readSessions = (tx: Transaction, secretHash: string | null = null) => tx<SessionRow[]>`
  SELECT secret_hash, kind, console_hash, token_name, identity, created_at, expires_at, seal
  FROM session WHERE ${secretHash}::text IS NULL OR secret_hash = ${secretHash}`;

/** Seals a row that this transaction wrote, as it is stored. */
export async function sealToken(tx: Transaction, keys: LedgerKeys, name: string): Promise<void> {
  const [row] = await readTokens(tx, name);
  if (row !== undefined) await storeToken(tx, keys, row);
}

export async function sealSession(
  tx: Transaction,
  keys: LedgerKeys,
  secretHash: string,
): Promise<void> {
  const [row] = await readSessions(tx, secretHash);
  if (row !== undefined) await storeSession(tx, keys, row);
}

async function storeToken(tx: Transaction, { sealing }: LedgerKeys, row: TokenRow): Promise<void> {
  if (sealing === null) return;
  await tx`UPDATE token SET seal = ${rightsSeal(sealing, row)} WHERE name = ${row.name}`;
}

async function storeSession(
  tx: Transaction,
  { sealing }: LedgerKeys,
  row: SessionRow,
): Promise<void> {
  if (sealing === null) return;
  await tx`
    UPDATE session SET seal = ${rightsSeal(sealing, row)} WHERE secret_hash = ${row.secret_hash}`;
}

/** Takes in what was there before seals covered it; later on, what has none gives no rights. */
export const adoptRights = (tx: Transaction, keys: LedgerKeys): Promise<void> =>
  sealWhere(tx, keys, ({ seal }) => seal === null);

/** Seals by the first key what a former one sealed, so that the former one may go. */
export const renewRights = (tx: Transaction, keys: LedgerKeys): Promise<void> =>
  sealWhere(
    tx,
    keys,
    (row) =>
      isRightsIntact(keys, row) &&
      keys.sealing !== null &&
      row.seal?.startsWith(`${keys.sealing.keyId}.`) !== true,
  );

async function sealWhere(
  tx: Transaction,
  keys: LedgerKeys,
  isDue: (row: RightsRow) => boolean,
): Promise<void> {
  for (const row of await readTokens(tx)) if (isDue(row)) await storeToken(tx, keys, row);
  for (const row of await readSessions(tx)) if (isDue(row)) await storeSession(tx, keys, row);
}
