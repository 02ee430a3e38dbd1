import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { identities, neverAsked } from './identities.ts';

let world: GoalWorld;
let as: ReturnType<typeof identities>['as'];
beforeAll(async () => {
  world = await openGoalWorld({ script: neverAsked, worker: false });
  ({ as } = identities(world));
});
afterAll(() => world.close());

test('ROW-131 the API reads goals and their record by the user that only reads', async () => {
  const { body: goal } = await as(TOKENS.admin)('POST /v1/goals', {
    ...{ objective: 'go', workspace: { path: await world.workspace({}) } },
    criteria: [{ kind: 'command', command: 'true' }],
  });
  const goalId = `/v1/goals/${goal.goalId}`;
  const reads = ['', '/turns', '/ledger', '/ledger/verify', '/todos', '/usage', '/checkpoints']
    .map((part) => goalId + part)
    .concat(['/v1/goals', '/v1/inbox', '/v1/approvals', '/v1/schedules', '/v1/costs']);
  const statuses = async () => {
    const answers = await Promise.all(reads.map((path) => as(TOKENS.admin)(`GET ${path}`)));
    return Object.fromEntries(answers.map(({ status }, index) => [reads[index], status]));
  };
  const all = (status: number) => Object.fromEntries(reads.map((path) => [path, status]));
  expect(await statuses()).toEqual(all(200));
  const reader = new URL(world.environment.READER_DATABASE_URL ?? '').username;
  await world.database.unsafe(`REVOKE SELECT ON ALL TABLES IN SCHEMA public FROM ${reader}`);
  const without = await statuses();
  await world.database.unsafe(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${reader}`);
  expect(without).toEqual(all(500));
  expect(await statuses()).toEqual(all(200));
});
