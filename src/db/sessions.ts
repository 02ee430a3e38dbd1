import { type Database, withTypedErrors } from './client.ts';

export type SessionKind = 'session' | 'code';

export interface NewSession {
  /** What the secret is kept as: whoever reads the table can't sign in with it. */
  readonly secretHash: string;
  readonly kind: SessionKind;
  /** Of the secret that must come along with a session's cookie. */
  readonly consoleHash?: string;
  readonly tokenName: string;
  readonly seconds: number;
}

export interface KnownSession {
  readonly tokenName: string;
  readonly consoleHash: string | null;
  readonly expiresAt: string;
}

/** Signed-in browsers and one-time codes: rows, so that all API processes agree on them. */
export interface SessionsPort {
  /** @returns when it ends */
  open(session: NewSession): Promise<string>;
  find(secretHash: string): Promise<KnownSession | null>;
  /** Ends it and says what it was: of two callers with one code, one gets it. */
  take(secretHash: string, kind: SessionKind): Promise<KnownSession | null>;
}

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
