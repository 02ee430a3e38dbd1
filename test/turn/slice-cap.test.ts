import { expect, test } from 'vitest';
import { resolvePolicy } from '../../src/goal/defaults.ts';
import { capped } from '../../src/turn/slice.ts';
import type { SliceRun } from '../../src/turn/slice-run.ts';

const run = (revision: number): SliceRun =>
  ({
    ports: { clock: () => 0 },
    brief: { revision, policy: resolvePolicy({}) },
    ...{ openedAt: 7, startedAt: 0, sleptMs: 0, step: 3, stepsInSlice: 3, kind: 'nudge' },
  }) as unknown as SliceRun;

test('a slice during which people changed the goal many times comes back, so that its run can end', () => {
  expect(capped(run(7 + 199))).toBeNull();
  expect(capped(run(7 + 200))).toEqual({ end: 'slice_cap' });
});
