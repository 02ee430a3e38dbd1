import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Superseded } from '../../src/contract/failures.ts';
import type { CriterionBaseline, ProofPort } from '../../src/contract/proofs.ts';
import { reportOfNames } from '../../src/proof/test-report.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createProofStore } from '../../src/store/record/proofs.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

let stores: OpenRecord;
let proofs: ProofPort;
beforeAll(async () => {
  stores = await openRecord();
  proofs = createProofStore(stores.store, noKeys);
});
afterAll(() => stores.close());

const baseline: CriterionBaseline = {
  criterionId: 'c1',
  spec: 'ab',
  report: reportOfNames('node:test', { passed: ['a > x'], failed: [], skipped: [] }),
};

const change = {
  name: '.npmrc',
  kind: 'beyond_scope' as const,
  criterionIds: ['c1'],
  before: null,
  now: 'ff',
  diff: '+script-shell=/bin/true',
};

describe('what proofs begin and end with, in the record', () => {
  it('keeps the newest baseline of each criterion', async () => {
    const { goalId, fence } = await stores.openTurn();
    await proofs.keepBaselines(fence, [baseline]);
    await proofs.keepBaselines(fence, [{ ...baseline, spec: 'cd' }]);
    expect(await proofs.baselines(goalId)).toEqual([{ ...baseline, spec: 'cd' }]);
  });

  it('shows the changes of the last gate only beside that gate', async () => {
    const { goalId, fence } = await stores.openTurn();
    await proofs.keepFinding(fence, 1, { changes: [], proof: null });
    await proofs.keepFinding(fence, 1, { changes: [change], proof: null });
    const [row] = await stores.db`SELECT changes FROM proof_finding WHERE goal_id = ${goalId}`;
    expect(row?.changes).toEqual([change]);
    expect(await stores.reader.lastGate(goalId)).toBeNull();
  });

  it('takes nothing from an attempt that was replaced', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    await stores.takeOver(execution);
    await expect(proofs.keepFinding(fence, 1, { changes: [change], proof: null })).rejects.toThrow(
      Superseded,
    );
    await expect(proofs.keepBaselines(fence, [baseline])).rejects.toThrow(Superseded);
    expect(await proofs.baselines(goalId)).toEqual([]);
  });

  it('knows whose originals nobody needs', async () => {
    const { goalId } = await stores.openTurn();
    const done = await stores.openTurn();
    await stores.db`UPDATE goal SET status = 'complete' WHERE goal_id = ${done.goalId}`;
    const finished = await proofs.finishedGoals([goalId, done.goalId, 'never-heard-of']);
    expect(finished.sort()).toEqual([done.goalId, 'never-heard-of'].sort());
    expect(await proofs.finishedGoals([])).toEqual([]);
  });
});
