import fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallestSet } from '../../src/proof/smallest-set.ts';

const items = fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 24 });

test('exactly the items that are needed together are found, given the runs', async () => {
  await fc.assert(
    fc.asyncProperty(items, fc.nat(), async (all, seed) => {
      const needed = all.filter((_, index) => (seed >> (index % 20)) % 2 === 1);
      const isEnough = async (some: readonly number[]) => needed.every((one) => some.includes(one));
      const found = await smallestSet(all, isEnough, 10_000);
      // Nothing needed: any single item is as good as another.
      if (needed.length === 0) expect(found).toHaveLength(1);
      else expect([...found].sort()).toEqual([...needed].sort());
    }),
  );
});

test('the runs are bounded, and what is found is always enough', async () => {
  await fc.assert(
    fc.asyncProperty(items, fc.nat(), fc.nat(12), async (all, seed, most) => {
      const needed = all.filter((_, index) => (seed >> (index % 20)) % 2 === 1);
      let runs = 0;
      const isEnough = async (some: readonly number[]) => {
        runs += 1;
        return needed.every((one) => some.includes(one));
      };
      const found = await smallestSet(all, isEnough, most);
      expect(runs).toBeLessThanOrEqual(most);
      expect(needed.every((one) => found.includes(one))).toBe(true);
    }),
  );
});

test('one of twelve files is found in eight runs', async () => {
  const files = Array.from({ length: 12 }, (_, index) => index);
  for (const one of files) {
    const found = await smallestSet(files, async (some) => some.includes(one), 8);
    expect(found.length).toBeLessThanOrEqual(2);
    expect(found).toContain(one);
  }
});
