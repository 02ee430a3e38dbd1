import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatRequest, objectiveOf, reply, type Script } from '../../demo/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { Approval } from '../../schema/approval.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { startWorkerProcess } from '../evidence/worker-process.ts';
import { killProcessesIn, processesIn } from '../support/processes-in.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { installed } from './install.ts';

/** `KILLS` makes more of them, of each kind. */
const KILLS = Number(process.env.KILLS ?? 5);
const LONGEST_LIFE_MS = 12_000;

const bash = (command: string) => reply.call('bash', { command, description: 'Works' });
const writeAnswer = bash('printf 42 > answer.txt');
const claim = reply.call('goalkeeper_attempt_completion', { result: 'It is written.' });
const done = reply.text('Done.');

/** Answers since the last words of the host or of a person. */
const stepIn = ({ messages }: ChatRequest): number => {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(asked).filter(({ role }) => role === 'assistant').length;
};
/** Prompts of the host so far, in the session that goes on. */
const promptsIn = ({ messages }: ChatRequest): number =>
  messages.filter(({ role, text }) => role === 'user' && text.includes('<goal id="')).length;

const scripts: Record<string, Script> = {
  /** Claims first, and works when that is refused. */
  early: (request) => {
    const isFirst = promptsIn(request) < 2;
    return [isFirst ? claim : writeAnswer, isFirst ? done : claim][stepIn(request)] ?? done;
  },
  removes: (request) => {
    const removes = bash('rm -rf old && printf 42 > answer.txt');
    return [removes, done][stepIn(request)] ?? done;
  },
  writes: (request) => [writeAnswer, claim][stepIn(request)] ?? done,
  /** Takes a while, so that a death may come in the middle. */
  slow: async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return [bash('sleep 1'), bash('ls'), writeAnswer, claim][stepIn(request)] ?? done;
  },
};

const script: Script = (request) => {
  if (request.tools.length === 0) return reply.text('A title');
  return scripts[objectiveOf(request).split(':')[0] ?? '']?.(request) ?? done;
};

let model: ScriptedModel;
let goals: ScriptedGoals;
let worker: ReturnType<typeof startWorkerProcess>;
beforeAll(async () => {
  model = await startScriptedModel({ script });
  const folder = installed('opencode-linux-x64', '1.18.33');
  const local = {
    npm: '@ai-sdk/openai-compatible',
    name: 'local',
    options: { baseURL: model.url, apiKey: 'none-needed' },
    models: { m: { name: 'm' } },
  };
  const config = {
    provider: { local },
    ...{ model: 'local/m', small_model: 'local/m' },
    permission: { bash: 'ask', edit: 'ask' },
  };
  const opencode = {
    command: join(folder, 'bin/opencode'),
    args: ['acp'],
    reads: [folder],
    network: 'host',
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
  };
  const environment = { GOALKEEPER_AGENTS: JSON.stringify({ opencode }) };
  goals = await openScriptedGoals({}, { environment, worker: false });
}, 600_000);
afterAll(async () => {
  await goals?.world.close();
  await model?.close();
});

const start = (name: string, more = {}) => goals.start(name, { agent: 'opencode', ...more });
const ledger = async (goalId: string) => {
  const page = `/v1/goals/${goalId}/ledger?limit=200`;
  return (await goals.world.client.get<{ items: LedgerRow[] }>(page)).items;
};
const isProven = { status: 'complete', completion: { verification: 'verified' } };
const holds = async (goalId: string) =>
  expect(await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
    holds: true,
  });

const WORDS = 'bin/opencode';
const agentsIn = (path: string) => processesIn(path, WORDS);
const killAgents = (path: string) => killProcessesIn(path, WORDS);

describe('OpenCode under a goal', () => {
  test('RAG-1 works to a proven end, and what it says that it did is told as its own words', async () => {
    worker = startWorkerProcess(goals.world);
    const goalId = await start('writes');
    expect(await goals.rest(goalId)).toMatchObject({ ...isProven, usage: { turns: 1 } });
    const rows = (await ledger(goalId)).filter(({ phase }) => phase === 'settled');
    expect(rows.find(({ tool }) => tool === 'agent.execute')?.receipt?.origin).toBe('agent');
    expect(rows.find(({ tool }) => tool === 'agent_turn')?.receipt?.writes).toEqual(['answer.txt']);
    await holds(goalId);
  });

  test('RAG-2 is refused an early claim, goes on in its session, and ends proven', async () => {
    worker = startWorkerProcess(goals.world);
    const goalId = await start('early');
    expect(await goals.rest(goalId)).toMatchObject({ ...isProven, usage: { turns: 2 } });
    expect((await goals.story(goalId))[0]).toMatch(/refuse$/);
  });

  test('RAG-3 waits for a person where a rule asks, and does once what was allowed', async () => {
    worker = startWorkerProcess(goals.world);
    const tools = [{ tool: 'run_command', command: 'rm', decision: 'ask' }];
    const goalId = await start('removes', { policy: { tools } });
    const approval = await waitUntil(async () => {
      const path = `/v1/approvals?goalId=${goalId}&state=open`;
      return (await goals.world.client.get<{ items: Approval[] }>(path)).items[0];
    });
    expect(JSON.stringify(approval)).toContain('rm -rf old');
    await goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    expect(await goals.rest(goalId)).toMatchObject({ ...isProven, usage: { turns: 2 } });
    await holds(goalId);
  });

  test('RAG-4 is ended by a pause and goes on when it is resumed', async () => {
    worker = startWorkerProcess(goals.world);
    const goalId = await start('slow');
    const { workspace } = await goals.world.get(goalId);
    await waitUntil(async () => (await agentsIn(workspace.path)).length > 0);
    await goals.send(goalId, 'pause');
    await goals.rest(goalId);
    await waitUntil(async () => (await agentsIn(workspace.path)).length === 0);
    await goals.send(goalId, 'resume');
    expect(await goals.rest(goalId)).toMatchObject(isProven);
  });

  test.each([
    ['itself', killAgents],
    [
      'its worker',
      async () => {
        await worker.kill();
        worker = startWorkerProcess(goals.world);
      },
    ],
  ] as const)(`RAG-5 ends proven in ${KILLS} goals in which %s is killed`, async (_, kill) => {
    worker = startWorkerProcess(goals.world);
    for (let round = 0; round < KILLS; round += 1) {
      const goalId = await start('slow');
      const { workspace } = await goals.world.get(goalId);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_LIFE_MS));
      await kill(workspace.path);
      const goal = await goals.rest(goalId);
      expect(goal, JSON.stringify([goal.pause, await goals.story(goalId)])).toMatchObject(isProven);
      await holds(goalId);
      await waitUntil(async () => (await agentsIn(workspace.path)).length === 0);
    }
  });
});
