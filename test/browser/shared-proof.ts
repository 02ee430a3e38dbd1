import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  pressTwice,
  signedIn,
} from './browser.ts';
import type { ConsoleWorld } from './console-world.ts';

/** A link is made by the dialog, read without a session in each theme and width, and taken back. */
export async function shareProofs(world: ConsoleWorld, browser: Browser): Promise<void> {
  const criteria = [{ kind: 'command', command: 'cat answer.txt' }];
  const { goalId } = await world.open('Finish one goal', { criteria });
  await world.until(goalId, ({ status }) => status === 'complete');
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const { page, context, complaints } = await signedIn(browser, world.url, { theme, width });
    await page.goto(`${world.url}/goals/${goalId}/proof`);
    await page.getByRole('button', { name: 'Share link…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('It ends in').selectOption('1');
    const make = dialog.getByRole('button', { name: 'Make the link' });
    const sent = await pressTwice(page, make);
    const link = (await dialog.locator('.share-link').textContent()) ?? '';
    const takeBack = dialog.getByRole('button', { name: /^Take back the link/ });
    await takeBack.waitFor();
    expect(sent).toHaveLength(1);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `share-${theme}`);
    await readLink(browser, link, theme);
    await takeBack.click();
    await takeBack.waitFor({ state: 'detached' });
    expect((await fetch(link)).status).toBe(410);
    expect(complaints).toEqual([]);
    await context.close();
  }
}

/** Whoever has it holds nothing else. */
async function readLink(browser: Browser, link: string, theme: 'light' | 'dark'): Promise<void> {
  const stranger = await browser.newContext({ colorScheme: theme });
  const page = await stranger.newPage();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const answer = await page.goto(link);
    expect(answer?.status()).toBe(200);
    await page.getByRole('heading', { name: 'Verified' }).waitFor();
    await page.locator('pre', { hasText: /^x$/ }).first().waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `linked-proof-${theme}-${width}`);
  }
  await stranger.close();
}
