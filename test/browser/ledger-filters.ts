import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { signedIn } from './browser.ts';
import { COUNTING, type ConsoleWorld } from './console-world.ts';
import { goTo } from './keyboard.ts';

export async function narrowLedger(world: ConsoleWorld, browser: Browser): Promise<void> {
  const { goalId } = await world.open('Hand two places over');
  await world.until(goalId, ({ status }) => status === 'complete');
  const { page, context, complaints } = await signedIn(browser, world.url);
  const ledger = `${world.url}/goals/${goalId}/ledger`;
  await page.goto(ledger);
  const expectRows = async (query: string, rows: readonly string[]) => {
    await expect
      .poll(() => page.locator('.ledger-row .ledger-arguments button').allTextContents())
      .toEqual(rows);
    await expect.poll(() => new URL(page.url()).search).toBe(query);
  };
  await page.getByRole('button', { name: 'src/index.js' }).waitFor();
  await page.getByLabel('Tool').selectOption('run_command');
  await expectRows('?tool=run_command', ['test -f nowhere', COUNTING]);
  await page.getByLabel('Result').selectOption('failed');
  await expectRows('?tool=run_command&outcome=failed', ['test -f nowhere']);
  await page.reload();
  await expectRows('?tool=run_command&outcome=failed', ['test -f nowhere']);
  expect(await page.getByLabel('Tool').inputValue()).toBe('run_command');
  expect(await page.getByLabel('Result').inputValue()).toBe('failed');
  await page.getByLabel('Tool').selectOption('');
  await page.getByLabel('Result').selectOption('');
  for (const [q, row] of [
    ['src/index', 'src/index.js'],
    ['seq 40', COUNTING],
    ['41 42 43', COUNTING],
  ] as const) {
    await page.getByLabel('Search the ledger').fill(q);
    await expectRows(`?${new URLSearchParams({ q })}`, [row]);
  }
  await page.goto(`${ledger}?q=41+42+43&tool=read_file`);
  await page.getByText('No call matches').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'src/index.js' }).waitFor();
  expect(new URL(page.url()).search).toBe('');

  await goTo(page, `/goals/${goalId}`);
  await page.locator('.live-head').waitFor();
  await page.keyboard.press('m');
  await page.getByRole('img', { name: / and 2 delegates from / }).waitFor();
  expect(await page.locator('.lane-names span').allTextContents()).toEqual([
    'main',
    'Note the first place',
    'Note the second place',
  ]);
  expect(await page.locator('.lane.small').count()).toBe(2);
  for (const lane of await page.locator('.lane.small').all()) {
    expect(await lane.locator('i.turn-kind-delegate').count()).toBe(1);
  }
  expect(complaints).toEqual([]);
  await context.close();
}
