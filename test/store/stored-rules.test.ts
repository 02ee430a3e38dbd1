import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewSecurityEntry } from '../../src/contract/security-log.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import {
  createRulesOfPeople,
  createStoredRules,
  storeRule,
} from '../../src/store/workspaces/stored-rules.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

const SECRET = 'a key that nobody guesses';
const keys = ledgerKeys([SECRET]);
const anew = ledgerKeys(['the key that comes after it', SECRET]);

const entry: NewSecurityEntry = {
  ...{ who: 'ada', role: 'operator', address: '127.0.0.1', what: 'rule_revoked' },
  ...{ subject: null, result: 'done', data: {} },
};

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  await store('shop', 'npm publish', 'a-before', noKeys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

const store = (workspace: string, command: string, approvalId: string, by = keys) =>
  stores.store.sql.begin((tx) =>
    storeRule(tx, by, {
      ...{ workspace, covers: { tool: 'run_command', command, cwd: '.' } },
      ...{ by: 'ada', goalId: 'g-1', approvalId },
    }),
  );
const held = async (workspace: string, by = keys) =>
  (await createStoredRules(stores.store.sql, by).holding(workspace)).map(({ ruleId }) => ruleId);
const people = () => createRulesOfPeople(stores.store.sql, keys);
const told = async () => {
  const rows = await stores.db<{ subject: string }[]>`
    SELECT subject FROM security_log WHERE what = 'record_refused' ORDER BY seq`;
  return rows.map(({ subject }) => subject);
};

/** As the service's own user of the database, which may add rows. */
const forge = (ruleId: string, digest: string) => stores.store.sql`
  INSERT INTO stored_rule
    (rule_id, workspace, covers, digest, made_by, made_at, goal_id, approval_id)
  VALUES (${ruleId}, 'till', ${stores.store.sql.json({
    ...{ tool: 'run_command', command: 'rm -rf .', cwd: '.' },
  })}, ${digest}, 'ada', now(), 'g-1', ${`a-${ruleId}`})`;

describe('RULE-3: what people let run for good is sealed, and so is its end', () => {
  test('a rule of before seals covered them holds, in its workspace alone', async () => {
    expect(await held('shop')).toEqual(['r-before']);
    expect(await held('till')).toEqual([]);
  });

  test('a rule that somebody wrote into the database is none, and the log tells', async () => {
    await forge('r-forged', 'd1');
    expect(await held('till')).toEqual([]);
    expect((await people().list()).map(({ ruleId }) => ruleId)).not.toContain('r-forged');
    expect(await told()).toEqual(['rule r-forged']);
  });

  test('a seal of another rule makes it none', async () => {
    await store('till', 'make deploy', 'a-one');
    await forge('r-second', 'd2');
    await stores.store.sql`
      INSERT INTO row_seal (kind, subject, number, seal)
      SELECT kind, 'r-second', number, seal FROM row_seal WHERE subject = 'r-one'`;
    expect(await held('till')).toEqual(['r-one']);
  });

  test('a rule that was revoked never holds again', async () => {
    await store('desk', 'make deploy', 'a-two');
    expect(await people().revoke('r-two', 'bob', entry)).toMatchObject({ revokedBy: 'bob' });
    expect(await held('desk')).toEqual([]);
    const undo = stores.store.sql`
      UPDATE stored_rule SET revoked_at = NULL, revoked_by = NULL WHERE rule_id = 'r-two'`;
    await expect(undo).rejects.toThrow(/its end stays/);
    // Whoever owns the database can take the trigger away, and has no key.
    await stores.db`ALTER TABLE stored_rule DISABLE TRIGGER stored_rule_unchanged`;
    await stores.db`UPDATE stored_rule SET revoked_at = NULL, revoked_by = NULL WHERE rule_id = 'r-two'`;
    await stores.db`ALTER TABLE stored_rule ENABLE TRIGGER stored_rule_unchanged`;
    expect(await held('desk')).toEqual([]);
  });

  test('a rule is never widened', async () => {
    await store('hall', 'make deploy', 'a-three');
    const widen = stores.store.sql`
      UPDATE stored_rule SET workspace = 'till' WHERE rule_id = 'r-three'`;
    await expect(widen).rejects.toThrow(/permission denied|never changes/);
    await expect(stores.store.sql`DELETE FROM stored_rule`).rejects.toThrow();
  });

  test('the same rule holds once, and may come again after its end', async () => {
    await store('yard', 'make deploy', 'a-four');
    await Promise.all([
      store('yard', 'make deploy', 'a-five'),
      store('yard', 'make deploy', 'a-six'),
    ]);
    expect(await held('yard')).toEqual(['r-four']);
    await people().revoke('r-four', 'bob', entry);
    await store('yard', 'make deploy', 'a-seven');
    expect(await held('yard')).toEqual(['r-seven']);
  });

  test('a row that nobody sealed does not stand in the way of a rule', async () => {
    await store('till', 'make other', 'a-eight');
    const [{ digest }] = await stores.db<[{ digest: string }]>`
      SELECT digest FROM stored_rule WHERE rule_id = 'r-eight'`;
    await people().revoke('r-eight', 'bob', entry);
    await forge('r-squats', digest);
    await store('till', 'make other', 'a-nine');
    expect(await held('till')).toContain('r-nine');
  });

  test('a workspace has so many rules that a person reads them', async () => {
    for (let n = 0; n < 200; n += 1) await store('full', `make ${n}`, `a-full-${n}`);
    await expect(store('full', 'make more', 'a-full-more')).rejects.toThrow(/revoke one/);
  });

  test('a former key may go once a process with the new one has started', async () => {
    expect(await beginSealing(stores.store.sql, anew)).toBe('known');
    const only = ledgerKeys(['the key that comes after it']);
    expect(await held('shop', only)).toEqual(['r-before']);
    expect(await held('desk', only)).toEqual([]);
  });
});
