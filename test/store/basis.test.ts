import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BasisPort, CriterionBaseline } from '../../src/contract/basis.ts';
import { Superseded } from '../../src/contract/failures.ts';
import { reportOfNames } from '../../src/proof/test-report.ts';
import { createBasisStore } from '../../src/store/record/basis.ts';
import { type OpenRecord, openRecord } from './record-fixture.ts';

let stores: OpenRecord;
let basis: BasisPort;
beforeAll(async () => {
  stores = await openRecord();
  basis = createBasisStore(stores.store);
});
afterAll(() => stores.close());

const baseline: CriterionBaseline = {
  criterionId: 'c1',
  spec: 'ab',
  entries: { 'test/a.test.js': 'a1', '.npmrc': 'b2' },
  installed: [],
  report: reportOfNames('node:test', { passed: ['a > x'], failed: [], skipped: [] }),
  exitCode: 1,
  tree: null,
};

const change = {
  name: '.npmrc',
  kind: 'configuration' as const,
  criterionIds: ['c1'],
  before: null,
  now: 'ff',
  diff: '+script-shell=/bin/true',
};

describe('what checks rest on, in the record', () => {
  it('keeps baselines by criterion and texts as they were, also those that are no JSON', async () => {
    const { goalId, fence } = await stores.openTurn();
    const texts = new Map([
      ['a1', 'nul \u0000 and \ud800 half\n'.replace('\ud800', '\ufffd')],
      ['b2', 'x'],
    ]);
    await basis.keepBaselines(fence, [baseline], texts);
    await basis.keepBaselines(fence, [{ ...baseline, exitCode: 2 }], texts);
    expect(await basis.baselines(goalId)).toEqual([{ ...baseline, exitCode: 2 }]);
    expect(await basis.texts(goalId, ['a1', 'unknown'])).toEqual(new Map([...texts].slice(0, 1)));
    expect(await basis.texts(goalId, [])).toEqual(new Map());
  });

  it('shows the changes of the last gate only beside that gate', async () => {
    const { goalId, fence } = await stores.openTurn();
    await basis.keepChanges(fence, 1, []);
    await basis.keepChanges(fence, 1, [change]);
    const [row] = await stores.db`SELECT changes FROM basis_change WHERE goal_id = ${goalId}`;
    expect(row?.changes).toEqual([change]);
    expect(await stores.reader.lastGate(goalId)).toBeNull();
  });

  it('takes nothing from an attempt that was replaced', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    await stores.takeOver(execution);
    await expect(basis.keepChanges(fence, 1, [change])).rejects.toThrow(Superseded);
    await expect(basis.keepBaselines(fence, [baseline], new Map())).rejects.toThrow(Superseded);
    expect(await basis.baselines(goalId)).toEqual([]);
  });

  it('knows whose kept trees nobody needs', async () => {
    const { goalId } = await stores.openTurn();
    const done = await stores.openTurn();
    await stores.db`UPDATE goal SET status = 'complete' WHERE goal_id = ${done.goalId}`;
    const finished = await basis.finishedGoals([goalId, done.goalId, 'never-heard-of']);
    expect(finished.sort()).toEqual([done.goalId, 'never-heard-of'].sort());
    expect(await basis.finishedGoals([])).toEqual([]);
  });
});
