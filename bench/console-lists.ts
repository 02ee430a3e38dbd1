import { measureConsoleStart } from './console-start.ts';
import { addTurns, copyGoal } from './copied-goals.ts';
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
    await copyGoal(world.database, goalId, GOALS);
    await addTurns(world.database, goalId, TURNS);
    await world.database`ANALYZE`;
    const entries = [
      ...Object.entries(lists),
      ...Object.entries(pages).map(
        ([name, page]) => [`5000 turns: ${name}`, `/v1/goals/${goalId}/${page}`] as const,
      ),
    ];
    const figures: Record<string, number> = { goals: GOALS, turns: TURNS };
    for (const [name, path] of entries) figures[`${name} p95 ms`] = await p95(world, path);
    return { ...figures, ...(await measureConsoleStart(world)) };
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
