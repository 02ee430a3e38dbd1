import { describe, expect, it } from 'vitest';
import { LEAST_ROLES, type OperationId } from '../../src/api/roles.ts';
import { createApi, type RoleName } from './calls.ts';
import { settings } from './memory-ports.ts';

const requests: Record<OperationId, string> = {
  startGoal: 'POST /v1/goals',
  estimateGoal: 'POST /v1/goals/estimate',
  listGoals: 'GET /v1/goals',
  countGoals: 'GET /v1/goals/counts',
  search: 'GET /v1/search?q=port',
  getGoal: 'GET /v1/goals/g-1',
  amendGoal: 'PATCH /v1/goals/g-1',
  pauseGoal: 'POST /v1/goals/g-1/pause',
  resumeGoal: 'POST /v1/goals/g-1/resume',
  rewindGoal: 'POST /v1/goals/g-1/rewind',
  applyBranch: 'POST /v1/goals/g-1/apply',
  completeGoal: 'POST /v1/goals/g-1/complete',
  clearGoal: 'POST /v1/goals/g-1/clear',
  cancelChain: 'POST /v1/goals/g-1/chain/cancel',
  sendMessage: 'POST /v1/goals/g-1/messages',
  takeBackMessage: 'POST /v1/goals/g-1/messages/m-1/take-back',
  listMessages: 'GET /v1/goals/g-1/messages',
  endTurn: 'POST /v1/goals/g-1/turn-end',
  tellPrompt: 'POST /v1/goals/g-1/prompts',
  reportCall: 'POST /v1/goals/g-1/agent-calls',
  uploadAttachment: 'POST /v1/attachments?name=a.txt',
  listAttachments: 'GET /v1/goals/g-1/attachments',
  getAttachment: `GET /v1/goals/g-1/attachments/${'0'.repeat(64)}`,
  answerQuestion: 'POST /v1/goals/g-1/answers',
  getQuestion: 'GET /v1/goals/g-1/question',
  listApprovals: 'GET /v1/approvals',
  getInbox: 'GET /v1/inbox',
  decideApproval: 'POST /v1/goals/g-1/approvals/a-1',
  listDisputes: 'GET /v1/goals/g-1/disputes',
  decideDispute: 'POST /v1/goals/g-1/disputes/d-1',
  listNotifications: 'GET /v1/goals/g-1/notifications',
  resendNotification: 'POST /v1/goals/g-1/notifications/n-1/resend',
  getTodos: 'GET /v1/goals/g-1/todos',
  getGate: 'GET /v1/goals/g-1/gate',
  exportProof: 'GET /v1/goals/g-1/proof',
  shareProof: 'POST /v1/goals/g-1/proof/links',
  listProofLinks: 'GET /v1/goals/g-1/proof/links',
  takeBackProofLink: 'DELETE /v1/goals/g-1/proof/links/0123456789abcdef',
  getProofKey: 'GET /v1/proof-key',
  listTurns: 'GET /v1/goals/g-1/turns',
  listModelCalls: 'GET /v1/goals/g-1/turns/1/model-calls',
  getModelCall: 'GET /v1/goals/g-1/turns/1/model-calls/turn/1/1',
  getTimeline: 'GET /v1/goals/g-1/timeline',
  getHistory: 'GET /v1/goals/g-1/history',
  getHistoryPoint: 'GET /v1/goals/g-1/history/point',
  listCalls: 'GET /v1/goals/g-1/calls',
  getCall: 'GET /v1/goals/g-1/calls/2',
  getUsage: 'GET /v1/goals/g-1/usage',
  listDelegates: 'GET /v1/goals/g-1/delegates',
  listLedger: 'GET /v1/goals/g-1/ledger',
  verifyLedger: 'GET /v1/goals/g-1/ledger/verify',
  getPlan: 'GET /v1/goals/g-1/plan',
  listCheckpoints: 'GET /v1/goals/g-1/checkpoints',
  getDiff: 'GET /v1/goals/g-1/diff',
  listChanges: 'GET /v1/goals/g-1/changes',
  getFileChanges: 'GET /v1/goals/g-1/changes/file?path=a.txt',
  getOutput: 'GET /v1/goals/g-1/ledger/1/output',
  streamGoalEvents: 'GET /v1/goals/g-1/events',
  streamEvents: 'GET /v1/events',
  getThreadGoal: 'GET /v1/threads/t-1/goal',
  putThreadGoal: 'PUT /v1/threads/t-1/goal',
  deleteThreadGoal: 'DELETE /v1/threads/t-1/goal',
  createSchedule: 'POST /v1/schedules',
  listSchedules: 'GET /v1/schedules',
  getSchedule: 'GET /v1/schedules/sc-1',
  dueTimes: 'POST /v1/schedules/due-times',
  changeSchedule: 'PATCH /v1/schedules/sc-1',
  pauseSchedule: 'POST /v1/schedules/sc-1/pause',
  resumeSchedule: 'POST /v1/schedules/sc-1/resume',
  runSchedule: 'POST /v1/schedules/sc-1/run',
  deleteSchedule: 'DELETE /v1/schedules/sc-1',
  listModels: 'GET /v1/models',
  listAgents: 'GET /v1/agents',
  listWorkspaces: 'GET /v1/workspaces',
  serveWorkspace: 'POST /v1/workspaces',
  listTemplates: 'GET /v1/workspaces/shop/templates',
  fillTemplate: 'POST /v1/workspaces/shop/templates/fix',
  startFromTemplate: 'POST /v1/workspaces/shop/templates/fix/goals',
  listWorkers: 'GET /v1/workers',
  listQueues: 'GET /v1/queues',
  listProviders: 'GET /v1/providers',
  getSpend: 'GET /v1/spend',
  getCosts: 'GET /v1/costs',
  listSpendLimits: 'GET /v1/costs/limits',
  listAlerts: 'GET /v1/alerts',
  getMetrics: 'GET /metrics',
  tryCheck: 'POST /v1/checks',
  sealCriterion: 'POST /v1/sealed',
  getSealed: 'GET /v1/goals/g-1/sealed',
  useMcp: 'POST /mcp',
  getSession: 'GET /v1/session',
  createSignInCode: 'POST /v1/session/codes',
  listSessions: 'GET /v1/sessions',
  endSessions: 'DELETE /v1/sessions/oidc:ann',
  createToken: 'POST /v1/tokens',
  listToolPins: 'GET /v1/tool-pins',
  acceptTool: 'POST /v1/tool-pins/accept',
  resetToolPins: 'POST /v1/tool-pins/reset',
  stopCall: 'POST /v1/goals/g-1/calls/t1.s1.1/stop',
  listRules: 'GET /v1/rules',
  revokeRule: 'DELETE /v1/rules/r-1',
  listTokens: 'GET /v1/tokens',
  revokeToken: 'DELETE /v1/tokens/t-1',
  createTrigger: 'POST /v1/triggers',
  listTriggers: 'GET /v1/triggers',
  getTrigger: 'GET /v1/triggers/ci',
  testTrigger: 'POST /v1/triggers/ci/test',
  pauseTrigger: 'POST /v1/triggers/ci/pause',
  resumeTrigger: 'POST /v1/triggers/ci/resume',
  deleteTrigger: 'DELETE /v1/triggers/ci',
  getAnchors: 'GET /v1/anchors',
  verifyAnchors: 'POST /v1/anchors/verify',
  getSecurityLog: 'GET /v1/security-log',
  verifySecurityLog: 'GET /v1/security-log/verify',
};

/** Programs see their own goals, so they get no sums over all. */
const OF_ALL_GOALS = new Set<OperationId>([
  'listWorkers',
  'listQueues',
  'listProviders',
  'getSpend',
  'listAlerts',
  'getMetrics',
]);

const order: RoleName[] = ['viewer', 'agent', 'operator', 'admin'];
const operations = Object.entries(requests) as [OperationId, string][];

describe('the role table', () => {
  // Who may call an operation is no matter of what was called before.
  const { call } = createApi();
  it.each(operations.filter(([, line]) => line !== 'GET /v1/events'))(
    '%s (%s) is for its least role and above',
    async (operation, line) => {
      for (const role of order) {
        const isHighEnough = order.indexOf(role) >= order.indexOf(LEAST_ROLES[operation]);
        const isAllowed = isHighEnough && !(role === 'agent' && OF_ALL_GOALS.has(operation));
        const { status } = await call(line, { role });
        expect([role, status === 403]).toEqual([role, !isAllowed]);
        expect(status).not.toBe(429);
      }
    },
  );

  it.each(operations)('%s needs a token', async (_operation, line) => {
    // Who guesses tokens is soon refused for a while.
    const from = `127.0.1.${operations.findIndex(([, one]) => one === line)}`;
    const none = await call(line, { from, headers: { authorization: '' } });
    expect(none.body).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(none.headers['www-authenticate']).toBe('Bearer');
    const wrong = await call(line, { from, headers: { authorization: 'Bearer o-12' } });
    expect(wrong.status).toBe(401);
  });

  it('keeps what a person decides from agents (M23)', () => {
    const personal: OperationId[] = [
      'resumeGoal',
      'clearGoal',
      'completeGoal',
      'decideApproval',
      'decideDispute',
      'amendGoal',
      'answerQuestion',
      'resumeSchedule',
      'runSchedule',
    ];
    expect(personal.map((operation) => LEAST_ROLES[operation])).toEqual(
      personal.map(() => 'operator'),
    );
  });

  it('names every operation of the document in the table', async () => {
    const { body } = await call('GET /openapi.json');
    const documented = Object.values(
      body.paths as Record<string, Record<string, { operationId: string }>>,
    ).flatMap((path) => Object.values(path).map((method) => method.operationId));
    // MCP describes itself; signing in and out, and what is signed, is open to everybody.
    const described = Object.keys(LEAST_ROLES).filter((operation) => operation !== 'useMcp');
    expect(documented.sort()).toEqual(
      [...described, 'receiveDelivery', 'signIn', 'signInMethods', 'signOut'].sort(),
    );
  });
});

describe('without a token', () => {
  const { call } = createApi();

  it.each(['/healthz', '/readyz', '/openapi.json', '/docs'])('%s answers', async (path) => {
    expect((await call(`GET ${path}`, { headers: { authorization: '' } })).status).toBe(200);
  });

  it('/readyz says what is away', async () => {
    const { call } = createApi({
      goals: {
        ensureStarted: async () => undefined,
        mutate: async () => ({ revision: 1 }),
        endReplaced: async () => undefined,
        ping: async () => Promise.reject(new Error('away')),
      },
    });
    const answer = await call('GET /readyz');
    expect([answer.status, answer.body.checks]).toEqual([
      503,
      { postgres: 'ok', temporal: 'unavailable' },
    ]);
  });
});

describe('the Host header', () => {
  const { call } = createApi();

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io:7420'])(
    '%s is refused on loopback',
    async (host) => {
      const answer = await call('GET /v1/goals', { headers: { host } });
      expect(answer.body).toMatchObject({ status: 403, code: 'forbidden' });
    },
  );

  it.each(['localhost:7420', '127.0.0.1', '[::1]:7420'])('%s is accepted', async (host) => {
    expect((await call('GET /v1/goals', { headers: { host } })).status).toBe(200);
  });

  it('may be anything where the service listens for others', async () => {
    const { call } = createApi({ settings: { ...settings, isLoopback: false } });
    expect((await call('GET /v1/goals', { headers: { host: 'goals.example' } })).status).toBe(200);
  });
});

describe('problems', () => {
  const untouched = createApi();

  it.each([
    ['malformed JSON', '{"objective":', 'malformed_json', 400],
    ['a poisoned prototype', '{"__proto__": {"a": 1}}', 'malformed_json', 400],
    [
      'a body that is too large',
      JSON.stringify({ objective: 'x'.repeat(1_100_000) }),
      'payload_too_large',
      413,
    ],
    ['a body that is no object', '[]', 'invalid_request', 400],
    ['no body', '', 'invalid_request', 400],
  ])('%s', async (_what, raw, code, status) => {
    const answer = await untouched.call('POST /v1/goals', { raw });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  it('refuses bodies that are not JSON', async () => {
    const answer = await untouched.call('POST /v1/goals', {
      raw: 'objective=x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.body.code).toBe('malformed_json');
  });

  it('hides what broke in the service', async () => {
    const { call, memory } = createApi();
    const { goalId } = (await call('POST /v1/goals', { body: { objective: 'x' } })).body;
    memory.failure = new Error('password=hunter2');
    const answer = await call(`POST /v1/goals/${goalId}/pause`);
    expect(answer.body).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  it.each([
    ['GET /v1/nothing', 404, 'not_found'],
    ['GET /v1/goals/%ZZ', 400, 'invalid_request'],
    [`GET /v1/goals/${'g'.repeat(201)}`, 400, 'invalid_request'],
    ['GET /v1/goals/g%25', 404, 'not_found'],
    ['GET /v1/goals/g-none', 404, 'not_found'],
    ['GET /v1/goals?limit=0', 400, 'invalid_request'],
    ['GET /v1/goals?colour=red', 400, 'invalid_request'],
    ['GET /v1/goals?status=active,done', 400, 'invalid_request'],
    ['POST /v1/goals/g-none/pause', 404, 'not_found'],
  ])('%s is %i %s', async (line, status, code) => {
    expect((await untouched.call(line)).body).toMatchObject({ status, code });
  });

  it.each([
    ['GET /v1/goals/ID', 'goalId'],
    ['POST /v1/goals/ID/pause', 'goalId'],
    ['GET /v1/schedules/ID', 'scheduleId'],
    ['GET /v1/threads/ID/goal', 'threadId'],
  ])('API-70 names the field of an id that is too long: %s', async (line, field) => {
    const { body } = await untouched.call(line.replace('ID', 'g'.repeat(5_000)));
    expect(body).toMatchObject({ status: 400, code: 'invalid_request', field });
  });

  it('finds a goal by a unique beginning of its id, and says when more begin so', async () => {
    const { call } = createApi();
    const { goalId } = (await call('POST /v1/goals', { body: { objective: 'x' } })).body;
    expect((await call(`GET /v1/goals/${goalId.slice(0, 8)}`)).body.goalId).toBe(goalId);
    await call('POST /v1/goals', { body: { objective: 'x' } });
    expect((await call('GET /v1/goals/g-')).body.candidates).toHaveLength(2);
  });
});
