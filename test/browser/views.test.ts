import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startCuttableProxy } from '../api/cuttable-proxy.ts';
import {
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
