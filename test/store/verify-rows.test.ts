import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportOfNames } from '../../src/proof/test-report.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import { createProofStore } from '../../src/store/record/proofs.ts';
import { createWorktreeStore } from '../../src/store/workspaces/worktrees.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);
const verdictOf = (goalId: string) => stores.verifier.whole(goalId);
const told = (criterionId: string) => ({
  ...{ criterionId, spec: 'ab' },
  report: reportOfNames('node:test', { passed: ['a > x'], failed: [], skipped: [] }),
});

/** A goal in a worktree of its own, with what its criteria told before the work. */
async function working(name: string) {
  await stores.intake.registerWorkspace({
    ...{ name, path: `/${name}`, host: 'here', marker: name, isRepository: true },
  });
  const opened = await stores.openTurn({ workspace: name, worktree: 'required' });
  const worktrees = createWorktreeStore(stores.store, { ledgerKeys: keys });
  await worktrees.tellMade(opened.fence, `/trees/${name}`, {
    base: 'abc',
    uncommitted: 0,
    begins: null,
  });
  const proofs = createProofStore(stores.store, keys);
  await proofs.keepBaselines(opened.fence, [told('c1'), told('c2')]);
  expect((await verdictOf(opened.goalId)).holds).toBe(true);
  return { ...opened, tree: `worktree-${opened.goalId}` };
}

describe('what ledger verify looks at beside the chain', () => {
  it('ROW-64 where the goal works, and where its worktree comes from: each is named', async () => {
    for (const [place, of] of [
      ['origin-1', 'origin'],
      ['origin-2', 'tree'],
    ] as const) {
      const { goalId, tree } = await working(place);
      const subject = of === 'origin' ? place : tree;
      await attack(`UPDATE workspace SET path = '/etc' WHERE name = '${subject}'`);
      expect(await verdictOf(goalId)).toMatchObject({
        ...{ holds: false, fault: 'edited', record: { kind: 'workspace', subject } },
        problem: expect.stringContaining('register its folder again'),
      });
    }
  });

  it('ROW-65 what a criterion told before the work: an edited row and one that nobody sealed', async () => {
    const { goalId } = await working('baselines');
    const ofGoal = `WHERE goal_id = '${goalId}' AND criterion_id = 'c2'`;
    await attack(`UPDATE criterion_baseline SET body = body || '{"spec": "cd"}' ${ofGoal}`);
    const record = { kind: 'baseline', subject: 'c2' };
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'edited', record });
    await attack(`INSERT INTO criterion_baseline (goal_id, criterion_id, body)
      VALUES ('${goalId}', 'c0', '{}')`);
    const forged = { kind: 'baseline', subject: 'c0' };
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'unsealed', record: forged });
    const plainly = createLedgerVerifier(stores.db, ledgerKeys([]));
    expect((await plainly.whole(goalId)).record).toBeUndefined();
  });
});
