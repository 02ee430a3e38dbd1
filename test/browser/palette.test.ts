import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';
import { openConsole } from './open-console.ts';

let world: ConsoleWorld;
let browser: Browser;
openConsole(openConsoleWorld, (opened) => {
  ({ world, browser } = opened);
});

const field = (page: Page) => page.getByRole('combobox', { name: 'Do or jump to' });
const current = (page: Page) => page.locator('.palette-entry[aria-selected="true"]');

/** Opens the palette, types, and waits until what is meant is chosen. */
async function choose(page: Page, query: string, words: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  await page.keyboard.type(query);
  await current(page).filter({ hasText: words }).waitFor();
}

test('CON-64: a goal is paused, told something, resumed and decided from the palette, by keyboard alone', async () => {
  const { goalId } = await world.open('Remove the old folder by palette');
  await world.until(goalId, ({ activity }) => activity.on === 'approval');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}`);
  await page.getByRole('heading', { name: /by palette$/ }).waitFor();
  const dialog = page.getByRole('dialog');

  await page.keyboard.press('Control+k');
  await page.locator('.palette-subject').getByText('You').waitFor();
  await page.getByRole('option', { name: /^Approve or decline: Run rm -rf src/ }).waitFor();
  await keepPicture(page, 'light-palette');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });

  await choose(page, 'pause', 'Pause this goal');
  await page.keyboard.press('Enter');
  await dialog.getByRole('heading', { name: 'Pause this goal?' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await choose(page, 'decline', 'Approve or decline');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Approve once' }).waitFor();
  await dialog.getByRole('button', { name: 'Approve once' }).press('Enter');
  await world.until(goalId, ({ status }) => status === 'complete');

  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-64: a found goal is acted on from any page, and a viewer is offered no act', async () => {
  const { goalId } = await world.open('Slow walk to be found');
  await world.until(goalId, ({ activity }) => activity.state === 'running');
  const { page, context } = await signedIn(browser, world.url, { theme: 'dark' });
  await page.goto(`${world.url}/inbox`);
  await page.locator('#main').waitFor();
  await choose(page, 'to be found', /Slow walk to be found/);
  await page.keyboard.press('ArrowRight');
  await page.locator('.palette-subject', { hasText: 'Slow walk' }).waitFor();
  await keepPicture(page, 'dark-palette-found');
  await expectAccessible(page);
  await page.keyboard.type('pause');
  await current(page).filter({ hasText: 'Pause this goal' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
  await world.until(goalId, ({ status }) => status === 'paused');
  expect(page.url()).toBe(`${world.url}/inbox`);
  await context.close();

  const viewer = await signedIn(browser, world.url, { role: 'viewer', width: 390 });
  await viewer.page.goto(`${world.url}/goals/${goalId}`);
  await viewer.page.getByRole('heading', { name: 'Slow walk to be found' }).waitFor();
  await viewer.page.keyboard.press('Control+k');
  await viewer.page.locator('.palette-subject').waitFor();
  await viewer.page.getByRole('option', { name: 'Changes' }).waitFor();
  expect(await viewer.page.getByRole('option', { name: /…$/ }).count()).toBe(0);
  await expectNoSidewaysScroll(viewer.page);
  await keepPicture(viewer.page, 'phone-palette-viewer');
  await expectAccessible(viewer.page);
  await viewer.context.close();
});

test('CON-65: turns are found by their words, calls by what they did, and a copy begins with the terms', async () => {
  const { goalId } = await world.open('Finish what is searched');
  await world.until(goalId, ({ status }) => status === 'complete');
  const get = async (query: string) =>
    (await world.client.get<{ items: unknown[] }>(`/v1/goals/${goalId}/turns?${query}`)).items;
  expect(await get('q=ANSWER%20down')).toHaveLength(1);
  expect(await get('q=no%25such')).toEqual([]);
  const { page, context } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}/proof`);
  await page.locator('.proof-page').waitFor();
  await page.getByRole('link', { name: 'Proof', exact: true }).waitFor();
  await keepPicture(page, 'light-proof-tab');
  await expectAccessible(page);
  await choose(page, 'answer.txt', /write_file answer\.txt/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('answer.txt').first().waitFor();
  await page.keyboard.press('Escape');
  await choose(page, 'duplicate', 'Start it again');
  await page.keyboard.press('Enter');
  await page.getByText(`The terms of ${goalId}.`).waitFor();
  expect(await page.getByLabel('Objective').inputValue()).toBe('Finish what is searched');
  expect(page.url()).toBe(`${world.url}/new`);
  await page.reload();
  expect(await page.getByLabel('Objective').inputValue()).toBe('Finish what is searched');
  await context.close();
});

test('CON-92: what a goal said is found among all goals, from any page, by keyboard alone', async () => {
  const { goalId } = await world.open('Finish where words are looked for');
  await world.until(goalId, ({ status }) => status === 'complete');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/schedules`);
  await page.locator('#main').waitFor();
  await choose(page, 'answer down', 'Search “answer down” in turns, messages and ledgers');
  await page.keyboard.press('Enter');
  const hit = page.getByRole('option', {
    name: /^Turn 1: I write the answer.*Finish where words/,
  });
  await hit.waitFor();
  await current(page).filter({ hasText: 'Turn 1: I write the answer down.' }).waitFor();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `light-palette-search-${width}`);
    await expectAccessible(page);
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(/\?turn=1$/);
  await page.locator('#turn-1.current, #turn-1 > button[aria-expanded="true"]').first().waitFor();
  // On a goal's page its own ledger comes first.
  await choose(page, 'medlar tree', '“medlar tree” in its whole ledger');
  await page.keyboard.press('ArrowDown');
  await current(page).filter({ hasText: 'Search “medlar tree”' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Nothing holds “medlar tree” in any goal' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

const TEMPLATES = `
templates:
  fix:
    parameters: {issue: {about: its number}}
    objective: "Finish issue {{issue}}"
`;

test('CON-101: a goal is started from a template of the workspace of the page’s goal, as it was seen before', async () => {
  const path = await world.workspace({ 'goalkeeper.yaml': TEMPLATES });
  const begun = { objective: 'Sleep beside templates', criteria: [], workspace: { path } };
  const { goalId, workspace } = await world.start(begun);
  const { page, context, complaints } = await signedIn(browser, world.url, { width: 390 });
  await page.goto(`${world.url}/goals/${goalId}`);
  await page.getByRole('heading', { name: 'Sleep beside templates' }).waitFor();
  await choose(page, 'template', `Start from a template of ${workspace.name}`);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Template', { exact: true }).selectOption('fix');
  await dialog.getByRole('button', { name: 'Start goal' }).click();
  await dialog.getByText('It has to be set.').waitFor();
  await dialog.getByLabel('issue', { exact: true }).fill('7');
  await dialog.getByText('"objective": "Finish issue 7"').waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'phone-start-from-template');
  await dialog.getByRole('button', { name: 'Start goal' }).click();
  await page.getByRole('heading', { name: 'Finish issue 7' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-66: a goal is retried from a turn: its files go back, and it goes on', async () => {
  const { goalId } = await world.open('Watch and retry');
  await world.until(goalId, ({ usage }) => usage.turns >= 2);
  await world.client.send('POST', `/v1/goals/${goalId}/pause`, {});
  await world.until(goalId, ({ status }) => status === 'paused');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}/turns/1`);
  await page.getByText('First token').waitFor();
  await page.getByRole('button', { name: 'Retry from here…' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The same request is not sent again.').waitFor();
  await keepPicture(page, 'light-retry');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Retry', exact: true }).press('Enter');
  await world.until(goalId, ({ status, usage }) => status === 'active' && usage.turns >= 3);
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'With another model…' }).press('Enter');
  await dialog.getByLabel('It begins with').waitFor();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
  await context.close();
});
