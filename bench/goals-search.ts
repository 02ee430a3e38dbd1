import type { Client } from '../src/cli/client.ts';
import type { Database } from '../src/store/client.ts';
import { copyGoal, fillCopies } from './copied-goals.ts';
import { quantile, round } from './statistics.ts';
import { openWorld } from './world.ts';

const GOALS = 2000;
const TRIES = 10;

interface Found {
  readonly items: readonly object[];
  readonly nextCursor: string | null;
}

/** The search over all of 2,000 goals with 200,000 rows of ledgers and 60,000 messages. */
export async function measureGoalsSearch() {
  const world = await openWorld();
  try {
    const { goalId } = await world.start('ask 0');
    await world.until(goalId, ({ status }) => status !== 'active');
    return await searchCopies(world, goalId);
  } finally {
    await world.close();
  }
}

async function searchCopies(
  { client, database }: { readonly client: Client; readonly database: Database },
  goalId: string,
) {
  await copyGoal(database, goalId, GOALS);
  await fillCopies(database, goalId, GOALS);
  await database`ANALYZE`;
  // The service looks after the copies too, and so changes their order.
  const wordsAt = async (part: number) => {
    const [goal] = await database<{ name: string }[]>`
      SELECT substr(goal_id, 8) AS name FROM goal WHERE goal_id LIKE 'g-copy-%'
      ORDER BY updated_at DESC OFFSET ${Math.floor(part * (GOALS - 1))} LIMIT 1`;
    return `--of module-${goal?.name}.js`;
  };
  const figures: Record<string, number> = {};
  for (const [name, words] of [
    ['in the goal that changed last', () => wordsAt(0)],
    ['in the middle', () => wordsAt(0.5)],
    ['in the goal that changed first', () => wordsAt(1)],
    ['nowhere', async () => 'nowhere to be found'],
    ['in each goal', async () => 'routes, and each'],
  ] as const) {
    const first: number[] = [];
    const whole: number[] = [];
    let pages = 0;
    for (let at = 0; at < TRIES; at += 1) {
      const told = await untilFound(client, await words());
      if (told.isFound === (name === 'nowhere')) throw new Error(`${name}: ${told.isFound}`);
      first.push(told.firstMs);
      whole.push(told.untilMs);
      pages = Math.max(pages, told.pages);
    }
    figures[`${name}: until found p50 ms`] = round(quantile(whole, 0.5));
    figures[`${name}: until found p95 ms`] = round(quantile(whole, 0.95));
    figures[`${name}: first page p95 ms`] = round(quantile(first, 0.95));
    figures[`${name}: pages`] = pages;
  }
  return figures;
}

/** As a person does who presses “Look further back” until there is something, or nothing left. */
async function untilFound(client: Client, words: string) {
  const began = performance.now();
  let firstMs = 0;
  let cursor: string | null = null;
  let pages = 0;
  let isFound = false;
  do {
    const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Found = await client.get(`/v1/search?q=${encodeURIComponent(words)}${from}`);
    pages += 1;
    if (pages === 1) firstMs = performance.now() - began;
    isFound = page.items.length > 0;
    cursor = isFound ? null : page.nextCursor;
  } while (cursor !== null);
  return { isFound, firstMs, untilMs: performance.now() - began, pages };
}
