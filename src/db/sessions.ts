import { withTypedErrors } from './client.ts';
import { type PrismaClient, timeOf } from './store.ts';

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

const shown = { tokenName: true, consoleHash: true, expiresAt: true } as const;

export function createSessions({ session }: PrismaClient): SessionsPort {
  const isValid = () => ({ expiresAt: { gt: new Date() } });
  return withTypedErrors<SessionsPort>({
    async open({ seconds, ...opened }) {
      await session.deleteMany({ where: { expiresAt: { lt: new Date() } } });
      const expiresAt = new Date(Date.now() + seconds * 1000);
      await session.create({ data: { ...opened, expiresAt } });
      return timeOf(expiresAt);
    },

    async find(secretHash) {
      const where = { secretHash, kind: 'session', ...isValid() };
      return known(await session.findFirst({ where, select: shown }));
    },

    // The row is deleted once: of two who read it, one deletes it.
    async take(secretHash, kind) {
      const where = { secretHash, kind, ...isValid() };
      const found = await session.findFirst({ where, select: shown });
      const { count } = await session.deleteMany({ where });
      return count === 1 ? known(found) : null;
    },
  });
}

type SessionRow = Omit<KnownSession, 'expiresAt'> & { readonly expiresAt: Date };

const known = (row: SessionRow | null): KnownSession | null =>
  row && { ...row, expiresAt: timeOf(row.expiresAt) };
