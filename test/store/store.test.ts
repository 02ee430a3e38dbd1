import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewSecurityEntry } from '../../src/contract/security-log.ts';
import { DatabaseUnavailable, isUniqueViolation, withTypedErrors } from '../../src/store/client.ts';
import { createSessions } from '../../src/store/intake/sessions.ts';
import { createTokenStore } from '../../src/store/intake/tokens.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { openStore } from '../../src/store/store.ts';
import { type OpenRecord, openRecord, WORKSPACE } from './record-fixture.ts';

let record: OpenRecord;
beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record.close());

const signedIn: NewSecurityEntry = {
  ...{ who: 't', role: 'viewer', address: null, subject: null, data: {} },
  ...{ what: 'sign_in', result: 'done' },
};

const session = { kind: 'session', tokenName: 't', seconds: 60 } as const;

describe('both clients of the store', () => {
  it('say in one word that Postgres is away, whether nobody listens or the server hangs up', async () => {
    const away = openStore('postgres://nobody@127.0.0.1:1/none', { connections: 1 });
    await expect(createSessions(away, noKeys).find('s')).rejects.toThrow(DatabaseUnavailable);
    await away.close();
    const port = withTypedErrors({
      sql: () => record.db`SELECT pg_sleep(60)`,
      prisma: () => record.store.prisma.$queryRaw`SELECT pg_sleep(60) IS NULL AS slept`,
    });
    const errors: unknown[] = [];
    for (const ask of [port.sql, port.prisma]) {
      Promise.resolve(ask()).catch((error: unknown) => errors.push(error));
    }
    await expect
      .poll(async () => {
        await record.db`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(60)%'
            AND state = 'active'`;
        return errors.length;
      })
      .toBe(2);
    for (const error of errors) expect(error).toBeInstanceOf(DatabaseUnavailable);
  });

  it('go on by themselves once the server is there again', async () => {
    const sessions = createSessions(record.store, noKeys);
    await sessions.open({ ...session, secretHash: 'kept' });
    await record.db`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await expect
      .poll(() => sessions.find('kept').catch(() => null))
      .toMatchObject({ tokenName: 't' });
  });

  it('name the constraint that a doubled row violates', async () => {
    const data = { secretHash: 'twice', kind: 'code', tokenName: 't', expiresAt: new Date() };
    const { prisma } = record.store;
    await prisma.session.create({ data });
    const byPrisma = await prisma.session.create({ data }).catch((error: unknown) => error);
    const bySql = await record.db`
      INSERT INTO session (secret_hash, kind, token_name, expires_at)
      VALUES ('twice', 'code', 't', now())`.catch((error: unknown) => error);
    for (const error of [byPrisma, bySql]) {
      expect(isUniqueViolation(error, 'session_pkey')).toBe(true);
      expect(isUniqueViolation(error, 'goal_pkey')).toBe(false);
    }
  });
});

it('a code signs one of two callers in', async () => {
  const sessions = createSessions(record.store, noKeys);
  await sessions.open({ ...session, kind: 'code', secretHash: 'once' });
  const redeem = (secretHash: string) =>
    sessions.redeem('once', { secretHash, seconds: 60 }, signedIn);
  const taken = await Promise.all([redeem('first'), redeem('second')]);
  expect(taken.filter((one) => one !== null)).toHaveLength(1);
  expect(await redeem('third')).toBeNull();
});

it('no session and no token comes to be without its entry in the security log (WHO-50)', async () => {
  const sessions = createSessions(record.store, noKeys);
  const tokens = createTokenStore(record.store, noKeys);
  const unlogged = { ...signedIn, what: null as never };
  await expect(sessions.open({ ...session, secretHash: 'mute' }, unlogged)).rejects.toThrow();
  await sessions.open({ ...session, kind: 'code', secretHash: 'mute-code' });
  const opened = { secretHash: 'mute', seconds: 60 };
  await expect(sessions.redeem('mute-code', opened, unlogged)).rejects.toThrow();
  expect(await sessions.find('mute')).toBeNull();
  const token = { name: 'mute', secretHash: 'mute', role: 'viewer', createdBy: 't' } as const;
  const bounds = { workspaces: ['shop'], templates: null, expiresAt: null };
  await expect(tokens.add({ ...token, ...bounds }, unlogged)).rejects.toThrow();
  expect(await tokens.named('mute')).toBeNull();
  await tokens.add({ ...token, ...bounds }, signedIn);
  expect(await tokens.named('mute')).toMatchObject(bounds);
});

it('a logout at the moment a code is redeemed ends what it opens (WHO-43)', async () => {
  const sessions = createSessions(record.store, noKeys);
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const identity = {
    role: 'viewer',
    workspaces: null,
    subject: 'ann',
    sid: null,
    expiresAt,
  } as const;
  await sessions.open({ ...session, kind: 'code', secretHash: 'held', identity });
  const waiting = async () => {
    const [row] = await record.db`
      SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row?.n;
  };
  const both: Promise<unknown>[] = [];
  await record.db.begin(async (tx) => {
    await tx`SELECT 1 FROM session WHERE secret_hash = 'held' FOR UPDATE`;
    both.push(sessions.redeem('held', { secretHash: 'opened', seconds: 60 }, signedIn));
    await expect.poll(waiting).toBe(1);
    both.push(sessions.endIdentity({ sid: null, subject: 'ann' }));
    await expect.poll(waiting).toBe(2);
  });
  await Promise.all(both);
  expect([await sessions.find('held', 'code'), await sessions.find('opened')]).toEqual([
    null,
    null,
  ]);
});

it('of two hosts that register one name at once, the one with another tree is refused', async () => {
  const tree = { name: 'shared', path: '/a', host: 'here' };
  const register = (marker: string) => record.intake.registerWorkspace({ ...tree, marker });
  await Promise.all([register('one'), register('one')]);
  await expect(register('other')).rejects.toThrow('belongs to another tree');
  const [row] = await record.db`SELECT marker FROM workspace WHERE name = 'shared'`;
  expect(row).toEqual({ marker: 'one' });
  const known = await record.reader.workspaces();
  expect(known.map(({ name }) => name)).toEqual(['shared', WORKSPACE]);
});
