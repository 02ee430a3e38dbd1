import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { TriggerDelivery } from '../../schema/trigger.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';
import { TOKENS } from '../support/goal-world.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  pressTwice,
  signedIn,
} from './browser.ts';
import type { ConsoleWorld } from './console-world.ts';
import { holdAnswers } from './held-answers.ts';

/** A trigger is made in the console, its secret shown once, and what comes is shown with its end. */
export async function makeTriggers(world: ConsoleWorld, browser: Browser): Promise<void> {
  const workspace = await world.workspace({ 'package.json': '{}' });
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/triggers`);
  await page.getByText('No trigger').waitFor();
  await keepPicture(page, 'light-triggers-none');
  await page.getByRole('button', { name: 'New trigger' }).click();
  const dialog = page.getByRole('dialog');
  const make = dialog.getByRole('button', { name: 'Make the trigger' });
  await make.click();
  await dialog.getByText('Give it a name.').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('issues');
  await dialog.getByLabel('Only where').fill('$.action=opened');
  await dialog.getByLabel('Read of the payload').fill('title');
  await dialog.getByLabel('Objective').fill('Finish the issue {{title}}');
  await dialog.getByLabel('Workspace, by name or path').fill(workspace);
  await dialog.getByLabel('Criterion: this').fill('test -f {{nothing}}');
  await dialog.getByLabel('Your token').fill(TOKENS.operator);
  await dialog.getByText(/Each line is NAME=PATH/).waitFor();
  await dialog.getByLabel('Read of the payload').fill('title=$.issue.title');
  await make.click();
  await dialog
    .getByText(/nothing/)
    .first()
    .waitFor();
  await expectAccessible(page);
  await keepPicture(page, 'light-trigger-new');
  await dialog.getByLabel('Criterion: this').fill('test -f answer.txt');
  const sent = await pressTwice(page, make);
  const secret = await dialog.getByText(/^whsec_/).innerText();
  const url = await dialog.getByText(/\/v1\/hooks\/trg-/).innerText();
  expect(sent).toEqual(['POST /v1/triggers']);
  await expectAccessible(page);
  await keepPicture(page, 'light-trigger-made');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('row', { name: /issues/ }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await expectAccessible(page);
  await keepPicture(page, 'light-triggers');

  const send = async (payload: object, id: string = randomUUID()) => {
    const body = JSON.stringify(payload);
    const type = { 'content-type': 'application/json' };
    const headers = { ...type, ...signedHeaders(id, body, secret, Date.now()) };
    const answer = await fetch(url, { method: 'POST', headers, body });
    return (await answer.json()) as TriggerDelivery;
  };
  const opened = { action: 'opened', issue: { title: 'weeks' } };
  await send(opened, 'first');
  await send(opened, 'first');
  await send({ action: 'closed', issue: { title: 'weeks' } });
  await send({ action: 'opened', issue: {} });
  await page.getByRole('link', { name: 'issues' }).click();
  const rows = page.getByRole('region', { name: 'Deliveries' });
  await rows.getByText('accepted').waitFor();
  await rows.getByText(/1 duplicate of it did nothing/).waitFor();
  await rows.getByText('left out').waitFor();
  await rows.getByText('refused').waitFor();
  await rows.getByText(/title/).first().waitFor();
  await page.getByText('$.action = "opened"').waitFor();
  await page.getByRole('button', { name: 'Pause issues' }).click();
  await page.getByText(/what comes is left out/).waitFor();
  await send({ action: 'opened', issue: { title: 'late' } });
  await rows.getByText(/it came while the trigger was paused/).waitFor();
  await keepPicture(page, 'light-trigger');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Resume issues' }).click();
  await page.getByRole('button', { name: 'Pause issues' }).waitFor();
  await rows.getByRole('link', { name: /^g-/ }).click();
  await page.getByRole('heading', { name: 'Finish the issue' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
  await lookOnPhone(world, browser);
  await lookWithoutRights(world, browser);
}

async function lookOnPhone(world: ConsoleWorld, browser: Browser): Promise<void> {
  const options = { theme: 'dark', width: 390 } as const;
  const { page, context } = await signedIn(browser, world.url, options);
  await page.goto(`${world.url}/triggers/issues`);
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await keepPicture(page, 'dark-trigger');
  const held = await holdAnswers(page, /\/v1\/triggers$/);
  await page.goto(`${world.url}/triggers`);
  await page.getByRole('status', { name: 'Loading: The triggers' }).waitFor();
  await held.fail();
  await page.getByText('The triggers could not be loaded').waitFor();
  await expectAccessible(page);
  await keepPicture(page, 'dark-triggers-failed');
  await held.letGo();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: /issues/ }).waitFor();
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'dark-triggers');
  await page.getByRole('button', { name: 'Delete issues' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete the trigger' }).click();
  await page.getByText('No trigger').waitFor();
  await context.close();
}

async function lookWithoutRights(world: ConsoleWorld, browser: Browser): Promise<void> {
  const options = { role: 'viewer', width: 1024 } as const;
  const { page, context, complaints } = await signedIn(browser, world.url, options);
  await page.goto(`${world.url}/triggers`);
  await page.getByText('Triggers are for operators and admins').waitFor();
  expect(await page.getByRole('button', { name: 'New trigger' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Triggers', exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
}
