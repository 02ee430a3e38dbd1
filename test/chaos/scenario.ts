import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ChatRequest, reply, type Script, type ScriptedReply } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { readProcess } from '../../src/tools/effects/identity.ts';
import type { GoalWorld } from '../support/goal-world.ts';

interface Act {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** Has the model seen that it is done? */
  readonly isDone: (results: readonly string[]) => boolean;
}

const wasSeen = (results: readonly string[]): boolean =>
  results.some((text) => !/^(Outcome unknown|Not run)/.test(text));
const once = (results: readonly string[]): boolean => results.length > 0;

const FIRST = 'echo one >> first.log';
const SECOND = 'echo two >> second.log && test -f answer.txt';

/** Everything that a goal can do in this version, in an order that a model might choose. */
const ACTS: readonly Act[] = [
  {
    tool: 'todo_write',
    input: {
      todos: [
        { content: 'Write the answer', status: 'in_progress' },
        { content: 'Check the answer', status: 'pending' },
      ],
    },
    isDone: wasSeen,
  },
  { tool: 'read_file', input: { path: 'notes.txt' }, isDone: wasSeen },
  { tool: 'run_command', input: { command: FIRST }, isDone: wasSeen },
  { tool: 'attempt_completion', input: { result: 'Done already.' }, isDone: once },
  { tool: 'write_file', input: { path: 'answer.txt', content: '41\n' }, isDone: wasSeen },
  {
    tool: 'edit_file',
    input: { path: 'answer.txt', edits: [{ oldText: '41', newText: '42' }] },
    isDone: wasSeen,
  },
  {
    tool: 'complete_step',
    input: {
      step: '1',
      result: 'It is written.',
      evidence: [{ kind: 'diff', summary: 'the file', paths: ['answer.txt'] }],
    },
    isDone: (results) => results.some((text) => text.includes('[x]')),
  },
  { tool: 'ask_user', input: { question: 'Shall I check it?' }, isDone: once },
  { tool: 'run_command', input: { command: SECOND }, isDone: wasSeen },
  {
    tool: 'complete_step',
    input: {
      step: '2',
      result: 'It is checked.',
      evidence: [{ kind: 'verification', summary: 'the check', command: SECOND }],
    },
    isDone: (results) => results.some((text) => text.includes('Every item is completed')),
  },
  { tool: 'attempt_completion', input: { result: 'The answer is 42.' }, isDone: () => false },
];

/** Decides from the conversation alone, so that it goes on wherever a crash left it. */
export const chaosScript: Script = (request) => nextAct(request);

function nextAct(request: ChatRequest): ScriptedReply {
  const open = ACTS.find((act) => !act.isDone(resultsOf(request, act)));
  if (open === undefined) return reply.text('There is nothing left.');
  return reply.call(open.tool, open.input, `Now ${open.tool}.`);
}

function resultsOf(request: ChatRequest, { tool, input }: Act): string[] {
  const wanted = JSON.stringify(input);
  const ids = request.messages
    .flatMap(({ calls }) => calls)
    .filter((call) => call.tool === tool && call.input === wanted)
    .map(({ id }) => id);
  return request.messages
    .filter(({ role, callId }) => role === 'tool' && ids.includes(callId ?? ''))
    .map(({ text }) => text);
}

export async function startChaosGoal(world: GoalWorld): Promise<{ goalId: string; path: string }> {
  const path = await world.workspace({ 'notes.txt': 'The answer is 42.\n' });
  const { goalId } = await world.start({
    objective: 'Write the answer to answer.txt and check it.',
    criteria: [{ kind: 'command', command: 'grep -qx 42 answer.txt' }],
    workspace: { path },
  });
  return { goalId, path };
}

/** Plays the person: answers what is asked and resumes what is paused, until the goal is complete. */
export async function seeThrough(
  world: GoalWorld,
  goalId: string,
  timeoutMs = 60_000,
): Promise<Goal> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const left = Math.max(1, deadline - Date.now());
    const goal = await world.until(goalId, ({ status }) => status !== 'active', left);
    if (goal.status !== 'paused') return goal;
    const { questionId } = goal.pause ?? {};
    const [route, body] =
      questionId === undefined
        ? ['resume', {}]
        : ['answers', { questionId, text: 'Yes, check it.' }];
    await world.client.send('POST', `/v1/goals/${goalId}/${route}`, body);
  }
}

/** What must hold however often and wherever the worker died. */
export async function assertNothingLost(
  world: GoalWorld,
  { goalId, path }: { goalId: string; path: string },
): Promise<void> {
  const goal = await world.get(goalId);
  expect(goal.status).toBe('complete');
  expect(goal.completion?.verification).toBe('verified');
  expect(goal.todos).toMatchObject({ total: 2, done: 2 });
  expect(await readFile(join(path, 'answer.txt'), 'utf8')).toBe('42\n');
  const { items, chain } = await world.client.get<{
    items: LedgerRow[];
    chain: { holds: boolean };
  }>(`/v1/goals/${goalId}/ledger?limit=200`);
  expect(chain.holds).toBe(true);
  await assertEffect(path, 'first.log', FIRST, items);
  await assertEffect(path, 'second.log', SECOND, items);
  await assertCharges(world, goal);
  await assertDecisions(world, goalId);
  await assertNoOrphans(world, goalId);
}

/** Once, or as often more as a receipt says that an end was not seen. */
async function assertEffect(
  path: string,
  file: string,
  command: string,
  rows: readonly LedgerRow[],
): Promise<void> {
  const runs = (await readFile(join(path, file), 'utf8')).trimEnd().split('\n').length;
  const unknown = rows.filter(
    ({ outcome, receipt }) => outcome === 'unknown' && receipt?.command === command,
  ).length;
  expect(runs).toBeGreaterThanOrEqual(1);
  expect(runs).toBeLessThanOrEqual(1 + unknown);
}

async function assertCharges(world: GoalWorld, goal: Goal): Promise<void> {
  const [sums] = await world.database<{ tokens: number; open: number; twice: number }[]>`
    SELECT sum(input_tokens - cached_input_tokens + output_tokens)::int AS tokens,
      count(*) FILTER (WHERE state = 'sent')::int AS open,
      count(*) FILTER (WHERE state = 'lost' AND NOT is_estimated)::int AS twice
    FROM step WHERE goal_id = ${goal.goalId}`;
  expect(sums).toEqual({ tokens: goal.usage.tokens, open: 0, twice: 0 });
  const doubled = await world.database`
    SELECT turn, step FROM step WHERE goal_id = ${goal.goalId} AND state = 'committed'
    GROUP BY turn, step HAVING count(*) > 1`;
  expect(doubled.count).toBe(0);
}

async function assertDecisions(world: GoalWorld, goalId: string): Promise<void> {
  const undecided = await world.database`
    SELECT t.turn FROM turn t LEFT JOIN decision d USING (goal_id, turn)
    WHERE t.goal_id = ${goalId} AND (t.state <> 'settled' OR d.turn IS NULL)`;
  expect(undecided.count).toBe(0);
}

async function assertNoOrphans(world: GoalWorld, goalId: string): Promise<void> {
  const helpers = await world.database<{ pid: number; started_at: string }[]>`
    SELECT helper_pid AS pid, helper_started_at AS started_at FROM attempt
    WHERE goal_id = ${goalId} AND helper_pid IS NOT NULL`;
  const alive = helpers.filter(({ pid, started_at }) => readProcess(pid)?.startedAt === started_at);
  expect(alive).toEqual([]);
}
