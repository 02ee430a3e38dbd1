import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewSecurityEntry } from '../../src/contract/security-log.ts';
import { createSessions } from '../../src/store/intake/sessions.ts';
import { createTokenStore } from '../../src/store/intake/tokens.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

const SECRET = 'a key that nobody guesses';
const keys = ledgerKeys([SECRET]);
const anew = ledgerKeys(['the key that comes after it', SECRET]);

const entry: NewSecurityEntry = {
  ...{ who: 'ada', role: 'admin', address: null, what: 'token_made' },
  ...{ subject: null, result: 'done', data: {} },
};
const hash = () => randomBytes(32).toString('hex');
const token = (name: string) => ({
  ...{ name, secretHash: `of ${name}`, role: 'operator' as const, createdBy: 'admin-0123abcd' },
  ...{ workspaces: ['till'], templates: null, expiresAt: '2099-01-01T00:00:00.000Z' },
});
const person = { role: 'admin', workspaces: null, subject: 's', sid: null, expiresAt: null };
const session = (identity?: object) => ({
  ...{ secretHash: hash(), kind: 'session' as const, tokenName: 'oidc:ada@bank.example' },
  ...{ consoleHash: hash(), seconds: 600 },
  ...(identity === undefined ? {} : { identity: identity as never }),
});

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  const formerly = createTokenStore(stores.store, noKeys);
  await formerly.add(token('from-before'), entry);
  await createSessions(stores.store, noKeys).open({ ...session(), secretHash: 'before' });
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

const tokens = (by = keys) => createTokenStore(stores.store, by);
const sessions = (by = keys, takesPeople = true) =>
  createSessions(stores.store, by, { takesPeople });

/** The subjects of what the log tells of such rows. */
const told = async () => {
  const rows = await stores.db<{ subject: string }[]>`
    SELECT subject FROM security_log WHERE what = 'record_refused' ORDER BY seq`;
  return rows.map(({ subject }) => subject);
};

/** As the service's own user of the database, which may add rows. */
const forgeToken = (name: string, madeBy = 'admin-0123abcd') => stores.store.sql`
  INSERT INTO token (name, secret_hash, role, created_by)
  VALUES (${name}, ${`of ${name}`}, 'admin', ${madeBy})`;

describe('a row that gives rights', () => {
  it('IDN-30 a token that somebody wrote into the database is unknown, and the log tells', async () => {
    await forgeToken('forged');
    const known = tokens();
    expect(await known.use('of forged')).toBeNull();
    expect(await known.named('forged')).toBeNull();
    expect(await known.hasRole(['admin'])).toBe(false);
    expect((await tokens().list()).map(({ name }) => name)).not.toContain('forged');
    expect(await told()).toEqual(['token forged']);
    await tokens().add(token('made'), entry);
    expect(await tokens().use('of made')).toMatchObject({ name: 'made', role: 'operator' });
    await stores.store.sql`UPDATE token SET seal = (SELECT seal FROM token WHERE name = 'made')
      WHERE name = 'forged'`;
    expect(await tokens().use('of forged')).toBeNull();
  });

  it('IDN-31 one of its columns is another: neither token nor session count', async () => {
    const { db } = stores;
    await tokens().add(token('wider'), entry);
    await db.unsafe('ALTER TABLE token DISABLE TRIGGER ALL');
    await db`UPDATE token SET workspaces = NULL WHERE name = 'wider'`;
    await db.unsafe('ALTER TABLE token ENABLE TRIGGER ALL');
    expect(await tokens().use('of wider')).toBeNull();
    for (const column of ['token_name', 'console_hash', 'expires_at', 'identity', 'created_at']) {
      const opened = session(person);
      await sessions().open(opened);
      expect(await sessions().find(opened.secretHash)).not.toBeNull();
      const other =
        column === 'identity'
          ? `identity || '{"role": "viewer"}'`
          : column.endsWith('_at')
            ? `${column} + interval '1 hour'`
            : `'other'`;
      await stores.store.sql.unsafe(
        `UPDATE session SET ${column} = ${other} WHERE secret_hash = '${opened.secretHash}'`,
      );
      expect(await sessions().find(opened.secretHash), column).toBeNull();
    }
  });

  it('IDN-32 a session or code that somebody wrote signs nobody in, nor a person without a provider', async () => {
    const { sql } = stores.store;
    for (const kind of ['session', 'code']) {
      await sql`
        INSERT INTO session (secret_hash, kind, token_name, identity, expires_at)
        VALUES (${`forged ${kind}`}, ${kind}, 'oidc:ceo@bank.example', ${sql.json(person)},
          now() + interval '1 hour')`;
    }
    expect(await sessions().find('forged session')).toBeNull();
    expect(await sessions().find('forged code', 'code')).toBeNull();
    const opened = { secretHash: hash(), seconds: 60 };
    expect(await sessions().redeem('forged code', opened, entry)).toBeNull();
    const listed = (await sessions().list()).map(({ tokenName }) => tokenName);
    expect(listed).not.toContain('oidc:ceo@bank.example');
    expect(await told()).toContain('session of oidc:ceo@bank.example');
    const own = session(person);
    await sessions().open(own);
    expect(await sessions().find(own.secretHash)).toMatchObject({ identity: person });
    expect(await sessions(keys, false).find(own.secretHash)).toBeNull();
    expect(await sessions(noKeys, false).find(own.secretHash)).toBeNull();
  });

  it('IDN-33 a code becomes a session that holds, and makers are those of sealed rows', async () => {
    const code = { ...session(), kind: 'code' as const };
    await sessions().open(code);
    const opened = { secretHash: hash(), consoleHash: hash(), seconds: 60 };
    expect(await sessions().redeem(code.secretHash, opened, entry)).not.toBeNull();
    expect(await sessions().find(opened.secretHash)).not.toBeNull();
    await tokens().add({ ...token('inner'), createdBy: 'outer' }, entry);
    await forgeToken('outer', 'eve');
    expect(await tokens().makersOf('inner')).toEqual([{ name: 'outer', isAdmin: false }]);
  });

  it('IDN-34 what was there before the seals is taken in once, and a former key’s is sealed anew', async () => {
    expect(await tokens().use('of from-before')).toMatchObject({ name: 'from-before' });
    expect(await sessions().find('before')).not.toBeNull();
    await forgeToken('late');
    expect(await beginSealing(stores.store.sql, anew)).toBe('known');
    expect(await tokens(anew).use('of late')).toBeNull();
    const [newest] = anew.all;
    const alone = ledgerKeys(newest === undefined ? [] : [newest.secret]);
    expect(await tokens(alone).use('of from-before')).toMatchObject({ name: 'from-before' });
    expect(await sessions(alone).find('before')).not.toBeNull();
    expect(await tokens(noKeys).use('of late')).toMatchObject({ name: 'late' });
  });

  it('ROW-37 no column of a token changes but its use, its end and its seal', async () => {
    await tokens().add({ ...token('bound'), templates: [] }, entry);
    const { db } = stores;
    const columns = await db<{ name: string }[]>`
      SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'token'`;
    const free = ['last_used_at', 'revoked_at', 'revoked_by', 'seal'];
    for (const { name } of columns.filter((column) => !free.includes(column.name))) {
      const other = name.endsWith('_at') ? `now() - interval '1 day'` : `'["x"]'`;
      await expect(
        db.unsafe(`UPDATE token SET "${name}" = ${other} WHERE name = 'bound'`),
        name,
      ).rejects.toThrow('tokens are only revoked');
    }
    await db`UPDATE token SET last_used_at = now(), seal = NULL WHERE name = 'bound'`;
  });
});
