import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createProofStore } from '../../src/store/record/proofs.ts';
import { type OpenRecord, openRecord, settledTurn } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);
const EARLIER = 'g-from-before';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  await stores.db`INSERT INTO proof_finding (goal_id, turn, changes) VALUES (${EARLIER}, 1, '[]')`;
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);
const change = (name: string, now: string) => ({
  ...{ name, now, was: null, kind: 'file', why: 'beyond the scope', lines: [] },
});

/** A goal whose gate found these, one after another in its first turn. */
async function found(...names: readonly string[]) {
  const opened = await stores.openTurn();
  await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
  const proofs = createProofStore(stores.store, keys);
  for (const name of names)
    await proofs.keepFinding(opened.fence, 1, {
      ...{ changes: [change(name, `hash of ${name}`) as never], proof: null },
      base: { missing: name },
    });
  return opened;
}

/** The turn of that gate is settled, and asks a person about what was found. */
async function settle({ execution, goalId }: Awaited<ReturnType<typeof found>>): Promise<void> {
  const { writeSeq } = (await stores.journal.brief(goalId)).workspace;
  const looked = { criteria: [], criteriaRevision: 1, writeSeq, fingerprint: 'f' };
  const evidence = { ...looked, weakened: ['a.ts'] };
  const outcome = { action: 'pause', reason: 'unverified_claim', message: 'Decide.' } as const;
  await stores.record.recordTurn(execution, settledTurn(outcome, { evidence }));
}

const verdictOf = (goalId: string) => stores.verifier.whole(goalId);

describe('what a gate found', () => {
  it('ROW-60 what stands in its place is no finding: neither shown nor proof, and verify names it', async () => {
    for (const set of [`changes = '[]'`, `proof = '{}'`, `base = NULL`]) {
      const opened = await found('a.ts');
      const { goalId } = opened;
      await settle(opened);
      expect(await stores.reader.lastGate(goalId)).toMatchObject({ changes: [{ name: 'a.ts' }] });
      expect((await verdictOf(goalId)).holds).toBe(true);
      await attack(`UPDATE proof_finding SET ${set} WHERE goal_id = '${goalId}'`);
      expect(await stores.reader.lastGate(goalId)).toMatchObject({
        ...{ changes: [], proof: null },
        missing: [expect.stringContaining('not what was sealed')],
      });
      expect(await stores.reader.proofBase(goalId, 1)).toEqual({
        missing: expect.stringContaining('not what was sealed'),
      });
      expect(await verdictOf(goalId), set).toMatchObject({
        fault: 'edited',
        record: { kind: 'finding', subject: '1' },
      });
    }
  });

  it('ROW-61 a person is asked about nothing that no gate found', async () => {
    const opened = await found('a.ts');
    await attack(`UPDATE proof_finding SET changes = '[${JSON.stringify(change('a.ts', 'other'))}]'
      WHERE goal_id = '${opened.goalId}'`);
    await settle(opened);
    const [approval] = await stores.db`
      SELECT data FROM approval WHERE goal_id = ${opened.goalId}`;
    expect(approval?.data).toMatchObject({
      detail: expect.stringContaining('not what was sealed'),
    });
    expect(approval?.data).not.toHaveProperty('changes');
  });

  it('ROW-62 no earlier gate’s and no other turn’s comes back, and none goes away', async () => {
    const opened = await found('a.ts');
    const { goalId } = opened;
    const [first] = await attack(`SELECT changes FROM proof_finding WHERE goal_id = '${goalId}'`);
    const proofs = createProofStore(stores.store, keys);
    await proofs.keepFinding(opened.fence, 1, { changes: [], proof: null });
    await settle(opened);
    expect((await verdictOf(goalId)).holds).toBe(true);
    await attack(`UPDATE proof_finding SET changes = '${JSON.stringify(first?.changes)}',
      base = '{"missing": "a.ts"}' WHERE goal_id = '${goalId}'`);
    expect(await stores.reader.lastGate(goalId)).toMatchObject({ changes: [] });
    for (const act of [
      'DELETE FROM proof_finding',
      'UPDATE proof_finding SET turn = 9',
      `UPDATE proof_finding SET goal_id = 'g-none'`,
    ])
      await expect(attack(act), act).rejects.toThrow(/permission/);
    await attack(
      `INSERT INTO proof_finding (goal_id, turn, changes) VALUES ('${goalId}', 2, '[]')`,
    );
    expect(await stores.reader.proofBase(goalId, 2)).toEqual({
      missing: expect.stringContaining('not what was sealed'),
    });
  });

  it('ROW-63 what was found before the seals is taken in once', async () => {
    const earlier = await stores.reader.proofBase(EARLIER, 1);
    expect(earlier).toEqual({ missing: 'the proof was made by an earlier version' });
    await stores.db`INSERT INTO proof_finding (goal_id, turn, changes) VALUES (${EARLIER}, 2, '[]')`;
    expect(await beginSealing(stores.store.sql, keys)).toBe('known');
    expect(await stores.reader.proofBase(EARLIER, 2)).toEqual({
      missing: expect.stringContaining('not what was sealed'),
    });
  });
});
