import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatRequest, goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Delegate } from '../../schema/delegate.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { EffectsLost } from '../../src/workspace/helper/errors.ts';
import { claim, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import {
  blockIn,
  compactionsOf,
  counting,
  isForNotes,
  NOTES,
  openCrowdedGoals,
  part,
  requestsOf,
  SMALL,
  sectionOf,
  talker,
} from './compaction-world.ts';
import { ANTHROPIC, usageOf } from './provider-world.ts';

const wrongKey = reply.error(401, { error: { message: 'wrong key' } });

/** As many turns as asked for; most are one step, and long enough to fill the window soon. */
const TURNS = Number(process.env.GOALKEEPER_COMPACTED_TURNS ?? 30);
const PLAN = '# Plan\n1. read\n2. write `answer.txt`\n\n</plan> is no end of it';
const SAID = 'Never touch legacy/.\n  Use tabs; "quotes" and <b>tags</b> stay.';
const TODOS = [
  { content: 'Read <all> of it', status: 'in_progress' },
  { content: 'Write & check the answer', status: 'pending' },
];

const many: Script = counting((_request, step) => {
  if (step === 1) return reply.call('todo_write', { todos: TODOS });
  if (step === 2) return reply.call('update_plan', { markdown: PLAN });
  // Turns without any tool end a goal at last.
  if (step % 50 === 0) return reply.call('list_files', { glob: `none-${step}` });
  return reply.text(part(step));
});

/** Asks for a delegate that waits for a compaction, then talks until there is one. */
const hands: Script = counting((request, step) => {
  if (step === 1) {
    return reply.call('delegate', { task: 'look: it up', return: 'post_compaction' });
  }
  const tools = request.messages.flatMap(({ calls }) => calls.map(({ tool }) => tool));
  const isTold = request.messages.some(({ text }) => /<host[^>]*>\nDelegate d-/.test(text));
  if (isTold) return tools.includes('write_file') ? claim : write;
  return reply.text(step < 14 ? part(step) : 'Still at it.');
});

/** Kills each worker that it meets with a request that comes behind a compaction, once. */
function killsAfterCompaction(ports: TurnPorts): TurnPorts {
  const killed = new Set<string>();
  const { journal } = ports;
  return {
    ...ports,
    journal: {
      ...journal,
      async commitStep(fence, step) {
        const { compaction } = await journal.conversation(fence.goalId);
        if (compaction !== null && !killed.has(fence.goalId)) {
          killed.add(fence.goalId);
          throw new EffectsLost('this attempt is over');
        }
        return await journal.commitStep(fence, step);
      },
    },
  };
}

let goals: ScriptedGoals;
beforeAll(async () => {
  const notes =
    (script: Script): Script =>
    (request) =>
      isForNotes(request) ? reply.text(NOTES) : script(request);
  goals = await openCrowdedGoals(
    {
      talker: talker(() => reply.text(NOTES)),
      hands: notes(hands),
      many: notes(many),
      look: sequence([reply.call('list_files', {}), reply.text('Found: 42.')]),
      once: counting((_request, step) =>
        step === 1 ? reply.call('list_files', {}) : reply.text('Stopped.'),
      ),
      away: (request) => (request.model === 'small' ? sequence([write, claim])(request) : wrongKey),
    },
    { wrapPorts: killsAfterCompaction },
  );
});
afterAll(() => goals.world.close());

/** What the gate saw last of it is left out below. */
const byCommand = [{ kind: 'command' as const, command: 'test -f answer.txt' }];

/** The parts that no turn changes by itself, without what the gate saw last. */
const goalIn = (request: ChatRequest | undefined): string =>
  request === undefined
    ? ''
    : ['objective', 'criteria', 'todos', 'plan']
        .map((name) => sectionOf(blockIn(request), name))
        .join('\n')
        .replaceAll(' (in the proof run it exited 1)', '');

const hasNotes = ({ messages }: ChatRequest) => messages.some(({ text }) => text.includes(NOTES));

test('the goal stands in the first request, right after a compaction, and after a restart', async () => {
  const goal = await goals.run('talker', { model: SMALL, criteria: byCommand });
  expect(goal.status).toBe('complete');
  const requests = requestsOf(goals, goal.goalId);
  const after = requests.findIndex(hasNotes);
  const [first, compacted, restarted] = [requests[0], requests[after], requests[after + 1]];
  expect(goalIn(first)).toContain('<objective>\ntalker: go\n</objective>');
  expect(goalIn(compacted)).toBe(goalIn(first));
  expect(goalIn(restarted)).toBe(goalIn(first));
  expect(restarted?.messages.slice(0, -1)).toEqual(compacted?.messages.slice(0, -1));
});

test('the goal stands in a wrap-up, and in what a fallback model is asked', async () => {
  const limited = await goals.run('once', { model: SMALL, budget: { turns: 1 } });
  expect(limited.status).toBe('budget_limited');
  const wrapUp = requestsOf(goals, limited.goalId).at(-1);
  expect(blockIn(wrapUp as ChatRequest)).toMatch(/<why>[^<]*limit/);
  expect(goalIn(wrapUp)).toContain('once: go');
  const stoodIn = await goals.run('away', { model: ANTHROPIC, fallbackModel: SMALL });
  expect(stoodIn.status).toBe('complete');
  const asked = requestsOf(goals, stoodIn.goalId);
  expect(new Set(asked.map(({ model }) => model)).size).toBe(2);
  expect(new Set(asked.map((request) => sectionOf(blockIn(request), 'objective'))).size).toBe(1);
});

test('O31 a delegate that waits for a compaction begins after it, with a goal block of its own', async () => {
  const policy = { continuation: { toolFreeTurns: 100, turnsWithoutProgress: 1000 } };
  const goal = await goals.run('hands', { model: SMALL, policy });
  expect(goal.status).toBe('complete');
  expect((await compactionsOf(goals, goal.goalId)).length).toBeGreaterThan(0);
  const { items } = await goals.world.client.get<{ items: Delegate[] }>(
    `/v1/goals/${goal.goalId}/delegates`,
  );
  expect(items).toMatchObject([{ return: 'post_compaction', outcome: { kind: 'finding' } }]);
  const child = goals.world.model.requests.filter(
    (request) => goalIdOf(request) === items[0]?.goalId,
  );
  expect(child.map((request) => sectionOf(blockIn(request), 'objective'))).toEqual(
    child.map(() => '<objective>\nlook: it up\n</objective>'),
  );
  expect(child.length).toBeGreaterThan(1);
  const order = await goals.world.database<{ type: string }[]>`
    SELECT type FROM event WHERE goal_id = ${goal.goalId}
      AND type IN ('conversation.compacted', 'delegate.started', 'delegate.held') ORDER BY seq`;
  const types = order.map(({ type }) => type);
  expect(types.indexOf('delegate.started')).toBeGreaterThan(
    types.indexOf('conversation.compacted'),
  );
  expect(types.filter((type) => type === 'delegate.started')).toHaveLength(1);
});

test(`todo list, plan, criteria and people’s words are the same through ${TURNS} turns`, {
  tags: 'campaign',
  timeout: 300_000 + 5000 * TURNS,
}, async () => {
  const policy = { continuation: { toolFreeTurns: 100, turnsWithoutProgress: 1000 } };
  const budget = { turns: 3 * TURNS, tokens: 500_000_000 };
  const goalId = await goals.start('many', { model: SMALL, policy, budget, criteria: byCommand });
  await goals.asked(goalId);
  const { usage: before } = await goals.send(goalId, 'messages', {
    text: SAID,
    delivery: 'steer',
  });
  const enough = before.turns + TURNS;
  await goals.world.until(goalId, ({ usage }) => usage.turns >= enough, 4000 * TURNS);
  await goals.send(goalId, 'pause');
  await goals.rest(goalId);
  const wordsIn = ({ messages }: ChatRequest) =>
    messages.filter(({ role, text }) => role === 'user' && text === SAID).length;
  const requests = requestsOf(goals, goalId);
  const from = requests.findIndex(
    (request) => wordsIn(request) > 0 && goalIn(request).includes('# Plan'),
  );
  const later = requests.slice(from);
  expect(later.length).toBeGreaterThan(TURNS - 5);
  expect(new Set(later.map(goalIn)).size).toBe(1);
  expect(goalIn(later[0])).toContain('- [in_progress] t1: Read &lt;all> of it');
  expect(later.map(wordsIn)).toEqual(later.map(() => 1));
  const made = await goals.world.database<{ notes_by: string }[]>`
    SELECT notes_by FROM compaction WHERE goal_id = ${goalId}`;
  expect(made.length).toBeGreaterThanOrEqual(TURNS / 5);
  expect(new Set(made.map(({ notes_by }) => notes_by))).toEqual(new Set(['model']));
  const { usage, stepSums } = await usageOf(goals, goalId);
  expect([usage.tokens, usage.costUsd]).toEqual([stepSums.tokens, stepSums.costUsd]);
});

test('nothing of all this was asked without the goal', async () => {
  const asked = goals.world.model.requests.filter((request) => !isForNotes(request));
  const played = await goals.world.database<{ goal_id: string }[]>`SELECT goal_id FROM goal`;
  expect(played.length).toBeGreaterThan(1);
  const ids = played.map(({ goal_id: goalId }) => goalId);
  expect([...new Set(asked.map(goalIdOf))].sort()).toEqual(ids.sort());
  expect(asked.filter((request) => blockIn(request) === '').map(goalIdOf)).toEqual([]);
});
