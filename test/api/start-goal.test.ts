import { describe, expect, it } from 'vitest';
import { goalSchema } from '../../schema/goal.ts';
import { problemSchema } from '../../schema/problem.ts';
import { builtInRules } from '../../src/intake/service-rules.ts';
import { createApi } from './calls.ts';
import { settings, tokens } from './memory-ports.ts';

const workspace = { name: 'shop' };
const goal = { objective: 'Make the tests pass', workspace };

describe('POST /v1/goals', () => {
  it('fills in what the caller left open and starts the execution', async () => {
    const { call, memory } = createApi();
    const answer = await call('POST /v1/goals', {
      body: { ...goal, criteria: [{ kind: 'command', command: 'npm test' }] },
    });
    expect(answer.status).toBe(201);
    expect(() => goalSchema.parse(answer.body)).not.toThrow();
    expect(answer.body.goalId).toMatch(/^g-[0-9a-f]{16}$/);
    expect(answer.body.budget).toEqual({
      tokens: 5_000_000,
      costUsd: null,
      turns: 100,
      activeSeconds: 28_800,
      deadline: null,
    });
    expect(answer.body.policy.continuation).toMatchObject({
      continueAt: 60,
      warnAt: 40,
      stepsPerTurn: 200,
    });
    expect(answer.body.criteria).toMatchObject([
      { criterionId: 'c1', state: 'unmet', baseline: 'not_run', origin: 'caller' },
    ]);
    expect(answer.headers).toMatchObject({
      etag: '"1"',
      location: `/v1/goals/${answer.body.goalId}`,
    });
    expect(memory.ensured).toEqual([answer.body.goalId]);
  });

  it.each([
    ['an unknown field', { ...goal, urgency: 1 }, 'urgency'],
    ['an unknown nested field', { ...goal, budget: { tokns: 5 } }, 'budget.tokns'],
    [
      'an unknown field of a criterion',
      { ...goal, criteria: [{ kind: 'command', command: 'x', retries: 2 }] },
      'criteria.0.retries',
    ],
    [
      'an unknown field of a workspace',
      { ...goal, workspace: { name: 'shop', color: 1 } },
      'workspace.color',
    ],
    ['a criterion of no known kind', { ...goal, criteria: [{ kind: 'vibes' }] }, 'criteria.0.kind'],
    ['an empty objective', { ...goal, objective: '  ' }, 'objective'],
    [
      'an objective of more than 4,000 characters (M26)',
      { ...goal, objective: 'x'.repeat(4001) },
      'objective',
    ],
    ['a budget of zero turns', { ...goal, budget: { turns: 0 } }, 'budget.turns'],
    [
      'a budget without any limit',
      { ...goal, budget: { tokens: null, turns: null, activeSeconds: null } },
      'budget',
    ],
    ['replace without the id of what it replaces', { ...goal, replace: true }, 'expectedGoalId'],
    ['a relative path', { ...goal, workspace: { path: 'shop' } }, 'workspace.path'],
  ])('refuses %s and names the field', async (_what, body, field) => {
    const { call, memory } = createApi();
    const answer = await call('POST /v1/goals', { body });
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request', field });
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(() => problemSchema.parse(answer.body)).not.toThrow();
    expect(memory.started).toEqual([]);
  });

  it.each([
    [{ kind: 'command', command: 'x', cwd: '../other' }, 'criteria.0.cwd'],
    [{ kind: 'command', command: 'x', cwd: '/tmp' }, 'criteria.0.cwd'],
    [{ kind: 'command', command: 'x', setup: 'npm ci' }, 'criteria.0.setup'],
    [{ kind: 'command', command: 'x', scope: ['src'] }, 'criteria.0.scope'],
    [{ kind: 'command', command: 'x', check: 'receipt', scope: ['..'] }, 'criteria.0.scope.0'],
    [{ kind: 'command', command: 'x', check: 'receipt', scope: ['{a,b'] }, 'criteria.0.scope.0'],
    [{ kind: 'git', allowedPaths: ['src', 'a/[z-a]'] }, 'criteria.0.allowedPaths.1'],
    [{ kind: 'command', command: 'x', check: 'receipt', attempts: 2 }, 'criteria.0.attempts'],
    [{ kind: 'file', path: 'a/../../b', exists: true }, 'criteria.0.path'],
    [{ kind: 'file', path: '~/.ssh/config', exists: true }, 'criteria.0.path'],
    [{ kind: 'file', path: 'C:\\a', exists: true }, 'criteria.0.path'],
    [{ kind: 'file', path: 'a', matches: '(' }, 'criteria.0.matches'],
    [{ kind: 'file', path: 'a', exists: true, protect: true }, 'criteria.0'],
    [{ kind: 'git', branch: '--all' }, 'criteria.0.branch'],
    [{ kind: 'git', branch: 'a..b' }, 'criteria.0.branch'],
    [{ kind: 'git', allowedPaths: ['src/**', '../x'] }, 'criteria.0.allowedPaths.1'],
    [{ kind: 'diagnostics', paths: ['/etc'] }, 'criteria.0.paths.0'],
    // A glob where one path is meant would be a name that no file has: always absent, never changed.
    [{ kind: 'file', path: 'migrations/**', protect: true }, 'criteria.0.path'],
    [{ kind: 'file', path: '**/*.orig', exists: false }, 'criteria.0.path'],
    [{ kind: 'file', path: '{a,b}.ts', exists: true }, 'criteria.0.path'],
    [{ kind: 'diagnostics', paths: ['src/**'] }, 'criteria.0.paths.0'],
    [{ kind: 'command', command: 'x', cwd: 'packages/*' }, 'criteria.0.cwd'],
    [{ kind: 'git', allowedPaths: ['.'] }, 'criteria.0.allowedPaths.0'],
    [{ kind: 'git', allowedPaths: ['src/../a'] }, 'criteria.0.allowedPaths.0'],
    [{ kind: 'git', allowedPaths: ['{src,../x}/**'] }, 'criteria.0.allowedPaths.0'],
    [
      { kind: 'command', command: 'x', check: 'receipt', scope: ['{a,/etc}'] },
      'criteria.0.scope.0',
    ],
  ])('refuses what could not be checked: %o', async (criterion, field) => {
    const { call, memory } = createApi();
    const body = { ...goal, criteria: [criterion] };
    const answer = await call('POST /v1/goals', { body });
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request', field });
    expect(memory.started).toEqual([]);
  });

  it('refuses an approval that nobody could give', async () => {
    const lonely = { ...settings, tokens: [{ role: 'agent' as const, token: tokens.agent }] };
    const { call } = createApi({ settings: lonely });
    const body = { ...goal, criteria: [{ kind: 'approval', question: 'Is it good?' }] };
    const answer = await call('POST /v1/goals', { body, role: 'agent' });
    expect(answer.body).toMatchObject({ code: 'invalid_request', field: 'criteria.0.kind' });
  });

  it('accepts every kind that can be checked', async () => {
    const criteria = [
      { kind: 'command', command: 'x', check: 'clean', setup: 'npm ci', attempts: 3 },
      { kind: 'command', command: 'x', check: 'receipt', scope: ['src'], cwd: 'web' },
      { kind: 'file', path: 'a', exists: false },
      { kind: 'file', path: 'a', matches: '^a+$' },
      { kind: 'file', path: 'test', protect: true },
      { kind: 'file', path: 'app/(group)/[id]/page.tsx', exists: true },
      { kind: 'git', branch: 'feature/x', allowedPaths: ['src/**', '*.md'], clean: true },
      { kind: 'diagnostics', paths: ['src'] },
    ];
    const answer = await createApi().call('POST /v1/goals', { body: { ...goal, criteria } });
    expect(answer.status).toBe(201);
  });

  it.each([
    'npm test || true',
    'npm test || echo "failed"',
    'npm test; true',
    'npm test; exit 0',
    'npm test &',
    'set +o pipefail; npm test | tail -5',
    'npm test && (',
    '# npm test',
    'echo "All tests passed"',
    'set -n; npm test',
    "trap 'exit 0' EXIT; npm test",
    'cd ../other && npm test',
  ])('refuses a command that proves nothing: %s (R38)', async (command) => {
    const answer = await createApi().call('POST /v1/goals', {
      body: { ...goal, criteria: [{ kind: 'command', command }] },
    });
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'invalid_request',
      field: 'criteria.0.command',
    });
  });

  it.each([
    'npm test',
    'cd web && npm test | tail -5',
    'test "$(cat a)" = "b || true"',
    '! grep -q TODO src/a.ts',
    'make check || make check-again',
    'npm test # || true',
  ])('accepts a command whose exit code says something: %s', async (command) => {
    const answer = await createApi().call('POST /v1/goals', {
      body: { ...goal, criteria: [{ kind: 'command', command }] },
    });
    expect(answer.status).toBe(201);
  });

  it.each(['../other', '/etc', 'web/../..'])(
    'refuses a cwd that leaves the workspace: %s',
    async (cwd) => {
      const answer = await createApi().call('POST /v1/goals', {
        body: { ...goal, criteria: [{ kind: 'command', command: 'npm test', cwd }] },
      });
      expect(answer.body).toMatchObject({
        status: 400,
        code: 'invalid_request',
        field: 'criteria.0.cwd',
      });
    },
  );

  it('refuses a budget above the service maximum (M14)', async () => {
    const bounded = {
      ...settings,
      rules: () => ({
        ...builtInRules,
        budgetMaximum: { ...builtInRules.budgetMaximum, tokens: 6_000_000, costUsd: '10' },
      }),
    };
    const { call } = createApi({ settings: bounded });
    const tokens = await call('POST /v1/goals', {
      body: { ...goal, budget: { tokens: 6_000_001 } },
    });
    expect(tokens.body).toMatchObject({
      code: 'budget_above_maximum',
      field: 'budget.tokens',
      maximum: 6_000_000,
    });
    const cost = await call('POST /v1/goals', {
      body: { ...goal, budget: { costUsd: '10.000000000001' } },
    });
    expect(cost.body).toMatchObject({ code: 'budget_above_maximum', field: 'budget.costUsd' });
    const unlimited = await call('POST /v1/goals', {
      body: { ...goal, budget: { tokens: null, costUsd: '10' } },
    });
    expect(unlimited.body).toMatchObject({ code: 'budget_above_maximum', field: 'budget.tokens' });
  });

  it('refuses an unpriced model with a cost budget, at start and at model change (M18)', async () => {
    const { call } = createApi();
    const costly = { ...goal, budget: { costUsd: '1' } };
    const start = await call('POST /v1/goals', { body: { ...costly, model: 'openai/unpriced' } });
    expect(start.body).toMatchObject({ status: 400, field: 'budget.costUsd' });
    const { goalId } = (await call('POST /v1/goals', { body: costly })).body;
    const change = await call(`PATCH /v1/goals/${goalId}`, { body: { model: 'openai/unpriced' } });
    expect(change.body).toMatchObject({ status: 400, field: 'budget.costUsd' });
  });

  it('names the model that has no key and the workspaces that exist', async () => {
    const { call } = createApi();
    const model = await call('POST /v1/goals', { body: { ...goal, model: 'anthropic/claude' } });
    expect(model.body).toMatchObject({ code: 'model_key_missing', field: 'model' });
    const place = await call('POST /v1/goals', {
      body: { ...goal, workspace: { name: 'nowhere' } },
    });
    expect(place.body).toMatchObject({
      code: 'unknown_workspace',
      field: 'workspace.name',
      known: ['shop'],
    });
  });

  it('takes the only workspace when none is named', async () => {
    const answer = await createApi().call('POST /v1/goals', { body: { objective: 'x' } });
    expect(answer.body.workspace.name).toBe('shop');
  });

  it('answers a retry with the first goal, and refuses the key with another body', async () => {
    const { call, memory } = createApi();
    const headers = { 'idempotency-key': 'k1' };
    const first = await call('POST /v1/goals', { body: goal, headers });
    const retry = await call('POST /v1/goals', { body: goal, headers });
    expect(retry.body.goalId).toBe(first.body.goalId);
    expect(retry.headers['idempotency-replayed']).toBe('true');
    expect(memory.started).toHaveLength(1);
    const other = await call('POST /v1/goals', { body: { ...goal, objective: 'y' }, headers });
    expect(other.body).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
  });

  it('accepts the goal when Temporal is away: the reconciler starts it', async () => {
    const away = {
      ensureStarted: async () => Promise.reject(new Error('away')),
      mutate: async () => ({ revision: 1 }),
      endReplaced: async () => undefined,
      ping: async () => undefined,
    };
    const answer = await createApi({ goals: away }).call('POST /v1/goals', { body: goal });
    expect(answer.status).toBe(201);
  });
});

describe('who may start', () => {
  it('lets agents name a workspace but give no path', async () => {
    const { call } = createApi();
    const path = { objective: 'x', workspace: { path: '/srv/shop' } };
    expect((await call('POST /v1/goals', { body: path, role: 'agent' })).body).toMatchObject({
      code: 'forbidden',
      field: 'workspace.path',
    });
    expect((await call('POST /v1/goals', { body: path })).status).toBe(201);
    expect((await call('POST /v1/goals', { body: goal, role: 'agent' })).status).toBe(201);
  });

  it('lets agents replace only goals that an agent started', async () => {
    const { call } = createApi();
    const ofPerson = (await call('POST /v1/goals', { body: goal })).body.goalId;
    const ofAgent = (await call('POST /v1/goals', { body: goal, role: 'agent' })).body.goalId;
    const replace = (expectedGoalId: string) =>
      call('POST /v1/goals', { body: { ...goal, replace: true, expectedGoalId }, role: 'agent' });
    expect((await replace(ofPerson)).body).toMatchObject({ status: 409, code: 'goal_conflict' });
    expect((await replace(ofAgent)).status).toBe(201);
  });
});
