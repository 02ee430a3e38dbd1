import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { addTurns } from '../../bench/copied-goals.ts';
import { signedIn } from './browser.ts';
import type { ConsoleWorld } from './console-world.ts';

export async function pullRanges(world: ConsoleWorld, browser: Browser): Promise<void> {
  const { goalId } = await world.open('Finish a long walk');
  await world.until(goalId, ({ status }) => status === 'complete');
  await addTurns(world.database, goalId, 60);
  await world.database`
    UPDATE turn SET started_at = now() - make_interval(mins => 90 - turn),
      settled_at = now() - make_interval(mins => 90 - turn - CASE turn WHEN 60 THEN 29 ELSE 0 END, secs => -50)
    WHERE goal_id = ${goalId}`;
  await world.database`UPDATE goal SET updated_at = now() WHERE goal_id = ${goalId}`;
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}`);
  const pull = async (from: number, to: number) => {
    const boxes = [from, to].map((turn) => page.locator(`.lane i[title^="Turn ${turn}:"]`));
    const [start, end] = await Promise.all(boxes.map((box) => box.boundingBox()));
    if (!start || !end) throw new Error('the map lacks a turn');
    await page.mouse.move(start.x + 2, start.y + 4);
    await page.mouse.down();
    await page.mouse.move(end.x + Math.min(30, end.width - 2), end.y + 4, { steps: 4 });
    await page.locator('.time-range').waitFor();
    // Let go wherever the hand is by then.
    await page.mouse.move(end.x + Math.min(30, end.width - 2), end.y + 300);
    await page.mouse.up();
  };
  const expectTurns = (turns: readonly number[]) =>
    expect
      .poll(() => page.locator('.turn .turn-number').allTextContents())
      .toEqual(turns.map((turn) => String(turn)));
  await page.locator('#turn-60').waitFor();
  await page.keyboard.press('m');
  expect(await page.locator('#turn-20').count()).toBe(0);
  // The newest is open; closed, it tells a click on it from a pull.
  await page.locator('#turn-60 > button').click();
  await pull(12, 18);
  await page.getByText('7 in the selected time').waitFor();
  await expectTurns([18, 17, 16, 15, 14, 13, 12]);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.locator('#turn-20').waitFor();
  // Within one block it is no click on it.
  await pull(60, 60);
  await page.getByText('1 in the selected time').waitFor();
  await expectTurns([60]);
  expect(await page.locator('#turn-60 > button').getAttribute('aria-expanded')).toBe('false');
  await page.locator('.lane i[title^="Turn 12:"]').click();
  await page.locator('#turn-12.current').waitFor();
  expect(new URL(page.url()).search).toBe('?turn=12');
  expect(complaints).toEqual([]);
  await context.close();
}
