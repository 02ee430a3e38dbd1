import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { TOKENS } from '../support/goal-world.ts';
import { complaintsOf, expectAccessible, signedIn, test } from './browser.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';
import { openConsole } from './open-console.ts';

let world: ConsoleWorld;
let browser: Browser;
openConsole(openConsoleWorld, (opened) => {
  ({ world, browser } = opened);
});

test('C18 a person signs in, watches a goal, answers, decides, pauses and resumes it, and signs out', async () => {
  const asking = await world.open('Ask who owns the queue');
  const removing = await world.open('Remove the old folder');
  await world.until(asking.goalId, ({ status }) => status === 'paused');
  await world.until(removing.goalId, ({ activity }) => activity.on === 'approval');
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints = complaintsOf(page);

  await page.goto(`${world.url}/goals`);
  await page.getByLabel('Token').fill('not-a-token-of-this-service');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The token is not known here.').waitFor();
  await page.getByLabel('Token').fill(TOKENS.operator);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Goals' }).waitFor();
  const cookies = await context.cookies();
  expect(cookies.find(({ name }) => name === 'goalkeeper_session')).toMatchObject({
    httpOnly: true,
    sameSite: 'Strict',
  });
  const kept = await page.evaluate('document.cookie + JSON.stringify(localStorage)');
  expect(kept).not.toContain(TOKENS.operator);

  const inbox = page.getByRole('region', { name: 'Holding a goal' });
  await inbox.getByText('answer: Who owns “queue lag”?').click();
  await page.getByRole('button', { name: 'Platform' }).click();
  await page.getByText('Answered; the goal goes on.').waitFor();
  await world.until(asking.goalId, ({ status }) => status === 'complete');
  await page.locator('.goal-head').getByText('Complete', { exact: true }).waitFor();
  await page.getByText('Shown by test -f answer.txt').waitFor();

  await inbox.getByText('Remove the old folder').click();
  await page.getByRole('heading', { name: 'Remove the old folder' }).waitFor();
  await page.getByText('rm -rf src').first().waitFor();
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Decline…' }).click();
  await page.getByLabel('Reason, for the agent and the record').fill('Keep it for now.');
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await world.until(removing.goalId, ({ status }) => status === 'complete');
  await inbox.getByText('Nothing waits for you.').waitFor();

  await dialogClosed(page);
  await page.keyboard.press('n');
  await page.getByLabel('Objective').fill('Slow walk through the code');
  await page.getByLabel('Criterion 1', { exact: true }).fill('test -f answer.txt');
  await page.getByLabel('Workspace').fill(await world.workspace({ 'package.json': '{}' }));
  await page.getByRole('button', { name: 'Start goal' }).click();
  await page.getByRole('heading', { name: 'Slow walk through the code' }).waitFor();
  const watchedId = page.url().split('/').at(-1) ?? '';
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await page.getByRole('link', { name: 'Slow walk through the code' }).click();
  await page.getByRole('button', { name: 'Raise budget' }).waitFor();
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Pause', exact: true }).last().click();
  await page.locator('.goal-head').getByText('Paused', { exact: true }).waitFor();
  expect((await world.get(watchedId)).pause?.reason).toBe('person');
  await dialogClosed(page);
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click();
  await page.locator('.goal-head').getByText('Active', { exact: true }).waitFor();

  await dialogClosed(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Do or jump to' }).fill('goals');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  const row = page.locator(`.goal-row[data-goal="${watchedId}"]`);
  for (const [act, status] of [
    ['Pause', 'paused'],
    ['Resume', 'active'],
  ] as const) {
    await row.getByLabel(`Select ${watchedId}`).check();
    await page.getByRole('toolbar', { name: 'Selected goals' }).getByText(act).click();
    await page.getByRole('dialog').getByRole('button', { name: act, exact: true }).click();
    await row.getByText(status === 'paused' ? 'Paused' : 'Active', { exact: true }).waitFor();
    expect((await world.get(watchedId)).status).toBe(status);
  }
  expect(complaints).toEqual([]);

  await page.getByTitle(/^Signed in as/).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  const after = await context.request.get(`${world.url}/v1/goals`, {
    headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
  });
  expect(after.status()).toBe(401);
  await context.close();
});

test('two tabs edit one goal: the second sees both versions, and nothing typed is lost', async () => {
  const { goalId } = await world.open('Slow edit of one objective');
  const { page: one, context } = await signedIn(browser, world.url);
  const two = await context.newPage();
  for (const page of [one, two]) {
    await page.goto(`${world.url}/goals/${goalId}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
  }
  await one.getByRole('textbox', { name: 'Objective' }).fill('Theirs, and first');
  await one.getByRole('button', { name: 'Save' }).click();
  await one.getByRole('heading', { name: 'Theirs, and first' }).waitFor();
  await two.getByRole('textbox', { name: 'Objective' }).fill('Mine, typed with care');
  await two.getByRole('button', { name: 'Save' }).click();
  const dialog = two.getByRole('dialog');
  await dialog.getByText('Someone changed this goal first').waitFor();
  expect(await dialog.locator('.version').allTextContents()).toEqual([
    'Theirs, and first',
    'Mine, typed with care',
  ]);
  await dialog.getByRole('button', { name: /Save mine over revision/ }).click();
  await one.getByRole('heading', { name: 'Mine, typed with care' }).waitFor();
  expect((await world.get(goalId)).objective).toBe('Mine, typed with care');
  await context.close();
});

test('a viewer sees no yellow and no action that is not theirs', async () => {
  const { goalId } = await world.open('Ask a viewer');
  await world.until(goalId, ({ status }) => status === 'paused');
  const { page, context } = await signedIn(browser, world.url, { role: 'viewer' });
  await page.goto(`${world.url}/goals/${goalId}`);
  await page.getByText('answer: Who owns').first().waitFor();
  expect(
    await page.locator('.ask-bar, .actor-chip.you, .tag.tone-keeper, .keeper-count').count(),
  ).toBe(0);
  expect(await page.getByRole('button', { name: /Edit|Raise budget|Resume/ }).count()).toBe(0);
  await context.close();
});

/** The stream may tell of an act before its answer closes the dialog, in which single keys are off. */
const dialogClosed = (page: Page): Promise<void> =>
  page.getByRole('dialog').waitFor({ state: 'detached' });

/** The page also tries by itself, and may be back before anybody can press the button. */
