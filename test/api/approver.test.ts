import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { identities } from './identities.ts';
import { liveScript } from './live-script.ts';

type Call = ReturnType<ReturnType<typeof identities>['as']>;

let world: GoalWorld;
let ann: Call;
let ben: Call;
let annAgain: Call;
beforeAll(async () => {
  const environment = { GOALKEEPER_APPROVERS: 'others' };
  world = await openGoalWorld({ script: liveScript, environment });
  const { as, make } = identities(world);
  const annsToken = (await make({ name: 'ann', role: 'operator' })).token;
  ann = as(annsToken);
  ben = as((await make({ name: 'ben', role: 'operator' })).token);
  const made = await ann('POST /v1/tokens', { name: 'ann-again', role: 'operator' });
  annAgain = as(made.body.token);
});
afterAll(() => world.close());

async function waitsForApproval(): Promise<string> {
  const { body } = await ann('POST /v1/goals', {
    objective: 'writes: go',
    scope: { change: ['answer.txt'] },
    criteria: [{ kind: 'approval', question: 'Is it good?' }],
    workspace: { path: await world.workspace({}) },
  });
  const open = async () => {
    const { items } = (await ann(`GET /v1/approvals?goalId=${body.goalId}`)).body;
    if (items.length === 0) throw new Error('nothing waits');
    return `/v1/goals/${body.goalId}/approvals/${items[0].approvalId}`;
  };
  return eventually(open);
}

const own = { status: 403, code: 'approver_is_starter', startedBy: 'ann' };

describe('where others have to approve', () => {
  test('whoever started a goal grants it nothing, by no token of theirs; others do (WHO-16)', async () => {
    const path = await waitsForApproval();
    const goal = path.split('/approvals')[0];
    for (const call of [ann, annAgain]) {
      expect((await call(`POST ${path}`, { decision: 'approve' })).body).toMatchObject(own);
      const complete = await call(`POST ${goal}/complete`, { result: 'It is done.' });
      expect(complete.body).toMatchObject(own);
    }
    expect((await ben(`POST ${path}`, { decision: 'approve' })).status).toBe(200);
    await world.until(goal?.split('/').at(-1) ?? '', ({ status }) => status === 'complete');
  });

  test('whoever started it may deny (WHO-16)', async () => {
    const path = await waitsForApproval();
    expect((await ann(`POST ${path}`, { decision: 'deny' })).status).toBe(200);
  });
});
