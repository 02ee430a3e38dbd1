import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feelChanges, whyTooLittleFelt } from '../../src/proof/felt-changes.ts';

/** Checks that fail without any of these. */
const needing = (needed: readonly string[]) => {
  const asked: (readonly string[])[] = [];
  const isGreenWithout = async (some: readonly string[]) => {
    asked.push(some);
    return !some.some((name) => needed.includes(name));
  };
  return { asked, isGreenWithout };
};

test('few changes are taken back one by one', async () => {
  const { asked, isGreenWithout } = needing(['a', 'c']);
  const found = await feelChanges(['a', 'b', 'c'], 8, isGreenWithout);
  expect(found).toEqual({ felt: ['a', 'c'], unfelt: ['b'], untried: [] });
  expect(asked).toHaveLength(3);
});

test('many changes are taken back in groups, and what no run is left for is not tried', async () => {
  const names = Array.from({ length: 16 }, (_, index) => `f${index}`);
  const { asked, isGreenWithout } = needing(['f0']);
  const found = await feelChanges(names, 8, isGreenWithout);
  expect(found.felt).toEqual(['f0']);
  expect(found.unfelt).toHaveLength(15);
  const all = await feelChanges(names, 8, needing(names).isGreenWithout);
  expect(all.untried.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(8);
});

test('every change is told once, within the runs', async () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(names, fc.integer({ min: 1, max: 8 }), async (all, most) => {
      const needed = all.filter((_, index) => index % 3 === 0);
      const { asked, isGreenWithout } = needing(needed);
      const { felt, unfelt, untried } = await feelChanges(all, most, isGreenWithout);
      expect([...felt, ...unfelt, ...untried].sort()).toEqual([...all].sort());
      expect(felt.every((name) => needed.includes(name))).toBe(true);
      expect(unfelt.some((name) => needed.includes(name))).toBe(false);
      expect(asked.length).toBeLessThanOrEqual(most);
    }),
  );
});

test('a policy may ask for a share of them', () => {
  const found = { felt: ['a', 'b', 'c'], unfelt: ['d'], untried: [] };
  expect(whyTooLittleFelt(found, 0.75)).toBeNull();
  expect(whyTooLittleFelt(found, 0.8)).toMatch(/feel 3 of 4 changed files, and 80 % .*without d$/);
  expect(whyTooLittleFelt({ felt: [], unfelt: [], untried: ['a'] }, 0.1)).toMatch(/0 of 1/);
  expect(whyTooLittleFelt({ felt: [], unfelt: [], untried: [] }, 1)).toBeNull();
});
