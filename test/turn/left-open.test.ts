import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { ModelPort } from '../../src/contract/model.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { EffectsLost } from '../../src/workspace/helper/errors.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const COMMAND = 'echo ran >> effects.log';
const criteria = [{ kind: 'command' as const, command: 'grep -qx 42 answer.txt' }];

const script: Script = sequence([
  reply.calls([
    { tool: 'run_command', input: { command: COMMAND } },
    { tool: 'read_file', input: { path: 'notes.txt' } },
  ]),
  reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
  reply.call('attempt_completion', { result: 'It is there.' }),
]);

/** The attempt dies right after a person has paused its goal, at this place, once. */
const dying: { at: Place | null; goal: Promise<Goal> | null } = { at: null, goal: null };
type Place = 'command' | 'model';

async function dieWhilePaused(place: Place): Promise<void> {
  if (dying.at !== place) return;
  dying.at = null;
  const goal = await dying.goal;
  await world.client.send('POST', `/v1/goals/${goal?.goalId}/pause`, {});
  throw new EffectsLost('this attempt is over');
}

function wrapPorts(ports: TurnPorts): TurnPorts {
  const model = Object.create(ports.model) as ModelPort;
  return {
    ...ports,
    model: Object.assign(model, {
      async call(request: Parameters<ModelPort['call']>[0]) {
        const answer = await ports.model.call(request);
        await dieWhilePaused('model');
        return answer;
      },
    }),
    startEffects(...given) {
      const effects = ports.startEffects(...given);
      return {
        writeFile: (file) => effects.writeFile(file),
        placeEntry: (order) => effects.placeEntry(order),
        close: () => effects.close(),
        async runCommand(order) {
          const ran = await effects.runCommand(order);
          if (order.command === COMMAND) await dieWhilePaused('command');
          return ran;
        },
      };
    },
  };
}

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script: (request) => script(request), worker: false });
  await world.startWorker(wrapPorts);
});
afterAll(() => world.close());

async function pausedInThe(place: Place, policy = {}): Promise<[string, string]> {
  const path = await world.workspace({ 'notes.txt': 'The answer is 42.\n' });
  dying.at = place;
  dying.goal = world.start({
    objective: 'Write the answer',
    criteria,
    workspace: { path },
    policy,
  });
  const { goalId } = await dying.goal;
  await world.until(goalId, ({ status }) => status === 'paused');
  await expect
    .poll(
      async () => {
        const turns = await world.database`
        SELECT 1 FROM turn WHERE goal_id = ${goalId} AND state = 'settled'`;
        return turns.count;
      },
      { timeout: 120_000 },
    )
    .toBe(1);
  return [goalId, path];
}

const resume = (goalId: string) => world.client.send('POST', `/v1/goals/${goalId}/resume`, {});

test('M22 a command that died under a pause is told as unknown when the goal goes on', async () => {
  const [goalId, path] = await pausedInThe('command');
  await resume(goalId);
  await world.until(goalId, ({ status }) => status === 'complete');
  const rows = await world.database<{ tool: string; outcome: string }[]>`
    SELECT tool, outcome FROM ledger
    WHERE goal_id = ${goalId} AND phase = 'settled' AND turn = 1 AND tool NOT LIKE 'check.%'
    ORDER BY seq`;
  expect([...rows]).toEqual([
    { tool: 'run_command', outcome: 'unknown' },
    { tool: 'read_file', outcome: 'refused' },
  ]);
  expect(await readFile(join(path, 'effects.log'), 'utf8')).toBe('ran\n');
  const heard = world.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
  expect(heard?.[0]?.text).toMatch(/^Outcome unknown/);
  expect(heard?.[1]?.text).toMatch(/^Not run/);
});

test('M22 with policy "ask" a person looks at it before the goal goes on', async () => {
  const [goalId] = await pausedInThe('command', { onUnknown: 'ask' });
  const asked = world.model.requests.length;
  await resume(goalId);
  const { pause } = await world.until(
    goalId,
    (goal) => goal.status === 'paused' && goal.usage.turns === 2,
  );
  expect(pause?.reason).not.toBe('person');
  expect(world.model.requests.length).toBe(asked);
});

test('M6 a model call that died under a pause is charged its estimate, once, when the goal goes on', async () => {
  const [goalId] = await pausedInThe('model');
  await resume(goalId);
  const { usage } = await world.until(goalId, ({ status }) => status === 'complete');
  const steps = await world.database<{ state: string; is_estimated: boolean; tokens: number }[]>`
    SELECT state, is_estimated, input_tokens - cached_input_tokens + output_tokens AS tokens
    FROM step WHERE goal_id = ${goalId} ORDER BY turn, step, attempt`;
  expect(steps[0]).toMatchObject({ state: 'lost', is_estimated: true });
  expect(steps.slice(1).map(({ state }) => state)).not.toContain('sent');
  expect(usage.tokens).toBe(steps.reduce((sum, { tokens }) => sum + tokens, 0));
});
