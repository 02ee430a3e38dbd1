import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
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

describe('what the record cannot keep as it was given is refused, with its field', () => {
  const NUL = 'a\0b';
  const HALF = 'a\ud800b';
  test.each([
    ['objective', { objective: NUL }],
    ['objective', { objective: HALF }],
    ['model', { model: `compatible/${NUL}` }],
    ['criteria.0.command', { criteria: [{ kind: 'command', command: HALF }] }],
    ['criteria.0.question', { criteria: [{ kind: 'approval', question: NUL }] }],
    ['criteria.0.scope.0', { criteria: [{ kind: 'command', command: 'x', scope: [NUL] }] }],
    ['policy.tools.0.path', { policy: { tools: [{ tool: '*', path: HALF, decision: 'deny' }] } }],
    ['policy.questionDefault', { policy: { questionDefault: NUL } }],
    ['workspace.path', { workspace: { path: NUL } }],
    [
      'notify.0.url',
      { notify: [{ url: `https://example.com/${NUL}`, secretEnv: 'GOALKEEPER_NOTIFY_A' }] },
    ],
  ])('%s', async (field, change) => {
    const body = { objective: 'writes: go', workspace: { path }, ...change };
    for (const route of ['POST /v1/goals', 'POST /v1/goals/estimate']) {
      const answer = await call(route, { body });
      expect([answer.status, answer.body.code, answer.body.field]).toEqual([
        400,
        'invalid_request',
        field,
      ]);
    }
    await expectNothingStarted();
  });

  test.each([
    ['budget.__proto__', '{"budget": {"__proto__": {"turns": 1}}}', 'malformed_json'],
    ['__proto__', '{"\\u005f_proto__": 1}', 'malformed_json'],
    ['constructor', '{"objective": "x", "constructor": {"prototype": {}}}', 'invalid_request'],
    ['toString', '{"objective": "x", "toString": 1}', 'invalid_request'],
  ])('%s, which objects have of themselves', async (field, raw, code) => {
    const { status, body } = await call('POST /v1/goals', { raw });
    expect([status, body.code, body.field]).toEqual([400, code, field]);
  });

  test.each([
    ['bytes that are no UTF-8', Buffer.from('7b226f626a656374697665223a22ff227d', 'hex'), {}],
    ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }],
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }],
    ['deep nesting', `${'['.repeat(100_000)}`, {}],
  ])('%s', async (_what, raw, headers) => {
    const answer = await call('POST /v1/goals', { raw: raw as string, headers });
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
  });

  test('so many wrong fields are not all told', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
    const { status, body } = await call('POST /v1/goals', { body: { objective: 'x', ...wrong } });
    expect([status, body.field, body.issues.length]).toEqual([400, 'k0', 20]);
    expect(body.detail).toMatch(/k19: unknown field; and 19980 more$/);
  });

  test('a command that nests without end is refused as one that proves nothing', async () => {
    const command = `${'('.repeat(450)}npm test${')'.repeat(450)}`;
    const criteria = [{ kind: 'command', command }];
    const { status, body } = await call('POST /v1/goals', { body: { objective: 'x', criteria } });
    expect([status, body.field]).toEqual([400, 'criteria.0.command']);
  });
});

/** From a process of its own: in the server's it never sends while the server answers. */
const SENDER = `
  const [url, token] = process.argv.slice(1);
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  const body = JSON.stringify({ objective: 'x'.repeat(20_000_000) });
  for (let n = 0; n < 12; n += 1) {
    const sent = fetch(url + '/v1/goals', { method: 'POST', headers, body });
    console.log(await sent.then((answer) => answer.status, (error) => error.cause?.code));
  }`;

test('a body that is far too large is taken in, so that its caller reads the answer', async () => {
  const args = ['--input-type=module', '-e', SENDER, world.url, TOKENS.operator];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(['413']));
});

describe('a folder that no goal may work in', () => {
  test.each(['/proc', '/proc/self', '/sys'])('%s, which is the system’s', async (folder) => {
    const body = { objective: 'writes: go', workspace: { path: folder } };
    const answer = await call('POST /v1/goals', { body });
    expect(answer.body).toMatchObject({ status: 400, code: 'unknown_workspace' });
    expect(answer.body.detail).toContain('a folder of the system');
    await expectNothingStarted();
  });

  test("the service's own home, and what lies in it", async () => {
    const home = String(world.environment.GOALKEEPER_HOME);
    await mkdir(join(home, 'policies'), { recursive: true });
    for (const folder of [home, join(home, 'policies'), `${home}/../home`]) {
      const body = { objective: 'writes: go', workspace: { path: folder } };
      const { status, body: said } = await call('POST /v1/goals', { body });
      expect([status, said.code, said.field]).toEqual([400, 'unknown_workspace', 'workspace.path']);
    }
    await expectNothingStarted();
  });
});

describe('a thread has one kind of name, whichever way it is given', () => {
  test.each(['a b', 'ä', 'a/b', '.', '..', 'a\nb'])('%j', async (threadId) => {
    const goal = { objective: 'writes: go', workspace: { path } };
    const posted = await call('POST /v1/goals', { body: { ...goal, threadId } });
    expect([posted.status, posted.body.field]).toEqual([400, 'threadId']);
    const url = `/v1/threads/${encodeURIComponent(threadId).replace(/^\.+$/, 'a%20b')}/goal`;
    const put = await call(`PUT ${url}`, { body: goal });
    expect([put.status, put.body.field]).toEqual([400, 'threadId']);
    await expectNothingStarted();
  });
});

test('a start that is refused registers no workspace', async () => {
  const names = async () => (await world.database`SELECT name FROM workspace`).length;
  const goal = { objective: 'Stay', criteria: [], threadId: 'one-slot' };
  const first = await call('POST /v1/goals', { body: { ...goal, workspace: { path } } });
  const before = await names();
  const changes = [
    {},
    { expectedGoalId: null },
    { expectedRevision: 99, expectedGoalId: first.body.goalId },
    { replace: true, expectedGoalId: 'g-other' },
    { threadId: 'another', workspace: { path: await world.workspace({}), mode: 'worktree' } },
  ];
  for (const change of changes) {
    const body = { ...goal, workspace: { path: await world.workspace({}) }, ...change };
    const { status } = await call('POST /v1/goals', { body });
    expect([status, await names()]).toEqual([status === 400 ? 400 : 409, before]);
  }
  const folders = await Promise.all([1, 2, 3].map(() => world.workspace({})));
  const race = await Promise.all(
    folders.map((folder) => {
      const body = { ...goal, threadId: 'race', workspace: { path: folder } };
      return call('POST /v1/goals', { body });
    }),
  );
  expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(await names()).toBe(before + 1);
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
