import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Goal } from '../schema/goal.ts';
import { signInBrowser } from '../scripts/screens/sign-in.ts';
import { addTurns } from './copied-goals.ts';
import { median, round } from './statistics.ts';
import { asksAtLast, openWorld, type World } from './world.ts';

const TURNS = 5000;
const FILES = 3000;
const LOADS = 7;
/** Two model calls and one call of a tool a turn, which is a turn every three seconds. */
const PACE_MS = 1400;
const WATCHED_MINUTES = 30;
const LOOK_MINUTES = 5;
/** The console keeps what nobody looks at for five minutes. */
const FORGOTTEN_MS = 330_000;

type Figures = Record<string, number>;

/** Large pages as they open. */
export const measureConsolePages = (): Promise<Figures> => inBrowser(openings);
/** The memory of tabs that are watched for long. */
export const measureConsoleHeap = (): Promise<Figures> => inBrowser(memory);

async function inBrowser(
  measure: (browser: Browser, world: World) => Promise<Figures>,
): Promise<Figures> {
  const world = await openWorld();
  const browser = await chromium.launch({
    executablePath: process.env.GOALKEEPER_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--js-flags=--expose-gc'],
  });
  try {
    return await measure(browser, world);
  } finally {
    await browser.close();
    await world.close();
  }
}

async function openings(browser: Browser, world: World): Promise<Figures> {
  const long = await world.start('ask 0');
  const wide = await world.start(`files ${FILES}`);
  await world.until(long.goalId, asksAtLast);
  await world.until(wide.goalId, asksAtLast);
  await addTurns(world.database, long.goalId, TURNS);
  await world.database`ANALYZE`;
  const opened = [
    [`a goal of ${TURNS} turns`, `/goals/${long.goalId}`, '[id^="turn-"]'],
    [`a diff of ${FILES} files`, `/goals/${wide.goalId}/changes`, '.tree-file'],
  ] as const;
  const figures: Figures = {};
  for (const [name, path, until] of opened) {
    for (const [from, measure] of [
      ['an empty browser', loads],
      ['the open console', opens],
    ] as const) {
      const times = await measure(browser, world, path, until);
      figures[`${name}, from ${from}, median ms`] = round(median(times));
      figures[`${name}, from ${from}, longest ms`] = round(Math.max(...times));
    }
  }
  const path = `/v1/goals/${wide.goalId}/changes?limit=${FILES}`;
  const asked: number[] = [];
  for (let request = 0; request < LOADS; request += 1) {
    const from = performance.now();
    await world.client.get(path);
    asked.push(performance.now() - from);
  }
  return { ...figures, [`the list of ${FILES} changes, median ms`]: round(median(asked)) };
}

async function signedIn(browser: Browser, { url, config }: World): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await signInBrowser(context, url, config.tokens[0]?.token ?? '');
  return context;
}

/** In a browser that has nothing of the console yet. */
async function loads(browser: Browser, world: World, path: string, until: string) {
  const times: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const context = await signedIn(browser, world);
    const page = await context.newPage();
    await page.goto(world.url + path);
    await page.locator(until).first().waitFor();
    times.push(await page.evaluate<number>('performance.now()'));
    await context.close();
  }
  return times;
}

/** As a link of the list leads there; the first time is not counted, because it compiles the page. */
async function opens(browser: Browser, world: World, path: string, until: string) {
  const context = await signedIn(browser, world);
  const page = await context.newPage();
  const times: number[] = [];
  await page.goto(`${world.url}/goals`);
  for (let load = 0; load <= LOADS; load += 1) {
    await page.locator('.goal-row').first().waitFor();
    const from = await page.evaluate<number>(
      `(history.pushState(null, '', ${JSON.stringify(path)}), performance.now())`,
    );
    await page.locator(until).first().waitFor();
    times.push((await page.evaluate<number>('performance.now()')) - from);
    await page.evaluate(`history.pushState(null, '', '/goals')`);
  }
  await context.close();
  return times.slice(1);
}

/** What is left after a collection, of the list and of the goal's own page, while a goal works. */
async function memory(browser: Browser, world: World): Promise<Figures> {
  const context = await signedIn(browser, world);
  const { goalId } = await world.start(`paced ${PACE_MS}`);
  const pages = { list: '/goals', goal: `/goals/${goalId}` } as const;
  const tabs: [name: string, page: Page][] = [];
  for (const [name, path] of Object.entries(pages)) {
    const page = await context.newPage();
    await page.goto(world.url + path);
    tabs.push([name, page]);
  }
  const figures: Figures = {};
  const look = async (when: string) => {
    for (const [name, page] of tabs)
      figures[`heap of the ${name} ${when}, MB`] = await heapOf(page);
  };
  const from = performance.now();
  for (let minutes = LOOK_MINUTES; minutes <= WATCHED_MINUTES; minutes += LOOK_MINUTES) {
    await delay(from + minutes * 60_000 - performance.now());
    await look(`after ${minutes} minutes`);
  }
  const { usage } = await world.client.get<Goal>(`/v1/goals/${goalId}`);
  await world.client.send('POST', `/v1/goals/${goalId}/pause`, {});
  await world.until(goalId, ({ status }) => status === 'paused');
  await delay(FORGOTTEN_MS);
  await look('once the past is forgotten');
  const [row] = await world.database<[{ events: number }]>`
    SELECT count(*)::int AS events FROM event WHERE goal_id = ${goalId}`;
  await context.close();
  return { ...figures, 'turns of the goal': usage.own.turns, 'events of it': row.events };
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return round(usedSize / 1e6, 1);
}
