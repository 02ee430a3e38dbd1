import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startCuttableProxy } from '../api/cuttable-proxy.ts';
import { TOKENS } from '../support/goal-world.ts';
import {
  complaintsOf,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { type ConsoleWorld, HOSTILE, openConsoleWorld } from './console-world.ts';
import { holdAnswers } from './held-answers.ts';
import { goTo } from './keyboard.ts';
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

test('every view is accessible in both themes, fits 390 px, and takes no text for markup', async () => {
  const watched = (await world.open(`Watch ${HOSTILE}`)).goalId;
  const asking = (await world.open('Ask me once more')).goalId;
  const removing = (await world.open('Remove it again')).goalId;
  await world.until(watched, ({ usage }) => usage.turns >= 2);
  await world.until(asking, ({ status }) => status === 'paused');
  await world.until(removing, ({ activity }) => activity.on === 'approval');
  const views: readonly (readonly [path: string, until: string])[] = [
    ['/goals', `.goal-row[data-goal="${watched}"]`],
    ['/goals?view=board', `.goal-card[data-goal="${watched}"]`],
    ['/goals?q=nothing-is-called-so', '.state-box'],
    ['/new', '#objective'],
    [`/goals/${watched}?turn=1`, '.decision'],
    [`/goals/${asking}`, '.ask-bar.with-question'],
    [`/goals/${watched}/gate`, '.verdict'],
    [`/goals/${watched}/history`, '.history-event.from-call'],
    [`/goals/${watched}/history?seq=12`, '.history-event.current'],
    [`/goals/${watched}/ledger`, '.ledger-row .ledger-arguments'],
    [`/goals/${watched}/ledger?call=8`, '.call-detail pre'],
  ];
  const lookAtAll = async (theme: 'light' | 'dark', width: number) => {
    const { page, context, complaints } = await signedIn(browser, world.url, { theme, width });
    await page.goto(world.url);
    for (const [path, until] of views) {
      await goTo(page, path);
      await page.locator(until).first().waitFor();
      if (until.includes(watched) || path.includes(watched)) {
        await page.getByText('window.hacked=1').first().waitFor();
      }
      expect([path, await page.evaluate('"hacked" in globalThis')]).toEqual([path, false]);
      expect(await page.locator('img').count()).toBe(0);
      await keepPicture(page, `${theme}${path.replace(watched, 'goal').replace(asking, 'asking')}`);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
    await page.goto(`${world.url}/goals/${removing}`);
    await page.locator('.ask-bar').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Approve once', exact: true }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await context.close();
  };
  await Promise.all([lookAtAll('light', 1440), lookAtAll('dark', 390)]);
  const nobody = await browser.newContext();
  nobody.setDefaultTimeout(120_000);
  const page = await nobody.newPage();
  await page.goto(world.url);
  await page.getByLabel('Token').waitFor();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  await nobody.close();
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
async function tryNow(page: Page): Promise<void> {
  const isBack = page.getByText('Disconnected.').waitFor({ state: 'hidden' });
  await Promise.any([page.getByRole('button', { name: 'Try now' }).click(), isBack]);
  await isBack;
}

test('while the service is away its data stays and actions are off; what happened meanwhile is shown', async () => {
  const { goalId } = await world.open('Slow walk while nobody answers');
  const { hostname, port } = new URL(world.url);
  const proxy = await startCuttableProxy({ host: hostname, port: Number(port) });
  const { page, context } = await signedIn(browser, `http://${proxy.address}`);
  await page.goto(`http://${proxy.address}/goals/${goalId}`);
  await page.getByRole('button', { name: /^Pause/ }).waitFor();
  await page.getByText(/^Live, /).waitFor();
  await proxy.cut();
  await page.getByText('Disconnected.').waitFor();
  expect(await page.getByRole('heading', { name: 'Slow walk' }).count()).toBe(1);
  expect(await page.getByRole('button', { name: /^Pause/ }).isDisabled()).toBe(true);
  await world.client.send('POST', `/v1/goals/${goalId}/pause`, {});
  await proxy.restore();
  await tryNow(page);
  await page.locator('.goal-head').getByText('Paused', { exact: true }).waitFor();
  await context.close();
  await proxy.cut();
});

test('lists, goals and ledgers say that they load, that they failed, and that the service is away', async () => {
  const { goalId } = await world.open('Finish and be looked at');
  await world.until(goalId, ({ status }) => status === 'complete');
  const { hostname, port } = new URL(world.url);
  const proxy = await startCuttableProxy({ host: hostname, port: Number(port) });
  const { page, context } = await signedIn(browser, `http://${proxy.address}`);
  await page.goto(`http://${proxy.address}/new`);
  const views = [
    {
      path: '/goals?group=none',
      asks: /\/v1\/goals\?/,
      loading: 'Loading goals',
      what: 'Goals',
      shows: `.goal-row[data-goal="${goalId}"]`,
    },
    {
      path: `/goals/${goalId}`,
      asks: new RegExp(`/v1/goals/${goalId}$`),
      loading: 'Loading the goal',
      what: 'The goal',
      shows: '.goal-head',
    },
    {
      path: `/goals/${goalId}/ledger`,
      asks: /\/calls\?/,
      loading: 'Loading the ledger',
      what: 'The ledger',
      shows: '.ledger-row .ledger-arguments',
    },
  ];
  for (const { path, asks, loading, what, shows } of views) {
    const held = await holdAnswers(page, asks);
    await goTo(page, path);
    await page.getByRole('status', { name: loading }).waitFor();
    const claims = page.getByText(/could not be loaded|No goals? |No such goal|No call/);
    expect([path, await claims.count(), await page.locator(shows).count()]).toEqual([path, 0, 0]);
    await held.fail();
    await page.getByRole('heading', { name: `${what} could not be loaded` }).waitFor();
    await page.getByText(/^internal \(500\), request held-1, /).waitFor();
    expect(await page.getByRole('status', { name: loading }).count()).toBe(0);
    await held.letGo();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator(shows).first().waitFor();
  }
  await page.getByText(/^Live, /).waitFor();
  await proxy.cut();
  for (const { path, shows } of views.toReversed()) {
    await goTo(page, path);
    await page.getByText('Disconnected.').waitFor();
    await page.locator(shows).first().waitFor();
  }
  // Nothing of it was loaded before, its code neither: the rest of the console stays.
  await goTo(page, `/goals/${goalId}/gate`);
  await page.getByRole('heading', { name: 'The page of the gate could not be loaded' }).waitFor();
  await page.locator('.goal-head').waitFor();
  await proxy.restore();
  await tryNow(page);
  await page.locator('.verdict').waitFor();
  await context.close();
  await proxy.cut();
});
