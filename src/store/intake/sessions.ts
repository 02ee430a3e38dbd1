import type { KnownSession, SessionsPort } from '../../contract/sessions.ts';
import { withTypedErrors } from '../client.ts';
import { type PrismaClient, timeOf } from '../store.ts';

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

    // Only one of two concurrent readers deletes the row.
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
