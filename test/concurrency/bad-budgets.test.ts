import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRICES } from '../../bench/budget/plan.ts';
import { assistantMessages, reply, type Script } from '../../demo/script.ts';
import { worldCaller } from '../api/world-calls.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { turnsOf, waitUntil } from '../workflows/helpers.ts';

const script: Script = (request) =>
  reply.call('list_files', { glob: `${assistantMessages(request)}*` });

let world: GoalWorld;
let call: ReturnType<typeof worldCaller>;
let folder: string;
let path: string;
let goalId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-prices-'));
  const file = join(folder, 'prices.json');
  await writeFile(file, JSON.stringify({ models: { 'compatible/scripted': PRICES } }));
  world = await openGoalWorld({ script, environment: { GOALKEEPER_PRICES: file } });
  call = worldCaller(world);
  path = await world.workspace({});
  const budget = { turns: 1 };
  ({ goalId } = await world.start({
    objective: 'Look',
    workspace: { path },
    criteria: [],
    budget,
  }));
  await send('POST', '/pause');
  await waitUntil(async () => (await turnsOf(world, goalId))[0]?.decision);
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const send = (method: string, rest: string, body: object = {}) =>
  call(`${method} /v1/goals/${goalId}${rest}`, { body });
const start = (budget: object) =>
  call('POST /v1/goals', {
    body: { objective: 'Look', workspace: { path }, criteria: [], budget },
  });

const badCounts = [0, -1, 1.5, 1e300, 2_000_000_000, '5', 'NaN', true, [], {}];
const badMoney = [
  '0',
  '0.000',
  '-1',
  '+1',
  '1e3',
  'NaN',
  '',
  '1.',
  '.5',
  ' 1',
  '1,5',
  1,
  0.5,
  true,
];
const badTimes = ['tomorrow', '', '2030-13-01T00:00:00Z', '2030-01-01T00:00:00', 0, 1e300];
const bad: [string, unknown][] = [
  ...(['tokens', 'turns', 'activeSeconds'] as const).flatMap((name) =>
    badCounts.map((value): [string, unknown] => [name, value]),
  ),
  ...[...badMoney, '1.0000000000001', '9999999999'].map((v): [string, unknown] => ['costUsd', v]),
  ...badTimes.map((value): [string, unknown] => ['deadline', value]),
  ['euros', 5],
  ['Tokens', 5000],
];

describe('a budget field that is not right', () => {
  test.each(bad)('%s: %j is refused by name, at start and afterwards', async (name, value) => {
    const { revision } = await world.get(goalId);
    for (const { body } of [
      await start({ [name]: value }),
      await send('PATCH', '', { budget: { [name]: value } }),
    ]) {
      expect(body).toMatchObject({ status: 400, code: 'invalid_request', field: `budget.${name}` });
      expect(body.detail).toMatch(/\S/);
    }
    expect((await world.get(goalId)).revision).toBe(revision);
  });

  test.each(['{"budget": {"tokens": NaN}}', '{"budget": {"tokens": Infinity}}'])(
    '%s is no JSON',
    async (raw) => {
      const { body } = await call(`PATCH /v1/goals/${goalId}`, { raw });
      expect(body).toMatchObject({ status: 400, code: 'malformed_json' });
    },
  );
});

describe('a budget that cannot pay for one call', () => {
  test.each([
    ['tokens', { tokens: 1 }],
    ['costUsd', { costUsd: '0.000001' }],
    ['costUsd', { costUsd: '0.000001', tokens: 1_000_000 }],
    ['tokens', { costUsd: '100', tokens: 10 }],
  ])('M7 names the smallest %s that can, for %j, and that one does', async (name, budget) => {
    const { body: problem } = await start(budget);
    expect(problem).toMatchObject({ code: 'budget_too_small', field: `budget.${name}` });
    expect(problem.detail).toContain(String(problem.smallest));
    const { body: goal } = await start({ ...budget, [name]: problem.smallest });
    const ended = await world.until(
      goal.goalId,
      ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
    );
    expect((await turnsOf(world, goal.goalId)).map(({ kind }) => kind)).toEqual([
      'start',
      'wrap_up',
    ]);
    const steps = await world.database`
      SELECT 1 FROM step JOIN turn USING (goal_id, turn)
      WHERE goal_id = ${goal.goalId} AND turn.kind = 'start' AND step.state = 'committed'`;
    expect(steps.count).toBeGreaterThanOrEqual(1);
    // The reason names the limit, what was used and what was allowed.
    expect(ended.activity.reason).toMatch(new RegExp(`^${name}: used \\d`));
    expect(ended.activity.reason).toMatch(new RegExp(` of ${problem.smallest}$`));
  });
});

describe('a limit that keeps a goal from being paid', () => {
  test('M9 M15 is not lifted by an edit of something else: no second wrap-up', async () => {
    const { body: problem } = await start({ tokens: 1 });
    const { body: goal } = await start({ tokens: problem.smallest });
    const isLimited = () =>
      world.until(
        goal.goalId,
        ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
      );
    await isLimited();
    const line = `PATCH /v1/goals/${goal.goalId}`;
    for (const body of [
      { objective: 'Look again' },
      { budget: { turns: 50 } },
      { budget: { tokens: problem.smallest } },
      { policy: { completion: 'supported' } },
    ]) {
      expect((await call(line, { body })).body).toMatchObject({ status: 'budget_limited' });
    }
    expect(await turnsOf(world, goal.goalId)).toHaveLength(2);
    const raised = await call(line, { body: { budget: { tokens: problem.smallest + 20_000 } } });
    expect(raised.body.status).toBe('active');
    await isLimited();
    const kinds = (await turnsOf(world, goal.goalId)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'wrap_up')).toHaveLength(2);
  });
});

test.each(['model', 'fallbackModel'] as const)(
  'M18 a %s without prices and a cost limit, set at the same moment, never both hold',
  async (name) => {
    const { body: goal } = await start({});
    await send('POST', '/pause');
    const line = `PATCH /v1/goals/${goal.goalId}`;
    const [model, cost] = await Promise.all([
      call(line, { body: { [name]: 'compatible/unpriced' } }),
      call(line, { body: { budget: { costUsd: '5.00' } } }),
    ]);
    expect([model.status, cost.status]).toContain(200);
    const { body: after } = await call(`GET /v1/goals/${goal.goalId}`);
    expect(after[name] === 'compatible/unpriced' && after.budget.costUsd !== null).toBe(false);
    const lost = [model, cost].find(({ status }) => status !== 200);
    expect(['goal_conflict', 'invalid_request']).toContain(lost?.body.code);
    await call(`POST /v1/goals/${goal.goalId}/clear`);
  },
);
