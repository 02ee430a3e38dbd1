import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFirstCallEstimate } from '../../src/api/first-call.ts';
import { loadConfig } from '../../src/config.ts';
import { createModels } from '../../src/model/providers.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { newGoal } from '../db/record-fixture.ts';
import { builtInTools } from '../support/built-in-tools.ts';

const estimate = createFirstCallEstimate(
  createModels(loadConfig({}).models),
  createRegistry(builtInTools),
);

const hex = fc.string({
  unit: fc.constantFrom(...'0123456789abcdef'),
  minLength: 16,
  maxLength: 16,
});

test('M7 the same goal costs the same, whatever id it gets', () => {
  const goal = newGoal();
  const first = estimate(goal);
  fc.assert(
    fc.property(hex, (id) => {
      expect(estimate({ ...goal, goalId: `g-${id}` })).toBe(first);
    }),
    { numRuns: 50 },
  );
});
