import type { KnownSession, NewSession, SessionsPort } from '../../contract/sessions.ts';
import { type Transaction, withTypedErrors } from '../client.ts';
import { storable } from '../json.ts';
import { rowsOf } from '../ledger/counted-table.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import {
  type FoundSession,
  readSession,
  type SealedSession,
  sealEnded,
  sealSession,
  sessions,
  sessionsOf,
} from '../ledger/rights-seal.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { refusedTeller } from '../ledger/tell-refused.ts';
import { TOKENS_CHANNEL } from '../notices/listener.ts';
import type { Row } from '../row.ts';
import { jsonOf, type Store, timeOf } from '../store.ts';

export function createSessions(
  { sql: db }: Store,
  keys: LedgerKeys,
  { takesPeople }: { readonly takesPeople: boolean } = { takesPeople: true },
): SessionsPort {
  const tell = refusedTeller(db, keys);
  const isIntact = (row: SealedSession) => sessions.isIntact(keys, row);
  const isTaken = ({ identity }: SealedSession) => takesPeople || identity === null;
  /** Nobody signs in by a row that somebody else wrote, nor a person where no provider is set. */
  async function known(row: SealedSession | undefined): Promise<SealedSession | null> {
    if (row === undefined) return null;
    if (isIntact(row) && isTaken(row)) return row;
    const why = isIntact(row) ? 'no_provider' : 'seal';
    await tell(`${row.kind} of ${row.token_name}`, { why });
    return null;
  }
  return withTypedErrors<SessionsPort>({
    open: (opened, entry) =>
      db.begin(async (tx) => {
        await tellEnded(
          tx,
          await tx<Ended[]>`DELETE FROM session WHERE expires_at < now() RETURNING token_name`,
        );
        const { secretHash, kind, consoleHash = null, tokenName, identity } = opened;
        const held = identity === undefined ? null : tx.json(storable(identity));
        const expiresAt = endOf(opened);
        await tx`
          INSERT INTO session (secret_hash, kind, console_hash, token_name, identity, expires_at)
          VALUES (${secretHash}, ${kind}, ${consoleHash}, ${tokenName}, ${held}, ${expiresAt})`;
        await sealSession(tx, keys, secretHash);
        if (entry !== undefined) await appendToSecurityLog(tx, keys, entry);
        return expiresAt;
      }),

    async find(secretHash, kind = 'session') {
      const which = db`s.secret_hash = ${secretHash} AND s.kind = ${kind} AND s.expires_at > now()`;
      const [row] = await rowsOf(db<FoundSession[]>`${sessionsOf(db, which)}`);
      const found = await known(row);
      return found === null ? null : knownOf(found);
    },

    // The row itself changes: whoever ends it meanwhile waits for it, and then ends it as a session.
    redeem: (codeHash, { secretHash, consoleHash = null, seconds }, entry) =>
      db.begin(async (tx) => {
        const expiresAt = endOf({ seconds });
        await tx`SELECT 1 FROM session WHERE secret_hash = ${codeHash} FOR UPDATE`;
        const code = await readSession(tx, codeHash);
        if (code === null || !isIntact(code)) return null;
        const { count } = await tx`
          UPDATE session SET secret_hash = ${secretHash}, kind = 'session',
            console_hash = ${consoleHash}, expires_at = ${expiresAt}
          WHERE secret_hash = ${codeHash} AND kind = 'code' AND expires_at > now()`;
        if (count === 0) return null;
        await sealEnded(tx, keys, { hash: codeHash });
        await sealSession(tx, keys, secretHash);
        await appendToSecurityLog(tx, keys, entry);
        return expiresAt;
      }),

    async list() {
      const isLive = db`s.kind = 'session' AND s.expires_at > now()`;
      const rows = await rowsOf(db<FoundSession[]>`${sessionsOf(db, isLive)}`);
      return rows
        .filter((row) => isIntact(row) && isTaken(row))
        .map((row) => {
          const { consoleHash: _, ...session } = knownOf(row);
          return { ...session, since: isoOf(row.created_at) };
        });
    },

    endNamed: (name, entry) =>
      db.begin(async (tx) => {
        const ended = await tx<Ended[]>`
          DELETE FROM session WHERE token_name = ${name} RETURNING token_name`;
        await tellEnded(tx, ended);
        await sealEnded(tx, keys, { tokenName: name });
        if (ended.length > 0) await appendToSecurityLog(tx, keys, entry);
        return ended.length;
      }),

    end: (secretHash, entry) =>
      db.begin(async (tx) => {
        const ended = await tx<Ended[]>`
          DELETE FROM session WHERE secret_hash = ${secretHash} AND kind = 'session'
          RETURNING token_name`;
        await tellEnded(tx, ended);
        await sealEnded(tx, keys, { hash: secretHash });
        if (ended.length > 0) await appendToSecurityLog(tx, keys, entry);
      }),

    endIdentity: ({ sid, subject }) =>
      db.begin(async (tx) => {
        // A provider that names its session in logout tokens may not have done so in ID tokens.
        const ended = await tx<(Ended & Row<'session', 'secret_hash'>)[]>`
          DELETE FROM session WHERE identity IS NOT NULL AND (identity->>'sid' = ${sid}
            OR ((${sid}::text IS NULL OR identity->>'sid' IS NULL)
              AND identity->>'subject' = ${subject}))
          RETURNING token_name, secret_hash`;
        for (const { secret_hash: hash } of ended) await sealEnded(tx, keys, { hash });
        return tellEnded(tx, ended);
      }),
  });
}

type Ended = Row<'session', 'token_name'>;

/** Whatever removes rows tells of it, so that their event streams end, too. */
async function tellEnded(tx: Transaction, ended: readonly Ended[]): Promise<string[]> {
  const names = [...new Set(ended.map((row) => row.token_name))];
  for (const name of names) await tx`SELECT pg_notify(${TOKENS_CHANNEL}, ${name})`;
  return names;
}

const endOf = ({ seconds }: Pick<NewSession, 'seconds'>): string =>
  timeOf(new Date(Date.now() + seconds * 1000));

/** As JSON of the database has it, a time has another spelling. */
const isoOf = (at: string): string => timeOf(new Date(at));

const knownOf = (row: SealedSession): KnownSession => ({
  ...{ tokenName: row.token_name, consoleHash: row.console_hash, expiresAt: isoOf(row.expires_at) },
  identity: jsonOf<KnownSession['identity']>(row.identity),
});
