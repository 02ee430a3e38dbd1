import type { KnownSession, SessionsPort } from '../../contract/sessions.ts';
import { type Database, withTypedErrors } from '../client.ts';

interface SessionRow {
  readonly token_name: string;
  readonly console_hash: string | null;
  readonly expires_at: string;
}

export function createSessions(db: Database): SessionsPort {
  return withTypedErrors<SessionsPort>({
    async open({ secretHash, kind, consoleHash, tokenName, seconds }) {
      await db`DELETE FROM session WHERE expires_at < now()`;
      const [row] = await db<[{ expires_at: string }]>`
        INSERT INTO session (secret_hash, kind, console_hash, token_name, expires_at)
        VALUES (${secretHash}, ${kind}, ${consoleHash ?? null}, ${tokenName},
          now() + ${`${seconds} seconds`}::interval)
        RETURNING expires_at`;
      return row.expires_at;
    },

    async find(secretHash) {
      const rows = await db<SessionRow[]>`
        SELECT token_name, console_hash, expires_at FROM session
        WHERE secret_hash = ${secretHash} AND kind = 'session' AND expires_at > now()`;
      return firstOf(rows);
    },

    async take(secretHash, kind) {
      const rows = await db<SessionRow[]>`
        DELETE FROM session
        WHERE secret_hash = ${secretHash} AND kind = ${kind} AND expires_at > now()
        RETURNING token_name, console_hash, expires_at`;
      return firstOf(rows);
    },
  });
}

const firstOf = ([row]: readonly SessionRow[]): KnownSession | null =>
  row === undefined
    ? null
    : {
        tokenName: row.token_name,
        consoleHash: row.console_hash,
        expiresAt: row.expires_at,
      };
