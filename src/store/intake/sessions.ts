import type { KnownSession, SessionsPort } from '../../contract/sessions.ts';
import { withTypedErrors } from '../client.ts';
import { storable } from '../json.ts';
import { TOKENS_CHANNEL } from '../notices/listener.ts';
import type { Row } from '../row.ts';
import { jsonOf, type Store, timeOf } from '../store.ts';

const shown = { tokenName: true, identity: true, consoleHash: true, expiresAt: true } as const;

export function createSessions({ sql: db, prisma: { session } }: Store): SessionsPort {
  const isValid = () => ({ expiresAt: { gt: new Date() } });
  return withTypedErrors<SessionsPort>({
    async open({ seconds, identity, ...opened }) {
      await session.deleteMany({ where: { expiresAt: { lt: new Date() } } });
      const expiresAt = new Date(Date.now() + seconds * 1000);
      const held = identity === undefined ? {} : { identity: storable(identity) as object };
      await session.create({ data: { ...opened, ...held, expiresAt } });
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

    endIdentity: ({ sid, subject }) =>
      db.begin(async (tx) => {
        const rows = await tx<Row<'session', 'token_name'>[]>`
          DELETE FROM session WHERE identity IS NOT NULL AND ${
            sid === null ? tx`identity->>'subject' = ${subject}` : tx`identity->>'sid' = ${sid}`
          } RETURNING token_name`;
        const names = [...new Set(rows.map((row) => row.token_name))];
        for (const name of names) await tx`SELECT pg_notify(${TOKENS_CHANNEL}, ${name})`;
        return names;
      }),
  });
}

type SessionRow = Omit<KnownSession, 'expiresAt' | 'identity'> & {
  readonly expiresAt: Date;
  readonly identity: unknown;
};

const known = (row: SessionRow | null): KnownSession | null =>
  row && {
    ...row,
    identity: jsonOf<KnownSession['identity']>(row.identity),
    expiresAt: timeOf(row.expiresAt),
  };
