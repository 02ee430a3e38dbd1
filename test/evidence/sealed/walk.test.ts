import { readdirSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, reply, sequence } from '../../../demo/script.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { SealedOfGoal } from '../../../schema/sealed.ts';
import { isAllowed, LEAST_ROLES, type OperationId } from '../../../src/api/roles.ts';
import { createClient } from '../../../src/cli/client.ts';
import { createTemporalClient } from '../../../src/temporal/connection.ts';
import { SANDBOX } from '../../sandbox/support.ts';
import { giveTo, TOKENS } from '../../support/goal-world.ts';
import { describeWith, testWith } from '../../support/needs.ts';
import { openPayloads } from '../../support/open-payloads.ts';
import { openScriptedGoals, type ScriptedGoals } from '../../support/scripted-goals.ts';
import { claim, HARD_CODED, RIGHT, SECRETS, SHOP, seal, writeSum } from './shop.ts';

const scope = { change: ['src/**'] };

/** Nothing sealed runs anywhere else. */
const walked = testWith(SANDBOX);

/** In all that changed since the goal's start: toolchains of the home are gigabytes. */
const SOUGHT =
  'find /tmp /home /root /run /dev/shm . .. -type f -cnewer package.json ' +
  '-exec grep -l zqx {} + 2>/dev/null; env; ls -laR /tmp ..';

/** All ways in which the model looks around between its claims. */
const looks = [
  reply.call('search_output', { call: 1, pattern: 'zqx' }),
  reply.call('run_command', { command: SOUGHT }),
  reply.call('search', { pattern: 'zqx' }),
  reply.call('list_files', { path: '.' }),
];

let goals: ScriptedGoals;
let goal: Goal;
beforeAll(async () => {
  goals = await openScriptedGoals({
    walks: sequence([writeSum(HARD_CODED), claim, ...looks, writeSum(RIGHT), claim]),
  });
  const { sealedId } = await seal(goals.world, { command: 'node --test test/zqxheldout.test.js' });
  const workspace = { path: await goals.world.workspace(SHOP) };
  const visible = { kind: 'command' as const, command: 'node --test test/sum.test.js' };
  const criteria = [visible, { kind: 'sealed' as const, sealedId }];
  goal = await goals.run('walks', { workspace, criteria, scope });
});
afterAll(() => goals.world.close());

function expectNothing(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

walked('SEAL-4 the goal was judged twice and is verified', async () => {
  expect(goal.completion?.verification).toBe('verified');
  const shown = await goals.world.client.get<SealedOfGoal>(`/v1/goals/${goal.goalId}/sealed`);
  const told = SECRETS.filter((secret) => secret !== 'zqxcontent');
  for (const secret of told) expect(JSON.stringify(shown)).toContain(secret);
});

walked('SEAL-4 no prompt of any model holds a word of it', () => {
  const prompts = goals.world.model.requests.filter((one) => goalIdOf(one) === goal.goalId);
  expect(prompts.length).toBeGreaterThan(6);
  // The model wrote the word itself, in what it searched for.
  const own = prompts.flatMap(({ messages }) =>
    messages.map((message) => ({ ...message, calls: [] })),
  );
  expectNothing(JSON.stringify(own));
});

/** Where a goal's reads lie; what no goal has is read as it is. */
const paths: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  listGoals: ['/v1/goals?q=zqx', '/v1/goals'],
  countGoals: ['/v1/goals/counts'],
  search: ['/v1/search?q=zqx', '/v1/search?q=zqxheldout'],
  getGoal: ['/v1/goals/ID'],
  getQuestion: ['/v1/goals/ID/question'],
  listApprovals: ['/v1/approvals?state=all'],
  getInbox: ['/v1/inbox'],
  listDisputes: ['/v1/goals/ID/disputes'],
  listNotifications: ['/v1/goals/ID/notifications'],
  getTodos: ['/v1/goals/ID/todos'],
  getGate: ['/v1/goals/ID/gate'],
  exportProof: ['/v1/goals/ID/proof'],
  getProofKey: ['/v1/proof-key'],
  listTurns: ['/v1/goals/ID/turns?limit=100'],
  listModelCalls: ['/v1/goals/ID/turns/1/model-calls'],
  getModelCall: [
    '/v1/goals/ID/turns/1/model-calls/turn/1/1',
    '/v1/goals/ID/turns/2/model-calls/turn/1/1',
  ],
  getTimeline: ['/v1/goals/ID/timeline'],
  getHistory: ['/v1/goals/ID/history?limit=50'],
  getHistoryPoint: ['/v1/goals/ID/history/point?turn=1'],
  listCalls: ['/v1/goals/ID/calls?limit=100'],
  getCall: ['/v1/goals/ID/calls/SEQ'],
  getUsage: ['/v1/goals/ID/usage'],
  listMessages: ['/v1/goals/ID/messages'],
  listDelegates: ['/v1/goals/ID/delegates'],
  listLedger: ['/v1/goals/ID/ledger?limit=100', '/v1/goals/ID/ledger?q=zqx'],
  verifyLedger: ['/v1/goals/ID/ledger/verify'],
  getOutput: ['/v1/goals/ID/ledger/SEQ/output'],
  getPlan: ['/v1/goals/ID/plan'],
  listCheckpoints: ['/v1/goals/ID/checkpoints'],
  getDiff: ['/v1/goals/ID/diff'],
  listChanges: ['/v1/goals/ID/changes'],
  getFileChanges: ['/v1/goals/ID/changes/file?path=src/sum.js'],
  getThreadGoal: ['/v1/threads/THREAD/goal'],
  listAttachments: ['/v1/goals/ID/attachments'],
  getAttachment: [`/v1/goals/ID/attachments/${'0'.repeat(64)}`],
  listSchedules: ['/v1/schedules'],
  getSchedule: ['/v1/schedules/sc-0123456789abcdef'],
  listModels: ['/v1/models'],
  listAgents: ['/v1/agents'],
  listWorkspaces: ['/v1/workspaces'],
  listTemplates: ['/v1/workspaces/none/templates'],
  listToolPins: ['/v1/tool-pins'],
  listRules: ['/v1/rules'],
  getSession: ['/v1/session'],
  getCosts: ['/v1/costs?by=goal', '/v1/costs?by=principal'],
  listSpendLimits: ['/v1/costs/limits'],
};

/** What reads nothing of a goal at all, or is read below. */
const elsewhere: readonly OperationId[] = [
  ...(['startGoal', 'estimateGoal', 'putThreadGoal', 'pauseGoal', 'sendMessage'] as const),
  ...(['takeBackMessage'] as const),
  ...(['endTurn', 'tellPrompt', 'reportCall'] as const),
  ...(['streamGoalEvents', 'streamEvents', 'useMcp', 'createSignInCode'] as const),
  ...([
    'uploadAttachment',
    'dueTimes',
    'fillTemplate',
    'startFromTemplate',
    'createSchedule',
    'pauseSchedule',
    'deleteSchedule',
  ] as const),
];

describeWith(SANDBOX, 'SEAL-4 a program with the role agent', () => {
  beforeAll(() => giveTo(goals.world, goal.goalId, TOKENS.agent));

  const operations = (Object.keys(LEAST_ROLES) as OperationId[]).filter((one) =>
    isAllowed('agent', one),
  );

  test('may call nothing that this table forgets', () => {
    const known = [...Object.keys(paths), ...elsewhere];
    expect(operations.filter((one) => !known.includes(one))).toEqual([]);
  });

  test.each(Object.entries(paths))('reads nothing of it by %s', async (_, ways) => {
    const rows = await goals.world.database<{ seq: number }[]>`
      SELECT seq FROM ledger WHERE goal_id = ${goal.goalId} ORDER BY seq`;
    const seqs = rows.map(({ seq }) => seq);
    for (const way of ways) {
      const path = way.replace('ID', goal.goalId).replace('THREAD', goal.threadId);
      const all = path.includes('SEQ') ? seqs.map((seq) => path.replace('SEQ', `${seq}`)) : [path];
      for (const one of all) {
        const answer = await fetch(goals.world.url + one, {
          headers: { authorization: `Bearer ${TOKENS.agent}` },
        });
        expect([way, [200, 404, 409].includes(answer.status)]).toEqual([way, true]);
        // The caller's own words come back, as in the model's own calls.
        expectNothing(withoutOwnWords(await answer.text()));
      }
    }
  });

  test('reads nothing of it in the events', async () => {
    const path = `/v1/goals/${goal.goalId}/events`;
    const headers = {
      authorization: `Bearer ${TOKENS.agent}`,
      'last-event-id': `${goal.goalId}:0`,
    };
    const stop = new AbortController();
    const answer = await fetch(goals.world.url + path, { headers, signal: stop.signal });
    let text = '';
    for await (const piece of answer.body as never as AsyncIterable<Uint8Array>) {
      text += Buffer.from(piece).toString();
      if (text.includes('goal.completed') || text.includes('"complete"')) break;
    }
    stop.abort();
    expect(text).toContain('check.sealed');
    expectNothing(withoutOwnWords(text));
  });

  test('may neither see what is sealed, nor seal, nor start a goal by it', async () => {
    const agent = createClient({ url: goals.world.url, token: TOKENS.agent });
    await expect(agent.get(`/v1/goals/${goal.goalId}/sealed`)).rejects.toThrow();
    await expect(seal({ ...goals.world, client: agent })).rejects.toThrow();
    const [, spec] = goal.criteria.map((one) => one.spec);
    const start = { objective: 'walks: again', criteria: [spec] };
    await expect(agent.send('POST', '/v1/goals', start)).rejects.toThrow(/Only a person/);
  });
});

walked('SEAL-5 the database holds no word of it that could be read without the key', async () => {
  const tables = await goals.world.database<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`;
  for (const { name } of tables) {
    const rows = await goals.world.database.unsafe(`SELECT t::text AS row FROM "${name}" t`);
    expectNothing(withoutOwnWords(rows.map(({ row }) => String(row)).join('\n')));
  }
});

walked('SEAL-5 what Temporal keeps of the goal holds no word of it', async () => {
  const client = createTemporalClient(goals.world.temporal, goals.world.keys);
  try {
    const read: string[] = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      await openPayloads(client, workflowId, history);
      const text = JSON.stringify(history, (key, value) =>
        key === 'data' && typeof value === 'string'
          ? Buffer.from(value, 'base64').toString()
          : value,
      );
      read.push(text);
      expectNothing(withoutOwnWords(text));
    }
    // Its payloads are readable here.
    expect(read.join()).toContain('criterionId');
  } finally {
    await client.connection.close();
  }
});

walked('SEAL-5 the key is a file that only its owner reads', () => {
  const home = goals.world.environment.GOALKEEPER_HOME as string;
  expect(readdirSync(home)).toContain('sealed.key');
  expect(statSync(`${home}/sealed.key`).mode & 0o777).toBe(0o600);
  expect(readFileSync(`${home}/sealed.key`, 'utf8').trim().length).toBeGreaterThan(40);
});

/** The test's model names what it looks for itself, and so does a query. */
const withoutOwnWords = (text: string): string => text.replaceAll(/\bzqx\b/g, '');
