import { expect, it } from 'vitest';
import type { Goal } from '../../../schema/goal.ts';
import { createChainWatch } from '../../../src/api/operations/chain-watch.ts';

it('ledgers of goals that moved are looked at again, half a minute apart, and a broken one is named', async () => {
  let now = 0;
  let updatedAt = 'first';
  const looked: string[] = [];
  const watch = createChainWatch(
    {
      goals: async () => ({
        items: [
          { goalId: 'g-1', updatedAt: 'never' } as Goal,
          { goalId: 'g-2', updatedAt } as Goal,
        ],
        nextCursor: null,
      }),
    },
    {
      whole: () => Promise.reject(new Error('a click is for that')),
      quick: async (goalId) => {
        looked.push(goalId);
        const problem = goalId === 'g-2' && updatedAt === 'first' ? 'row 3 was edited' : undefined;
        const rest = { rows: 3, sealedFrom: null };
        return problem === undefined
          ? { holds: true, ...rest }
          : { holds: false, ...rest, problem };
      },
    },
    () => now,
  );
  const broken = [{ goalId: 'g-2', problem: 'row 3 was edited' }];
  expect(await watch.look()).toEqual({ checked: 2, broken });
  updatedAt = 'second';
  now += 29_000;
  expect((await watch.look()).broken).toEqual(broken);
  now += 1000;
  expect((await watch.look()).broken).toEqual([]);
  expect(looked).toEqual(['g-1', 'g-2', 'g-2']);
});

it('what cannot be looked at says nothing and is tried again', async () => {
  let now = 0;
  const away = { goals: () => Promise.reject(new Error('Postgres is away')) };
  const none = { whole: away.goals, quick: away.goals };
  const watch = createChainWatch(away, none, () => now);
  expect(await watch.look()).toEqual({ checked: 0, broken: [] });
  now += 30_000;
  expect(await watch.look()).toEqual({ checked: 0, broken: [] });
});
