import type { Database } from '../src/db/client.ts';
import { quantile, round } from './statistics.ts';
import { openWorld, type World } from './world.ts';

const GOALS = 2000;
const TURNS = 5000;
const REQUESTS = 60;

const lists = {
  byActor: '/v1/goals?group=actor&sort=updated&limit=100',
  byLimit: '/v1/goals?group=actor&sort=limit&limit=100',
  byCost: '/v1/goals?sort=cost&limit=100',
  needsYou: '/v1/goals?actor=You&sort=waiting&limit=20',
  search: '/v1/goals?q=module%201999&limit=100',
  counts: '/v1/goals/counts',
} as const;

const pages = {
  turns: 'turns?limit=30',
  timeline: 'timeline?limit=1000',
  todos: 'todos',
  gate: 'gate',
} as const;

/** The console's first pages over 2,000 goals, and over one goal of 5,000 turns; p95, milliseconds. */
export async function measureConsoleLists() {
  const world = await openWorld();
  try {
    const { goalId } = await world.start('ask 0');
    await world.until(goalId, ({ status }) => status !== 'active');
    await copyGoal(world.database, goalId);
    await addTurns(world.database, goalId);
    await world.database`ANALYZE`;
    const entries = [
      ...Object.entries(lists),
      ...Object.entries(pages).map(
        ([name, page]) => [`5000 turns: ${name}`, `/v1/goals/${goalId}/${page}`] as const,
      ),
    ];
    const figures: Record<string, number> = { goals: GOALS, turns: TURNS };
    for (const [name, path] of entries) figures[`${name} p95 ms`] = await p95(world, path);
    return figures;
  } finally {
    await world.close();
  }
}

async function p95({ client }: World, path: string): Promise<number> {
  const times: number[] = [];
  for (let request = 0; request < REQUESTS; request += 1) {
    const from = performance.now();
    await client.get(path);
    times.push(performance.now() - from);
  }
  return round(quantile(times, 0.95));
}

/** Rows as the service writes them, under other ids, spread over statuses and actors. */
export async function copyGoal(db: Database, goalId: string, copies = GOALS): Promise<void> {
  await db`
    INSERT INTO goal SELECT (jsonb_populate_record(c, jsonb_build_object(
      'goal_id', 'g-copy-' || n, 'thread_id', 't-copy-' || n,
      'objective', 'Rewrite module ' || n || ' without changing any public response',
      'status', (ARRAY['active', 'active', 'paused', 'complete'])[1 + n % 4],
      'activity', c.activity || jsonb_build_object('actor',
        (ARRAY['Agent', 'Clock', 'You', 'Provider', 'Team'])[1 + n % 5]),
      'run_id', 'copy-' || n, 'created_at', now() - n * interval '1 minute',
      'updated_at', now() - (n * 7919 % 100000) * interval '1 second'))).*
    FROM goal c, generate_series(1, ${copies}::int) n WHERE c.goal_id = ${goalId}`;
  await db`
    INSERT INTO journal SELECT (jsonb_populate_record(j, jsonb_build_object(
      'goal_id', 'g-copy-' || n, 'is_open', false, 'cost_usd', n / 100.0, 'turns', n % 90))).*
    FROM journal j, generate_series(1, ${copies}::int) n WHERE j.goal_id = ${goalId}`;
}

export async function addTurns(db: Database, goalId: string, turns = TURNS): Promise<void> {
  await db`
    INSERT INTO turn SELECT (jsonb_populate_record(t, jsonb_build_object('turn', n))).*
    FROM turn t, generate_series(2, ${turns}::int) n WHERE t.goal_id = ${goalId} AND t.turn = 1`;
  await db`
    INSERT INTO decision SELECT (jsonb_populate_record(d, jsonb_build_object('turn', n))).*
    FROM decision d, generate_series(2, ${turns}::int) n WHERE d.goal_id = ${goalId} AND d.turn = 1`;
  await db`
    INSERT INTO message SELECT (jsonb_populate_record(m, jsonb_build_object(
      'turn', n, 'seq', 1000 + n * 10 + m.seq))).*
    FROM message m, generate_series(2, ${turns}::int) n WHERE m.goal_id = ${goalId} AND m.turn = 1`;
}
