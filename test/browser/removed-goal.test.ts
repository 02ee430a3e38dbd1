import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { removeOldGoals } from '../../src/api/retention/rounds.ts';
import { aged, archiveFolder, removing } from '../support/removed-goals.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';
import { openConsole } from './open-console.ts';
import { wrongTexts } from './shown-texts.ts';

let world: ConsoleWorld;
let browser: Browser;
let folder: string;
openConsole(openConsoleWorld, async (opened) => {
  ({ world, browser } = opened);
  folder = await archiveFolder();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('KEEP-27: whatever leads to a goal that retention removed says so, when, and how its archive is read', async () => {
  const { goalId } = await world.open('Finish and be removed');
  const other = await world.open('Finish and stay');
  for (const one of [goalId, other.goalId])
    await world.until(one, ({ status }) => status === 'complete');
  // A tab that has the goal before it goes.
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}`);
  await page.locator('#turn-1').waitFor();
  await aged(world, goalId);
  expect(await removeOldGoals(removing(world, folder))).toBe(1);
  const archive = join(folder, `${goalId}.goal.jsonl`);
  const box = page.locator('.state-box').filter({ hasText: 'The goal was removed' });
  const expectTold = async () => {
    await box.getByText(`${goalId} was removed on `).waitFor();
    await box.getByText(`Its archive is ${archive} on `).waitFor();
    await box.getByText(`goalkeeper show --archive ${archive}`, { exact: true }).waitFor();
    expect(await box.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await page.getByText('could not be loaded').count()).toBe(0);
    expect(await wrongTexts(page)).toEqual([]);
  };
  await page.getByRole('link', { name: 'Ledger' }).click();
  await expectTold();
  for (const rest of ['', '/changes', '/gate', '/proof', '/history', '/ledger', '/turns/1']) {
    await page.goto(`${world.url}/goals/${goalId}${rest}`);
    await page.getByRole('heading', { level: 1, name: 'The goal was removed' }).waitFor();
    await expectTold();
    await page.getByRole('link', { name: 'Back to goals' }).waitFor();
  }
  for (const path of [`/goals/${other.goalId}/compare?with=${goalId}`, `/new?of=${goalId}`]) {
    await page.goto(world.url + path);
    await expectTold();
  }
  await context.close();
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 1024],
    ['dark', 390],
  ] as const) {
    const looking = await signedIn(browser, world.url, { theme, width, role: 'viewer' });
    await looking.page.goto(`${world.url}/goals/${goalId}`);
    await looking.page.getByRole('heading', { level: 1, name: 'The goal was removed' }).waitFor();
    await expectAccessible(looking.page);
    await expectNoSidewaysScroll(looking.page);
    await keepPicture(looking.page, `removed-${theme}-${width}`);
    await looking.context.close();
  }
  expect(complaints.filter((complaint) => !complaint.includes('status of 410'))).toEqual([]);
});
