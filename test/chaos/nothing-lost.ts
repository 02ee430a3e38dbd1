import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { Outcome } from '../../schema/ledger.ts';
import type { TodoItem } from '../../schema/todo.ts';
import { readProcess } from '../../src/process/process-identity.ts';
import type { GoalWorld } from '../support/goal-world.ts';
import type { ChaosGoal } from './scenario.ts';
import { FIRST, SECOND, TODOS } from './script.ts';
import type { Wrong } from './tally.ts';

/** What must hold however often and wherever the worker died. */
export async function assertNothingLost(world: GoalWorld, chaos: ChaosGoal): Promise<void> {
  for (const [, assert] of PARTS) await assert(world, chaos);
}

/** What of it does not hold, each with its words. */
export async function wrongOf(
  world: GoalWorld,
  chaos: ChaosGoal,
): Promise<readonly { readonly wrong: Wrong; readonly said: string }[]> {
  const found: { wrong: Wrong; said: string }[] = [];
  for (const [wrong, assert] of PARTS)
    await assert(world, chaos).catch((error: unknown) => {
      found.push({ wrong, said: `${chaos.goalId}: ${(error as Error).message}` });
    });
  return found;
}

type Assert = (world: GoalWorld, chaos: ChaosGoal) => Promise<void>;

const PARTS: readonly (readonly [Wrong, Assert])[] = [
  ['stuck', assertProven],
  ['doubled', assertEffects],
  ['overspent', async (world, { goalId }) => assertCharges(world, await world.get(goalId))],
  ['overspent', (world, { goalId, requests }) => assertAskedOnce(world, goalId, requests())],
  ['lost', (world, { goalId }) => assertTodos(world, goalId)],
  ['lost', (world, { goalId }) => assertResults(world, goalId)],
  ['lost', (world, { goalId }) => assertDecisions(world, goalId)],
  ['lost', (world, { goalId }) => assertSequences(world, goalId)],
  ['lost', (world, { goalId, said }) => assertHeard(world, goalId, said)],
];

async function assertProven(world: GoalWorld, { goalId, path }: ChaosGoal): Promise<void> {
  const goal = await world.get(goalId);
  expect(goal.status).toBe('complete');
  expect(goal.completion?.verification).toBe('verified');
  expect(await readFile(join(path, 'answer.txt'), 'utf8')).toBe('42\n');
}

/** The ledger's chain holds, and what it says of the commands is what they left in the files. */
async function assertEffects(world: GoalWorld, { goalId, path }: ChaosGoal): Promise<void> {
  const { chain } = await world.client.get<{ chain: { holds: boolean } }>(
    `/v1/goals/${goalId}/ledger?limit=1`,
  );
  expect(chain.holds).toBe(true);
  const ends = await world.database<CommandEnd[]>`
    SELECT outcome, body->'receipt'->>'command' AS command,
      (outcome = 'failed' AND body->'receipt'->>'reason' = 'cancelled') IS TRUE AS "isCancelled"
    FROM ledger
    WHERE goal_id = ${goalId} AND phase = 'settled' AND tool = 'run_command'`;
  await assertEffect(join(path, 'first.log'), FIRST, ends);
  await assertEffect(join(path, 'second.log'), SECOND, ends);
  const stops = await world.database`
    SELECT 1 FROM event WHERE goal_id = ${goalId} AND type IN ('goal.paused', 'goal.messaged')`;
  const cancelled = ends.filter(({ isCancelled }) => isCancelled).length;
  expect(cancelled, 'cancelled commands, each by a person').toBeLessThanOrEqual(stops.count);
}

interface CommandEnd {
  readonly outcome: Outcome;
  readonly command: string;
  /** A person stopped the goal, before it began or while it ran. */
  readonly isCancelled: boolean;
}

/** Once, or as often more as a receipt says that it was cancelled or that its end was not seen. */
async function assertEffect(
  log: string,
  command: string,
  ends: readonly CommandEnd[],
): Promise<void> {
  const mine = ends.filter((end) => end.command === command);
  const times = (outcome: Outcome) => mine.filter((end) => end.outcome === outcome).length;
  const cancelled = mine.filter(({ isCancelled }) => isCancelled).length;
  const more = times('unknown') + cancelled;
  expect(times('succeeded'), `${command}: receipts of success; ${more} in doubt`).toBe(1);
  expect(times('failed') - cancelled, `${command}: receipts of failure`).toBe(0);
  const runs = (await readFile(log, 'utf8')).trimEnd().split('\n').length;
  expect(runs, `${command}: runs`).toBeGreaterThanOrEqual(1);
  expect(runs, `${command}: runs`).toBeLessThanOrEqual(1 + more);
}

/** Each attempt of a step is charged once, by what was reported or marked as estimated. */
async function assertCharges(world: GoalWorld, goal: Goal): Promise<void> {
  const [sums] = await world.database`
    SELECT sum(input_tokens)::int AS input, sum(cached_input_tokens)::int AS cached,
      sum(output_tokens)::int AS output, sum(cost_usd)::float AS cost,
      count(*) FILTER (WHERE state <> 'failed' OR input_tokens > 0)::int AS steps,
      count(*) FILTER (WHERE state = 'sent')::int AS open,
      count(*) FILTER (WHERE state = 'lost' AND NOT is_estimated)::int AS unmarked
    FROM step WHERE goal_id = ${goal.goalId}`;
  const { inputTokens, cachedInputTokens, outputTokens, costUsd, steps } = goal.usage;
  expect(sums).toEqual({
    input: inputTokens,
    cached: cachedInputTokens,
    output: outputTokens,
    cost: Number(costUsd),
    steps,
    open: 0,
    unmarked: 0,
  });
  const doubled = await world.database`
    SELECT turn, kind, step FROM step WHERE goal_id = ${goal.goalId} AND state = 'committed'
    GROUP BY turn, kind, step HAVING count(*) > 1`;
  expect(doubled.count).toBe(0);
}

/** No model was asked without an attempt that says so and is charged. */
async function assertAskedOnce(world: GoalWorld, goalId: string, requests: number): Promise<void> {
  const attempts = await world.database`SELECT 1 FROM step WHERE goal_id = ${goalId}`;
  expect(requests).toBeGreaterThan(0);
  expect(requests).toBeLessThanOrEqual(attempts.count);
}

/** The list is what the model wrote and signed off, and each call changed it once. */
async function assertTodos(world: GoalWorld, goalId: string): Promise<void> {
  const lists = await world.database<{ revision: number; items: TodoItem[]; changed: boolean }[]>`
    SELECT t.revision, t.items, l.outcome = 'succeeded' AS changed
    FROM todo_list t LEFT JOIN ledger l
      ON l.goal_id = t.goal_id AND l.call_id = t.call_id AND l.phase = 'settled'
    WHERE t.goal_id = ${goalId} ORDER BY t.revision`;
  expect(lists.map(({ revision, changed }) => ({ revision, changed }))).toEqual(
    [1, 2, 3].map((revision) => ({ revision, changed: true })),
  );
  expect(
    lists.at(-1)?.items.map(({ id, content, status, level, result }) => ({
      ...{ id, content, status, level, result },
    })),
  ).toEqual([
    { id: 't1', content: TODOS[0], status: 'completed', level: 0, result: 'It is written.' },
    { id: 't2', content: TODOS[1], status: 'completed', level: 0, result: 'It is checked.' },
  ]);
}

/** Each call that the model asked for has exactly one result, and no result speaks of another. */
async function assertResults(world: GoalWorld, goalId: string): Promise<void> {
  const unpaired = await world.database`
    WITH asked AS (
      SELECT call->>'callId' AS call_id, message.seq FROM message,
        jsonb_array_elements(coalesce(content->'calls', '[]')) AS call
      WHERE goal_id = ${goalId} AND voice = 'model'
    ), told AS (
      SELECT content->>'callId' AS call_id, count(*) AS times, min(seq) AS seq FROM message
      WHERE goal_id = ${goalId} AND voice = 'tool' GROUP BY 1
    )
    SELECT call_id, times FROM asked FULL JOIN told USING (call_id)
    WHERE asked.call_id IS NULL OR told.times IS DISTINCT FROM 1 OR told.seq < asked.seq`;
  expect([...unpaired]).toEqual([]);
  const unsettled = await world.database`
    SELECT call_id, array_agg(phase) AS phases FROM ledger
    WHERE goal_id = ${goalId} AND tool NOT LIKE 'check.%'
    GROUP BY call_id HAVING bool_or(phase = 'started') AND NOT bool_or(phase = 'settled')`;
  expect([...unsettled]).toEqual([]);
}

/** Turns follow each other, each is settled, and each has its one decision. */
async function assertDecisions(world: GoalWorld, goalId: string): Promise<void> {
  const turns = await world.database<{ turn: number; state: string; decided: number }[]>`
    SELECT turn, t.state, count(d.turn)::int AS decided
    FROM turn t FULL JOIN decision d USING (goal_id, turn)
    WHERE goal_id = ${goalId} GROUP BY turn, t.state ORDER BY turn`;
  expect([...turns]).toEqual(
    turns.map((_, index) => ({ turn: index + 1, state: 'settled', decided: 1 })),
  );
}

/** Numbers without gaps: what is missing would be seen. */
async function assertSequences(world: GoalWorld, goalId: string): Promise<void> {
  const { database } = world;
  for (const [table, last] of [
    ['event', 'event_seq'],
    ['message', 'message_seq'],
    ['ledger', 'ledger_seq'],
  ] as const) {
    const [row] = await database`
      SELECT count(*)::int AS count, min(seq) AS first, max(seq) AS last, j.last AS known
      FROM ${database(table)} JOIN (
        SELECT goal_id, ${database(last)} AS last FROM journal) j USING (goal_id)
      WHERE goal_id = ${goalId} GROUP BY j.last`;
    const { count } = row ?? {};
    expect({ table, ...row }).toEqual({ table, count, first: 1, last: count, known: count });
  }
}

/** What a person said and was told to be accepted stands in the conversation, once. */
async function assertHeard(
  world: GoalWorld,
  goalId: string,
  said: readonly string[],
): Promise<void> {
  const heard = await world.database<{ text: string }[]>`
    SELECT content->>'text' AS text FROM message
    WHERE goal_id = ${goalId} AND voice = 'person'`;
  const texts = heard.map(({ text }) => text);
  for (const text of said) expect(texts.filter((own) => own === text)).toEqual([text]);
  expect(new Set(texts).size).toBe(texts.length);
}

/** When everything has stopped, no helper that was ever recorded is alive. */
export async function assertNoOrphans(world: GoalWorld): Promise<void> {
  const helpers = await world.database<{ pid: number; started_at: string }[]>`
    SELECT helper_pid AS pid, helper_started_at AS started_at FROM attempt
    WHERE helper_pid IS NOT NULL`;
  expect(helpers.length).toBeGreaterThan(0);
  const alive = helpers.filter(({ pid, started_at }) => readProcess(pid)?.startedAt === started_at);
  expect(alive).toEqual([]);
}
