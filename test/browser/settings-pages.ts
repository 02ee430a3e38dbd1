import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { SecurityEntry } from '../../schema/security-log.ts';
import { createClient } from '../../src/cli/client.ts';
import { TOKENS } from '../support/goal-world.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  pressTwice,
  signedIn,
} from './browser.ts';
import type { ConsoleWorld } from './console-world.ts';

/** A token is made by a token, shown once, works, and ends; its browser is signed out before. */
export async function tryTokens(world: ConsoleWorld, browser: Browser): Promise<void> {
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/settings/tokens`);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Role').waitFor();
  const roles = await dialog.getByLabel('Role').locator('option').allTextContents();
  expect(roles.map((text) => text.split(':')[0])).toEqual(['viewer', 'agent', 'operator']);
  await dialog.getByLabel('Name').fill('Wall screen');
  await dialog.getByLabel('Role').selectOption('viewer');
  await dialog.getByLabel('Ends').selectOption('7');
  await dialog.getByText(/^goalkeeper token create .* --role viewer --days 7$/).waitFor();
  const make = dialog.getByRole('button', { name: 'Make the token' });
  expect(await make.isDisabled()).toBe(true);
  await dialog.getByLabel('Your token').fill('not-a-token-of-anybody');
  await make.click();
  await dialog.getByText('This token is not known here').waitFor();
  await dialog.getByLabel('Your token').fill(TOKENS.operator);
  await make.click();
  await dialog.getByText(/lower case letters/).waitFor();
  expect(await dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await keepPicture(page, 'light-token-new');
  await dialog.getByLabel('Name').fill('wall-screen');
  const sent = await pressTwice(page, make);
  const secret = await dialog.getByText(/^goalkeeper_pat_/).innerText();
  expect(sent).toEqual(['POST /v1/tokens']);
  await keepPicture(page, 'light-token-made');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /wall-screen/ });
  await row.getByText('never').waitFor();
  expect(await page.content()).not.toContain(secret);
  await keepPicture(page, 'light-tokens');
  await expectAccessible(page);

  const theirs = createClient({ url: world.url, token: secret });
  expect(await theirs.get('/v1/session')).toMatchObject({ name: 'wall-screen', role: 'viewer' });
  await world.client.send('POST', '/v1/session', { token: secret });
  await page.getByRole('link', { name: 'Principals' }).click();
  await page.getByRole('button', { name: 'Sign wall-screen out' }).click();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('1 session of wall-screen ended.').waitFor();
  await page.getByRole('row', { name: /wall-screen/ }).waitFor({ state: 'detached' });
  await keepPicture(page, 'light-principals');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Revoke wall-screen' }).click();
  await dialog.getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByText('1 that ended').click();
  await row.getByText('revoked').waitFor();
  await expect(theirs.get('/v1/session')).rejects.toThrow(/not known here, or has ended/);

  await page.goto(`${world.url}/settings/security`);
  await page.getByText('The security log is for admins').waitFor();
  expect(await page.getByRole('link', { name: 'Security log' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
}

/** Who made which token stands in the log, which narrows, holds, and leaves as a file. */
export async function readSecurityLog(world: ConsoleWorld, browser: Browser): Promise<void> {
  const make = (role: 'admin' | 'operator', name: string) =>
    createClient({ url: world.url, token: TOKENS[role] }).send('POST', '/v1/tokens', {
      ...{ name, role: 'viewer' },
    });
  await make('operator', 'reporter');
  await make('admin', 'left-out');
  const options = { role: 'admin', theme: 'dark', width: 390 } as const;
  const { page, context, complaints } = await signedIn(browser, world.url, options);
  await page.goto(`${world.url}/settings/security`);
  await page.getByText(/^Chain holds, \d+ entries/).waitFor();
  await page.getByLabel('Event').selectOption('token_made');
  await page.getByRole('row', { name: /left-out/ }).waitFor();
  await page
    .getByRole('button', { name: /^operator-/ })
    .first()
    .click();
  await expect.poll(() => page.url()).toMatch(/what=token_made&who=operator-/);
  await page.getByRole('row', { name: /left-out/ }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /reporter/ }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await keepPicture(page, 'dark-security');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('security.jsonl');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  const exported = lines.map((line) => JSON.parse(line) as SecurityEntry);
  expect(exported[0]).toMatchObject({ what: 'token_made', subject: 'reporter', result: 'done' });
  const found = new Set(exported.map(({ what, who }) => `${what} ${who}`));
  expect([...found]).toEqual([`token_made ${exported[0]?.who}`]);
  await page.getByLabel('Event').selectOption('token_revoked');
  await page.getByLabel('Result').selectOption('refused');
  await page.getByText('No entry matches').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
}

/** Heads at the place that the world names, and a database that continues them. */
export async function readAnchors(world: ConsoleWorld, browser: Browser): Promise<void> {
  await expect
    .poll(async () => (await world.client.get<{ head: object | null }>('/v1/anchors')).head)
    .not.toBeNull();
  const { page, context, complaints } = await signedIn(browser, world.url, { role: 'admin' });
  await page.goto(`${world.url}/settings/anchors`);
  await page.getByRole('row', { name: /file:.*anchors current/ }).waitFor();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText(/^The database continues (all \d+|the one) anchor/).waitFor();
  await keepPicture(page, 'light-anchors');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
  await context.close();
}
