import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordAltered } from '../../src/contract/failures.ts';
import type { CriterionBaseline } from '../../src/contract/proofs.ts';
import { reportOfNames } from '../../src/proof/test-report.ts';
import { canonicalJson } from '../../src/store/json.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { digestUnder, ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createProofStore } from '../../src/store/record/proofs.ts';
import { leaveCovered, type OpenRecord, openRecord, WITHOUT_ROW_SEALS } from './record-fixture.ts';

const SECRET = 'a key that nobody guesses';
const keys = ledgerKeys([SECRET]);
const anew = ledgerKeys(['the key that comes after it', SECRET]);

let stores: OpenRecord;
let before: string;
beforeAll(async () => {
  stores = await openRecord(keys);
  // A goal that seals already would say that seals began.
  const { goalId } = await stores.openTurn();
  before = goalId;
  const { db } = stores;
  await db.unsafe(`ALTER TABLE seal DISABLE TRIGGER ALL; DELETE FROM seal;
    ALTER TABLE row_seal DISABLE TRIGGER ALL; DELETE FROM row_seal`);
  await db`UPDATE journal SET ledger_seal = NULL, seals = 0, seal_head = NULL, seal_end = NULL`;
  await db.unsafe(`ALTER TABLE seal ENABLE TRIGGER ALL;
    ALTER TABLE row_seal ENABLE TRIGGER ALL; ${WITHOUT_ROW_SEALS}`);
  await db`INSERT INTO criterion_baseline (goal_id, criterion_id, body)
    VALUES (${before}, 'c1', ${db.json(told as never)})`;
  expect(await beginSealing(db, keys)).toBe('begun');
});
afterAll(() => stores.close());

const told: CriterionBaseline = {
  criterionId: 'c1',
  spec: 'ab',
  report: reportOfNames('node:test', { passed: ['a > x', 'a > y'], failed: [], skipped: [] }),
};
const fewer = {
  ...told,
  report: reportOfNames('node:test', { passed: ['a > x'], failed: [], skipped: [] }),
};

const proofs = (by = keys) => createProofStore(stores.store, by);
/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);

async function kept() {
  const { goalId, fence } = await stores.openTurn();
  await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
  await proofs().keepBaselines(fence, [told, { ...told, criterionId: 'c2' }]);
  return { goalId, fence };
}

describe('what a criterion told before the work', () => {
  it('ROW-49 holds as the service wrote it: a proof begins with no other, and the log tells', async () => {
    const { goalId, fence } = await kept();
    expect(await proofs().baselines(goalId)).toHaveLength(2);
    await attack(`UPDATE criterion_baseline SET body = '${JSON.stringify(fewer)}'
      WHERE goal_id = '${goalId}' AND criterion_id = 'c1'`);
    await expect(proofs().baselines(goalId)).rejects.toThrow(RecordAltered);
    const rows = await stores.db`
      SELECT data FROM security_log WHERE what = 'record_refused' AND subject = ${goalId}`;
    expect(rows).toEqual([{ data: { altered: ['baseline'], criterionId: 'c1' } }]);
    await proofs().keepBaselines(fence, [told]);
    expect(await proofs().baselines(goalId)).toContainEqual(told);
  });

  it('ROW-50 is no other criterion’s and no other goal’s, and none goes away', async () => {
    const { goalId } = await kept();
    const other = await kept();
    const ofGoal = `WHERE goal_id = '${goalId}'`;
    for (const [act, rest] of [
      ['DELETE FROM', ''],
      ['UPDATE', `SET goal_id = 'g-none'`],
      ['UPDATE', `SET criterion_id = 'c9'`],
    ]) {
      const done = attack(`${act} criterion_baseline ${rest} ${ofGoal}`);
      await expect(done, rest).rejects.toThrow(/permission/);
    }
    expect(await proofs().baselines(goalId)).toHaveLength(2);
    await attack(`UPDATE criterion_baseline SET body = '${JSON.stringify(fewer)}'
      WHERE goal_id = '${goalId}' AND criterion_id = 'c1'`);
    await attack(`INSERT INTO row_seal SELECT kind, '${goalId} c1', 2, seal FROM row_seal
      WHERE kind = 'baseline' AND subject = '${other.goalId} c1'`);
    await expect(proofs().baselines(goalId)).rejects.toThrow(RecordAltered);
    await attack(`INSERT INTO criterion_baseline (goal_id, criterion_id, body)
      VALUES ('${other.goalId}', 'c3', '{}')`);
    await expect(proofs().baselines(other.goalId)).rejects.toThrow(RecordAltered);
    expect(await proofs(noKeys).baselines(other.goalId)).toHaveLength(3);
  });

  it('ROW-51 from before the seals is taken in once, and sealed anew under a new key', async () => {
    expect(await proofs().baselines(before)).toEqual([told]);
    const { goalId } = await kept();
    await attack(`UPDATE criterion_baseline SET body = '${JSON.stringify(fewer)}'
      WHERE goal_id = '${goalId}' AND criterion_id = 'c1'`);
    expect(await beginSealing(stores.store.sql, anew)).toBe('known');
    const [newest] = anew.all;
    const alone = ledgerKeys(newest === undefined ? [] : [newest.secret]);
    expect(await proofs(alone).baselines(before)).toEqual([told]);
    await expect(proofs(alone).baselines(goalId)).rejects.toThrow(RecordAltered);
  });

  it('ROW-79 is what the service wrote last: what the same criterion told before does not come back', async () => {
    const { goalId, fence } = await kept();
    const [former] = await attack(`SELECT body, seal FROM criterion_baseline
      WHERE goal_id = '${goalId}' AND criterion_id = 'c1'`);
    const more = reportOfNames('node:test', {
      ...{ passed: ['a > x', 'a > y', 'a > z'], failed: [], skipped: [] },
    });
    await proofs().keepBaselines(fence, [{ ...told, report: more }]);
    expect(await proofs().baselines(goalId)).toHaveLength(2);
    await attack(`UPDATE criterion_baseline SET body = '${JSON.stringify(former?.body)}'
      WHERE goal_id = '${goalId}' AND criterion_id = 'c1'`);
    await expect(proofs().baselines(goalId)).rejects.toThrow(RecordAltered);
    await attack(`INSERT INTO row_seal SELECT kind, subject, 3, seal FROM row_seal
      WHERE kind = 'baseline' AND subject = '${goalId} c1' AND number = 1`);
    await expect(proofs().baselines(goalId)).rejects.toThrow(RecordAltered);
    expect(await stores.verifier.whole(goalId)).toMatchObject({
      ...{ fault: 'edited', record: { kind: 'baseline', subject: 'c1' } },
    });
  });

  it('ROW-80 rows that bore their own seal are taken in by it, and none that does not hold by it', async () => {
    const { db, store } = stores;
    const [key] = keys.all;
    if (key === undefined) throw new TypeError('no key');
    const goals = [await kept(), await kept()];
    for (const { goalId } of goals) {
      for (const criterionId of ['c1', 'c2']) {
        const row = ['baseline', goalId, criterionId, { ...told, criterionId }];
        const seal = digestUnder(key, (digest) => digest.update(canonicalJson(row)));
        await db`UPDATE criterion_baseline SET seal = ${seal}
          WHERE goal_id = ${goalId} AND criterion_id = ${criterionId}`;
      }
    }
    const [whole, edited] = goals;
    await attack(`UPDATE criterion_baseline SET body = '${JSON.stringify(fewer)}'
      WHERE goal_id = '${edited?.goalId}' AND criterion_id = 'c1'`);
    await leaveCovered(db, keys, 5);
    expect(await beginSealing(store.sql, keys)).toBe('begun');
    expect(await proofs().baselines(whole?.goalId ?? '')).toHaveLength(2);
    await expect(proofs().baselines(edited?.goalId ?? '')).rejects.toThrow(RecordAltered);
  });
});
