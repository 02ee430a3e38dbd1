import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, type Script } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Turn } from '../../schema/turn.ts';
import { createClient } from '../../src/cli/client.ts';
import { start } from '../cli/command-line.ts';
import { type GoalWorld, OWN, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { problemOf } from './helpers.ts';

const offered: (readonly string[])[] = [];
const script: Script = (request) => {
  offered.push(request.tools);
  const said = request.messages.some(({ text }) => text.includes('All hands to the pumps'));
  return said
    ? reply.call('ask_user', { question: 'What now?' })
    : reply.text('All hands to the pumps.');
};

const file = {
  budget: {
    default: { turns: 40 },
    maximum: { tokens: 2_000_000, turns: 60, activeSeconds: 30_000 },
  },
  policy: {
    default: { approvalTimeoutSeconds: 600 },
    bounds: { chainLength: { max: 20 }, approvalTimeoutSeconds: { max: 3600 } },
  },
  thresholds: { 'compatible/*': { continueAt: 90 } },
  phrases: { intent: ['all hands to the pumps'] },
  tools: { delegate: false, continue_work: false, textTokens: false },
  fallbackModel: 'compatible/stands-in',
};

let folder: string;
let path: string;
let world: GoalWorld;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'goalkeeper-rules-'));
  path = join(folder, 'rules.json');
  writeFileSync(path, JSON.stringify(file));
  world = await openGoalWorld({ script, environment: { GOALKEEPER_CONFIG: path } });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const wanted = async (more: object = {}) => ({
  ...OWN,
  objective: 'Write it',
  workspace: { path: await world.workspace({ 'a.txt': 'a\n' }) },
  ...more,
});

describe("an operator's rules", () => {
  test('CFG-4 a goal has their defaults, thresholds, words and tools', async () => {
    const { goalId } = await world.start(await wanted());
    const goal = await world.until(goalId, ({ pause }) => pause?.reason === 'question');
    expect(goal.budget).toMatchObject({ turns: 40, tokens: 2_000_000 });
    expect(goal.policy.continuation).toMatchObject({ continueAt: 90, warnAt: 40 });
    const { items } = await world.client.get<{ items: Turn[] }>(`/v1/goals/${goalId}/turns`);
    expect(items.find(({ turn }) => turn === 1)?.decision?.score).toMatchObject({ intent: 25 });
    const names = new Set(offered.flat());
    expect(['delegate', 'continue_work', 'wait_for'].map((name) => names.has(name))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test.each<[object, object]>([
    [{ budget: { tokens: 2_000_001 } }, { code: 'budget_above_maximum', field: 'budget.tokens' }],
    [{ budget: { turns: 61 } }, { code: 'budget_above_maximum', field: 'budget.turns' }],
    [
      { budget: { activeSeconds: 30_001 } },
      { code: 'budget_above_maximum', field: 'budget.activeSeconds' },
    ],
    [
      { policy: { approvalTimeoutSeconds: null } },
      { code: 'invalid_request', field: 'policy.approvalTimeoutSeconds' },
    ],
    [
      { policy: { continuation: { chainLength: 21 } } },
      { code: 'invalid_request', field: 'policy.continuation.chainLength' },
    ],
  ])('CFG-4 %j is refused at a start, an estimate and an amendment', async (change, problem) => {
    const { goalId } = await world.start(await wanted({ criteria: [] }));
    const body = await wanted(change);
    for (const way of ['/v1/goals', '/v1/goals/estimate']) {
      expect(await problemOf(world.client.send('POST', way, body))).toMatchObject(problem);
    }
    const amended = world.client.send('PATCH', `/v1/goals/${goalId}`, change);
    expect(await problemOf(amended)).toMatchObject(problem);
    await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});
  });

  test('CFG-12 a goal has the fallback model of the service, another one, or none', async () => {
    const fallbackOf = async (more: object) => {
      const goal = await world.start(await wanted({ criteria: [], ...more }));
      await world.client.send('POST', `/v1/goals/${goal.goalId}/clear`, {});
      return goal.fallbackModel ?? null;
    };
    expect(await fallbackOf({})).toBe('compatible/stands-in');
    expect(await fallbackOf({ fallbackModel: 'compatible/other' })).toBe('compatible/other');
    expect(await fallbackOf({ fallbackModel: null })).toBeNull();
    const { items } = await world.client.get<{ items: { model: string }[] }>('/v1/models');
    expect(items.map(({ model }) => model)).toContain('compatible/stands-in');
    // No model stands in for itself.
    expect(await fallbackOf({ model: 'compatible/stands-in' })).toBeNull();
  });

  test('CFG-4 tools from text that the service does not read are refused at the start', async () => {
    const body = await wanted({ textTokens: true });
    expect(await problemOf(world.client.send('POST', '/v1/goals', body))).toMatchObject({
      code: 'invalid_request',
      field: 'textTokens',
    });
  });

  test('CFG-13 the command line amends by a file whatever an amendment may say, and flags win', async () => {
    const { goalId } = await world.start(await wanted({ criteria: [] }));
    const change = join(folder, 'change.yaml');
    const list = join(folder, 'criteria.json');
    writeFileSync(
      change,
      `policy: {onUnknown: ask, continuation: {chainLength: 3}}
budget: {turns: 50, tokens: 70000}
criteria: [{kind: git, clean: true}]
priority: 4`,
    );
    writeFileSync(list, '[{"kind": "file", "path": "a.txt", "exists": true}]');
    const environment = { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.admin };
    const amend = (...args: string[]) =>
      start(['amend', goalId, '--json', '--file', change, ...args], environment).done;
    const { out } = await amend('--budget-turns', '45');
    expect(JSON.parse(out)).toMatchObject({
      policy: { onUnknown: 'ask', continuation: { chainLength: 3 } },
      budget: { turns: 45, tokens: 70_000 },
      criteria: [{ spec: { kind: 'git' } }],
      priority: 4,
    });
    const other = await amend('--criterion', 'make', '--criteria-file', list);
    expect(JSON.parse(other.out)).toMatchObject({
      criteria: [{ spec: { kind: 'command' } }, { spec: { kind: 'file' } }],
    });
    writeFileSync(change, 'polcy: {}');
    const wrong = await amend();
    expect([wrong.exitCode, wrong.out]).toEqual([3, expect.stringContaining('polcy')]);
    await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});
  });

  test('CFG-9 a goal keeps what it has under a lower maximum, and is amended in all else', async () => {
    const { goalId } = await world.start(await wanted({ criteria: [] }));
    const amend = (change: object) =>
      world.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, change);
    writeFileSync(path, JSON.stringify({ ...file, budget: { maximum: { turns: 10 } } }));
    world.reread();
    expect(await amend({ priority: 2 })).toMatchObject({ priority: 2, budget: { turns: 40 } });
    expect(await amend({ budget: { tokens: 90_000 } })).toMatchObject({
      budget: { turns: 40, tokens: 90_000 },
    });
    expect(await problemOf(amend({ budget: { turns: 30 } }))).toMatchObject({
      code: 'budget_above_maximum',
      field: 'budget.turns',
      maximum: 10,
    });
    writeFileSync(path, JSON.stringify(file));
    world.reread();
    await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});
  });

  test('CFG-9 a running worker offers what the file says by now, and knows its words', async () => {
    const words = { phrases: { intent: ['full steam ahead'] }, tools: { wait_for: false } };
    writeFileSync(path, JSON.stringify({ ...file, ...words }));
    world.reread();
    offered.length = 0;
    const { goalId } = await world.start(await wanted());
    await world.until(goalId, ({ pause }) => pause?.reason === 'question');
    const { items } = await world.client.get<{ items: Turn[] }>(`/v1/goals/${goalId}/turns`);
    expect(items.find(({ turn }) => turn === 1)?.decision?.score).not.toMatchObject({ intent: 25 });
    const names = new Set(offered.flat());
    expect(['delegate', 'wait_for'].map((name) => names.has(name))).toEqual([true, false]);
    writeFileSync(path, JSON.stringify(file));
    world.reread();
  });

  test('ROLE-2 a program asks for less of the budget, not for more, and gives no setup', async () => {
    const agent = createClient({ url: world.url, token: TOKENS.agent });
    const { goalId } = await world.start(await wanted({ criteria: [] }));
    const { workspace } = await world.get(goalId);
    const ask = (more: object) =>
      agent.send<Goal>('POST', '/v1/goals/estimate', {
        objective: 'Write it',
        workspace: { name: workspace.name },
        ...more,
      });
    expect(await ask({ budget: { turns: 40 } })).toMatchObject({ budget: { turns: 40 } });
    expect(await problemOf(ask({ budget: { turns: 41 } }))).toMatchObject({
      field: 'budget.turns',
    });
    expect(await problemOf(ask({ setup: ['curl x'] }))).toMatchObject({
      code: 'forbidden',
      field: 'setup',
    });
    await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});
  });
});
