import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { addToSecurityLog } from '../../src/store/ledger/security-entries.ts';
import { verifySecurityLog } from '../../src/store/ledger/security-verify.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  await stores.db`
    INSERT INTO security_log (what, result) VALUES ('sign_in', 'done'), ('sign_out', 'done')`;
  expect(await beginSealing(stores.db, keys)).toBe('begun');
});
afterAll(() => stores.close());

const add = (who: string, by = keys) =>
  addToSecurityLog(stores.store.sql, by, {
    ...{ who, role: 'admin', address: '::1', what: 'sign_in' },
    ...{ subject: null, result: 'done', data: { of: who } },
  });

const verdict = (by = keys) => verifySecurityLog(stores.db, by);

/** What somebody does who has the database alone; taken back afterwards. */
async function found(statements: string) {
  const tables = 'security_log, security_head';
  await stores.db.unsafe(`CREATE SCHEMA kept;
    CREATE TABLE kept.security_log AS SELECT * FROM security_log;
    CREATE TABLE kept.security_head AS SELECT * FROM security_head`);
  await stores.db.unsafe('ALTER TABLE security_log DISABLE TRIGGER ALL');
  await stores.db.unsafe(statements);
  const seen = await verdict();
  await stores.db.unsafe(`TRUNCATE ${tables};
    INSERT INTO security_log SELECT * FROM kept.security_log;
    INSERT INTO security_head SELECT * FROM kept.security_head;
    DROP SCHEMA kept CASCADE; ALTER TABLE security_log ENABLE TRIGGER ALL`);
  expect(await verdict()).toMatchObject({ holds: true });
  return seen;
}

const last = '(SELECT max(number) FROM security_log)';
const headAtLast = `UPDATE security_head SET (number, hash) =
  (SELECT number, hash FROM security_log ORDER BY number DESC NULLS LAST LIMIT 1)`;

describe('the security log with a key', () => {
  it('REC-11 is a sealed chain, also when many write at once; what stood before is told', async () => {
    await Promise.all(['ada', 'bob', 'eve', 'joe', 'sue'].map((who) => add(who)));
    expect(await verdict()).toEqual({ holds: true, rows: 6, sealedFrom: 1, adopted: 2 });
    expect(await verdict(ledgerKeys(['another key']))).toMatchObject({ fault: 'key' });
  });

  it.each([
    ['an edited entry', `UPDATE security_log SET who = 'x' WHERE number = 3`, 'edited'],
    ['an entry that is gone', 'DELETE FROM security_log WHERE number = 3', 'missing'],
    ['a log that was cut off', `DELETE FROM security_log WHERE number = ${last}`, 'missing'],
    [
      'the same with its end',
      `DELETE FROM security_log WHERE number = ${last}; ${headAtLast}`,
      'missing',
    ],
    [
      'a log that was emptied',
      `DELETE FROM security_log; UPDATE security_head SET number = 0,
        hash = encode(sha256('goalkeeper security log'), 'hex'), seal = NULL`,
      'unsealed',
    ],
    [
      'an entry without a place',
      `INSERT INTO security_log (what, result) VALUES ('x', 'done')`,
      'missing',
    ],
    ['a former entry that is gone', `DELETE FROM security_log WHERE what = 'sign_out'`, 'missing'],
    ['a former entry that was edited', `UPDATE security_log SET who = 'x' WHERE seq = 1`, 'edited'],
  ])('REC-12 %s is found', async (_, statements, fault) => {
    const seen = await found(statements);
    expect(seen).toMatchObject({ holds: false, fault });
    expect(seen.wayOut).toMatch(/GOALKEEPER_LEDGER_KEY|backup/);
  });

  it('REC-13 what a process without the key adds is found, and not sealed by the next one', async () => {
    await add('mallory', ledgerKeys([]));
    expect(await verdict()).toMatchObject({ holds: false, fault: 'unsealed' });
    await add('ada');
    expect(await verdict()).toMatchObject({ holds: false, fault: 'unsealed' });
  });
});
