import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { liveScript } from './live-script.ts';
import { worldCaller } from './world-calls.ts';

const TOKEN = `ghp_${'Zx9Yw8Vu'.repeat(5)}`;

let world: GoalWorld;
let call: ReturnType<typeof worldCaller>;
let path: string;
beforeAll(async () => {
  world = await openGoalWorld({ script: liveScript, worker: false });
  call = worldCaller(world);
  path = await world.workspace({});
});
afterAll(() => world.close());

/** Nothing was accepted, reserved or handed to Temporal. */
const expectNothingStarted = async () => {
  expect((await call('GET /v1/goals?archived=true')).body.items).toEqual([]);
  const [kept] = await world.database<
    { rows: number }[]
  >`SELECT count(*)::int AS rows FROM request`;
  expect(kept?.rows).toBe(0);
};

describe('a start that is not right is refused, and nothing is started', () => {
  test.each([
    ['an unknown field', { colour: 'red' }, 400, 'invalid_request', 'colour'],
    ['a nested unknown field', { budget: { euros: 1 } }, 400, 'invalid_request', 'budget.euros'],
    ['an empty objective', { objective: '' }, 400, 'invalid_request', 'objective'],
    ['a blank objective', { objective: ' \n ' }, 400, 'invalid_request', 'objective'],
    [
      'M26 too long an objective',
      { objective: 'x'.repeat(4001) },
      400,
      'invalid_request',
      'objective',
    ],
    ['a negative budget', { budget: { turns: -1 } }, 400, 'invalid_request', 'budget.turns'],
    ['a budget of nothing', { budget: { tokens: 0 } }, 400, 'invalid_request', 'budget.tokens'],
    ['a negative cost', { budget: { costUsd: '-1' } }, 400, 'invalid_request', 'budget.costUsd'],
    ['half a turn', { budget: { turns: 1.5 } }, 400, 'invalid_request', 'budget.turns'],
    [
      'a budget for less than a call',
      { budget: { tokens: 500 } },
      400,
      'budget_too_small',
      'budget.tokens',
    ],
    [
      'a deadline in the past',
      { budget: { deadline: '2020-01-01T00:00:00Z' } },
      400,
      'budget_too_small',
      'budget.deadline',
    ],
    [
      'M18 a cost limit without prices',
      { budget: { costUsd: '1.00' } },
      400,
      'invalid_request',
      'budget.costUsd',
    ],
    ['an unknown provider', { model: 'nobody/none' }, 400, 'unknown_model', 'model'],
    ['a model without its key', { model: 'openai/gpt-5.1' }, 400, 'model_key_missing', 'model'],
    [
      'a fallback without its key',
      { fallbackModel: 'anthropic/claude' },
      400,
      'model_key_missing',
      'fallbackModel',
    ],
    [
      'an unknown workspace',
      { workspace: { name: 'none' } },
      400,
      'unknown_workspace',
      'workspace.name',
    ],
    [
      'a folder that is not there',
      { workspace: { path: '/nonexistent/tree' } },
      400,
      'unknown_workspace',
      'workspace.path',
    ],
    [
      'a relative folder',
      { workspace: { path: 'tree' } },
      400,
      'invalid_request',
      'workspace.path',
    ],
    [
      'a masked check',
      { criteria: [{ kind: 'command', command: 'npm test || true' }] },
      400,
      'invalid_request',
      'criteria.0.command',
    ],
    [
      'a receipt that would hold a secret',
      { criteria: [{ kind: 'command', command: `curl -u a:${TOKEN} x`, check: 'receipt' }] },
      400,
      'invalid_request',
      'criteria.0.command',
    ],
    ['a replacement of nothing named', { replace: true }, 400, 'invalid_request', 'expectedGoalId'],
    [
      'a goal that is not there',
      { threadId: 't-1', expectedGoalId: 'g-0' },
      409,
      'goal_conflict',
      undefined,
    ],
  ])('%s', async (_what, change, status, code, field) => {
    const body = { objective: 'writes: go', workspace: { path }, ...change };
    const answer = await call('POST /v1/goals', { body, key: 'bad' });
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ status, code, ...(field === undefined ? {} : { field }) });
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toMatch(/\S/);
    await expectNothingStarted();
  });

  test('malformed JSON, a foreign content type and too large a body', async () => {
    const broken = await call('POST /v1/goals', { raw: '{"objective": ' });
    expect(broken.body).toMatchObject({ status: 400, code: 'malformed_json' });
    const form = await call('POST /v1/goals', {
      raw: 'objective=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.body).toMatchObject({ code: 'malformed_json' });
    const large = await call('POST /v1/goals', { body: { objective: 'x'.repeat(2_000_000) } });
    expect(large.body).toMatchObject({ status: 413, code: 'payload_too_large' });
    await expectNothingStarted();
  });

  test('a missing key names the variable, a small budget the smallest that would do', async () => {
    const start = (change: object) =>
      call('POST /v1/goals', { body: { objective: 'writes: go', workspace: { path }, ...change } });
    expect((await start({ model: 'anthropic/claude' })).body.detail).toContain('ANTHROPIC_API_KEY');
    const small = (await start({ budget: { tokens: 500 } })).body;
    expect(small.detail).toContain(String(small.smallest));
    expect((await start({ budget: { tokens: small.smallest - 1 } })).body.code).toBe(small.code);
    await expectNothingStarted();
  });
});

describe('a goal that is not there', () => {
  test.each([
    ['GET', ''],
    ['GET', '/turns'],
    ['GET', '/ledger'],
    ['GET', '/events'],
    ['POST', '/pause'],
    ['POST', '/approvals/a-1'],
  ])('%s …%s is a 404 problem', async (method, rest) => {
    const body = rest === '/approvals/a-1' ? { body: { decision: 'approve' } } : {};
    const answer = await call(`${method} /v1/goals/g-0000000000000000${rest}`, body);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ status: 404, code: 'not_found' });
  });
});

test('a body of null is no absent one, and no number is beyond what is stored', async () => {
  const goal = { objective: 'Stay', criteria: [], workspace: { path } };
  const { goalId } = (await call('POST /v1/goals', { body: goal })).body;
  const refused = await call(`POST /v1/goals/${goalId}/clear`, { body: null });
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
  const output = await call(`GET /v1/goals/${goalId}/ledger/9007199254740990/output`);
  expect([output.status, output.body.field]).toEqual([400, 'seq']);
  const seen = await call(`GET /v1/goals/${goalId}/events?after=9007199254740990`);
  expect([seen.status, seen.body.field]).toEqual([400, 'after']);
});
