import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { copyGoal } from '../../bench/copied-goals.ts';
import { eventually } from '../support/eventually.ts';
import { signedIn } from './browser.ts';
import type { ConsoleWorld } from './console-world.ts';

/** `GOALKEEPER_MANY_GOALS=2000` for more. */
const GOALS = Number(process.env.GOALKEEPER_MANY_GOALS ?? 300);

/** Those that fit into 900 px, and some above and below. */
const MOST_ROWS = 45;

/** Rows that exist, rows that were made since `watchRows`, and the last one in sight. */
interface Rows {
  readonly exist: number;
  readonly made: number;
  readonly last: number;
  /** Is there one in the middle of what is seen, or would one look at nothing? */
  readonly isFilled: boolean;
}

const watchRows = (page: Page): Promise<unknown> =>
  page.evaluate(`
    globalThis.rowsMade = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) globalThis.rowsMade += addedNodes.length;
    }).observe(document.querySelector('.virtual-rows'), { childList: true });
    0`);

/** After the frame in which the last wheel was answered. */
const rowsNow = (page: Page): Promise<Rows> =>
  page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const rows = [...document.querySelectorAll('.virtual-rows .goal-row')];
      const seen = rows.filter((row) => row.getBoundingClientRect().top < innerHeight);
      const middle = document.elementFromPoint(innerWidth / 2, innerHeight * 0.6);
      resolve({
        exist: rows.length,
        made: globalThis.rowsMade,
        last: Math.max(...seen.map((row) => Number(row.getAttribute('aria-rowindex')))) - 1,
        isFilled: middle !== null && middle.closest('.goal-row') !== null,
      });
    }));
  })`);

const filledRows = (page: Page): Promise<Rows> =>
  eventually(async () => {
    const rows = await rowsNow(page);
    expect(rows.isFilled).toBe(true);
    return rows;
  });

/** Paths and queries of the pages of the list of goals that the browser asks for. */
function listsAskedBy(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/v1/goals') asked.push(search);
  });
  return asked;
}

/** Scrolling asks for each page once. News of a goal, or of a line that broke, has all read again. */
const expectWholeReads = (asked: readonly string[]): Promise<void> =>
  eventually(async () => {
    const pages = asked.filter((search) => search.includes('module'));
    const times = [...new Set(pages)].map((one) => pages.filter((page) => page === one).length);
    expect(times).toEqual(Array(GOALS / 100).fill(times[0]));
  });

export async function scrollThroughMany(world: ConsoleWorld, browser: Browser): Promise<void> {
  const { goalId } = await world.open('Finish to be copied');
  await world.until(goalId, ({ status }) => status === 'complete');
  await copyGoal(world.database, goalId, GOALS);
  await world.database`UPDATE goal SET run_id = NULL WHERE goal_id LIKE 'g-copy-%'`;
  const { page, context, complaints } = await signedIn(browser, world.url);
  const asked = listsAskedBy(page);
  await page.goto(`${world.url}/goals?group=none&sort=newest&q=Rewrite+module`);
  await page.locator('.goal-row[data-goal="g-copy-1"]').hover();
  await watchRows(page);
  for (let last = 0; last < GOALS; ) {
    await page.mouse.wheel(0, 2400);
    const rows = await filledRows(page);
    expect(rows.exist).toBeLessThanOrEqual(MOST_ROWS);
    last = rows.last;
  }
  const { made } = await rowsNow(page);
  expect(made).toBeLessThan(1.2 * GOALS);
  await page.locator(`.goal-row[data-goal="g-copy-${GOALS}"]`).waitFor();
  await expectWholeReads(asked);
  while ((await rowsNow(page)).last > 60) await page.mouse.wheel(0, -6000);
  await expectWholeReads(asked);
  expect(complaints).toEqual([]);
  await context.close();
}
