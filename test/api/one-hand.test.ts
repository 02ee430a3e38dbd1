import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { identities, neverAsked } from './identities.ts';

let world: GoalWorld;
let as: ReturnType<typeof identities>['as'];
let make: ReturnType<typeof identities>['make'];
beforeAll(async () => {
  const environment = { GOALKEEPER_APPROVERS: 'others' };
  world = await openGoalWorld({ script: neverAsked, worker: false, environment });
  ({ as, make } = identities(world));
});
afterAll(() => world.close());

/** ann makes tokens b and c; `starter` starts a goal that `approver` then would approve. */
async function codeOf(starter: string, approver: string): Promise<string> {
  const { body } = await as(starter)('POST /v1/goals', {
    ...{ objective: 'go', criteria: [{ kind: 'approval', question: 'Is it good?' }] },
    workspace: { path: await world.workspace({}) },
  });
  const approvalId = `a-${body.goalId}`;
  await world.database`
    INSERT INTO approval (approval_id, goal_id, kind, turn, data, state)
    VALUES (${approvalId}, ${body.goalId}, 'completion', 1, '{}', 'open')`;
  const answer = await Promise.race([
    as(approver)(`POST /v1/goals/${body.goalId}/approvals/${approvalId}`, { decision: 'approve' }),
    // Past the judge, it waits for a worker that is not there.
    new Promise<null>((resolve) => setTimeout(resolve, 4000, null)),
  ]);
  return answer === null ? 'let through' : String(answer.body.code ?? answer.status);
}

const tokens = async (prefix: string) => {
  const ann = (await make({ name: `${prefix}-ann`, role: 'operator' })).token;
  const own = async (name: string) =>
    (await as(ann)('POST /v1/tokens', { name: `${prefix}-${name}`, role: 'operator' })).body.token;
  return { ann, b: (await own('b')) as string, c: (await own('c')) as string };
};

test('who starts by a token that they made does not approve by their own (WHO-27)', async () => {
  const { ann, b } = await tokens('one');
  expect(await codeOf(b, ann)).toBe('approver_is_starter');
});

test('who starts by one token that they made does not approve by another (WHO-27)', async () => {
  const { b, c } = await tokens('two');
  expect(await codeOf(b, c)).toBe('approver_is_starter');
});

test('a token that the starter made approves nothing of theirs (WHO-27)', async () => {
  const { ann, b } = await tokens('three');
  expect(await codeOf(ann, b)).toBe('approver_is_starter');
});
