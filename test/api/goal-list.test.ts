import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyGoal } from '../../bench/copied-goals.ts';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { GoalCounts } from '../../schema/goal-counts.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const COPIES = 40;

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script: sequence([reply.text('?')]), worker: false });
  const path = await world.workspace({});
  const { goalId } = await world.start({ objective: 'The first one', workspace: { path } });
  await copyGoal(world.database, goalId, COPIES);
});
afterAll(() => world.close());

type Page = { items: Goal[]; nextCursor: string | null };

async function allPages(query: string, limit = 7): Promise<Goal[]> {
  const found: Goal[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page: Page = await world.client.get<Page>(`/v1/goals?${query}&limit=${limit}${after}`);
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

const isSorted = (values: readonly (string | number)[]): boolean =>
  values.every((value, index) => index === 0 || (values[index - 1] ?? value) <= value);

describe('the list of goals', () => {
  it.each([
    ['sort=updated', (goal: Goal) => -Date.parse(goal.updatedAt)],
    ['sort=oldest', (goal: Goal) => goal.createdAt],
    ['sort=waiting', (goal: Goal) => goal.activity.since],
    ['sort=cost', (goal: Goal) => -Number(goal.usage.costUsd)],
    ['sort=limit', (goal: Goal) => -goal.usage.turns],
  ] as readonly (readonly [string, (goal: Goal) => string | number])[])(
    '?%s comes in pages without gaps and in order',
    async (query, key) => {
      const goals = await allPages(query);
      expect(new Set(goals.map(({ goalId }) => goalId)).size).toBe(COPIES + 1);
      expect(goals).toHaveLength(COPIES + 1);
      expect(isSorted(goals.map(key))).toBe(true);
    },
  );

  it('is grouped by who acts next, complete goals last whoever acted', async () => {
    const goals = await allPages('group=actor&sort=updated');
    const ranks = { You: 0, Agent: 1, Clock: 2, Provider: 2, Worker: 2, Team: 3 } as const;
    const groups = goals.map(({ status, activity }) =>
      status === 'complete' ? 4 : ranks[activity.actor],
    );
    expect(isSorted(groups)).toBe(true);
    const counts = await world.client.get<GoalCounts>('/v1/goals/counts');
    const count = (group: number) => groups.filter((one) => one === group).length;
    expect(counts.groups).toEqual({
      you: count(0),
      agent: count(1),
      waiting: count(2),
      team: count(3),
      complete: count(4),
    });
    expect(counts.total).toBe(COPIES + 1);
  });

  it('is filtered by actor without what is complete, and searched by workspace too', async () => {
    const mine = await allPages('actor=You');
    expect(mine.length).toBeGreaterThan(0);
    for (const { status, activity } of mine) {
      expect([activity.actor, status === 'complete']).toEqual(['You', false]);
    }
    const [first] = await allPages('q=module 39');
    expect(first?.goalId).toBe('g-copy-39');
    expect(await allPages(`q=${first?.workspace.name}`)).toHaveLength(COPIES + 1);
  });
});
