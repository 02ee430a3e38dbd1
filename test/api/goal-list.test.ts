import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyGoal } from '../../bench/copied-goals.ts';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { GoalCounts } from '../../schema/goal-counts.ts';
import { goalTable, goalText } from '../../src/cli/goal-text.ts';
import { unlinked } from '../../src/cli/screen/goal-link.ts';
import { createReconcileStore } from '../../src/store/record/reconcile.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { problemOf } from '../workflows/helpers.ts';

const COPIES = 40;

let world: GoalWorld;
beforeAll(async () => {
  // Copied goals are called complete by nobody's seal.
  const script = sequence([reply.text('?')]);
  world = await openGoalWorld({ script, worker: false, isUnsealed: true });
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

  it('CON-76 is narrowed by model, by why goals are paused, and by when they began; what nobody knows is refused', async () => {
    const [first] = await allPages('sort=oldest');
    const { model = '', createdAt = '' } = first ?? {};
    expect(await allPages(`model=${model}`)).toHaveLength(COPIES + 1);
    expect(await allPages('model=nobody/knows')).toEqual([]);
    const pause = { reason: 'question', message: 'Which one?', missing: [], since: createdAt };
    const [before] = await world.database`
      SELECT status, pause FROM goal WHERE goal_id = 'g-copy-3'`;
    const put = (status: string, value: object | null) => world.database`
      UPDATE goal SET status = ${status}, pause = ${value === null ? null : world.database.json(value as never)}
      WHERE goal_id = 'g-copy-3'`;
    await put('paused', pause);
    expect((await allPages('reason=question')).map(({ goalId }) => goalId)).toEqual(['g-copy-3']);
    expect(await allPages('reason=blocked,disputed')).toEqual([]);
    await put(before?.status, before?.pause);
    const later = new Date(Date.parse(createdAt) + 1).toISOString();
    const since = await allPages(`since=${later}`);
    expect(since.every((goal) => goal.createdAt >= later)).toBe(true);
    expect(since.length).toBeLessThan(COPIES + 1);
    for (const early of ['0740-09-04T19:50:23.0%2B19:55', '0000-01-01T00:00:00Z'])
      expect(await allPages(`since=${early}`)).toHaveLength(COPIES + 1);
    expect(await allPages('since=9999-12-31T23:59:59-23:59')).toEqual([]);
    for (const bad of ['since=yesterday', 'reason=boredom'])
      expect(await problemOf(allPages(bad))).toMatchObject({ status: 400 });
  });

  it('says of a goal without a worker that it waits for one: list, goal, counts and command line alike', async () => {
    const { database, client } = world;
    const store = createReconcileStore(world.store, { ledgerKeys: world.ledgerKeys });
    const [running] = await database<{ goal_id: string; host: string }[]>`
      SELECT g.goal_id, w.host FROM goal g JOIN workspace w ON w.name = g.workspace_name
      WHERE g.goal_id NOT LIKE 'g-copy-%'`;
    const { goal_id: goalId = '', host = '' } = running ?? {};
    const everywhere = async () => {
      const goal = await client.get<Goal>(`/v1/goals/${goalId}`);
      const { activity } = goal;
      const listed = (await allPages(`actor=${activity.actor}`)).find(
        (one) => one.goalId === goalId,
      );
      expect(listed?.activity).toEqual(activity);
      const { groups } = await client.get<GoalCounts>('/v1/goals/counts');
      expect(goalTable([goal], unlinked)).toContain(` ${activity.actor} `);
      expect(goalText(goal)).toContain(`(${activity.actor})`);
      return { activity, agents: groups.agent };
    };
    const nobody = { state: 'waiting', on: 'worker', actor: 'Worker' };
    const stranded = await everywhere();
    expect(stranded.activity).toMatchObject(nobody);
    const active = await allPages('status=active');
    expect(new Set(active.map(({ activity }) => activity.actor))).toEqual(new Set(['Worker']));
    expect(isSorted((await allPages('sort=waiting')).map(({ activity }) => activity.since))).toBe(
      true,
    );

    const worker = { workerId: 'w-1', host, pid: 1, taskQueues: [], version: '1' };
    await store.workerSeen({ ...worker, isolation: 'none' });
    const served = await everywhere();
    expect(served.activity).toMatchObject({ state: 'running', actor: 'Agent' });
    expect(served.agents).toBeGreaterThan(stranded.agents);
    // The clock of the database, which also writes the signs of life, says how old they are.
    await database`UPDATE worker SET seen_at = now() - interval '16 seconds'`;
    const lost = await everywhere();
    expect(lost).toMatchObject({ activity: nobody, agents: stranded.agents });
    expect(Date.now() - Date.parse(lost.activity.since)).toBeLessThan(600_000);

    // A time that has passed unseen is no clock's turn any more.
    const until = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const timer = { state: 'waiting', on: 'timer', reason: 'builds', actor: 'Clock' };
    const waitUntil = (at: string) => database`
      UPDATE goal SET activity = ${database.json({ ...timer, since: at, until: at })}
      WHERE goal_id = ${goalId}`;
    await waitUntil(until(600));
    expect((await everywhere()).activity.actor).toBe('Clock');
    await waitUntil(until(-1));
    expect((await everywhere()).activity.actor).toBe('Worker');
  });
});
