import type { Transaction } from '../client.ts';
import type { SessionModel, TokenModel } from '../generated/client/models.ts';
import type { Row } from '../row.ts';
import { jsonOf, timeOf, timeOrNull } from '../store.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { isDue, sealedRows } from './row-seal.ts';

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

const readTokens = (tx: Transaction, name: string | null, newest: string | null) => tx<TokenRow[]>`
  SELECT name, secret_hash, role, workspaces, templates, created_by, created_at, expires_at, seal
  FROM token WHERE CASE WHEN ${name}::text IS NULL THEN ${isDue(tx, newest)} ELSE name = ${name} END`;

export const readSessions = (
  tx: Transaction,
  hash: string | null,
  newest: string | null = null,
) => tx<SessionRow[]>`
  SELECT secret_hash, kind, console_hash, token_name, identity, created_at, expires_at, seal
  FROM session
  WHERE CASE WHEN ${hash}::text IS NULL THEN ${isDue(tx, newest)} ELSE secret_hash = ${hash} END`;

const tokens = sealedRows<TokenRow>({
  content: ({ seal: _, ...row }) => ['rights', row],
  read: (tx, newest) => readTokens(tx, null, newest),
  keep: (tx, { name }, seal) => tx`UPDATE token SET seal = ${seal} WHERE name = ${name}`,
});

/** Names of columns differ, so that no session's seal is a token's. */
const sessions = sealedRows<SessionRow>({
  content: ({ seal: _, ...row }) => ['rights', row],
  read: (tx, newest) => readSessions(tx, null, newest),
  keep: (tx, { secret_hash }, seal) => tx`
    UPDATE session SET seal = ${seal} WHERE secret_hash = ${secret_hash}`,
});

export const rights = { tokens, sessions };

/** Seals a row that this transaction wrote, as it is stored. */
export async function sealToken(tx: Transaction, keys: LedgerKeys, name: string): Promise<void> {
  for (const row of await readTokens(tx, name, null)) await tokens.seal(tx, keys, row);
}

export async function sealSession(
  tx: Transaction,
  keys: LedgerKeys,
  secretHash: string,
): Promise<void> {
  for (const row of await readSessions(tx, secretHash)) await sessions.seal(tx, keys, row);
}
