import type { Browser } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import type { Approval } from '../../schema/approval.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { type InboxWorld, openInboxWorld } from './inbox-world.ts';
import { answerable } from './keyboard.ts';
import { openConsole } from './open-console.ts';

let world: InboxWorld;
let browser: Browser;
openConsole(openInboxWorld, (opened) => {
  ({ world, browser } = opened);
});

afterEach(() => world.clear());

test('CON-170: a message waits for the next call until it is taken back, in both tabs; one said now ends the command, also on a phone', async () => {
  const path = await world.workspace({});
  const { goalId } = await world.start({ objective: 'Sleep at work', workspace: { path } });
  const first = await signedIn(browser, world.url);
  const second = await signedIn(browser, world.url, { theme: 'dark', width: 390 });
  for (const { page } of [first, second]) await page.goto(`${world.url}/goals/${goalId}`);
  await first.page.getByRole('button', { name: /^Stop/ }).first().waitFor();
  await first.page.keyboard.press('i');
  await first.page.keyboard.type('Use the old names.');
  await first.page.keyboard.press('Control+Enter');
  const waits = /Waits for the next model call/;
  for (const { page } of [first, second]) await page.getByText(waits).waitFor();
  await keepPicture(first.page, 'light-message-waits');
  await keepPicture(second.page, 'dark-message-waits-phone');
  for (const { page } of [first, second]) await expectAccessible(page);
  await first.page.getByRole('button', { name: 'Take back: Use the old names.' }).click();
  for (const { page } of [first, second]) {
    await page.getByText(/Taken back at \d\d:\d\d by operator/).waitFor();
    expect(await page.getByText(waits).count()).toBe(0);
  }
  await keepPicture(first.page, 'light-message-taken-back');

  const { page } = second;
  await page.getByLabel('Message', { exact: true }).fill('Leave it, go on.');
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'dark-message-now-phone');
  await page.getByRole('button', { name: 'Send' }).click();
  await world.until(goalId, ({ activity }) => activity.on === 'timer');
  await page.getByText('Leave it, go on.').first().waitFor();
  for (const { complaints, context } of [first, second]) {
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('CON-171: a proposed criterion is edited first: what was typed stays through a refusal, and the record has both versions', async () => {
  const { goalId } = await world.wait('Propose');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/inbox`);
  await answerable(page, /New criterion:.*notes\.md/);
  await page.keyboard.press('2');
  const dialog = page.getByRole('dialog');
  const accept = dialog.getByRole('button', { name: 'Accept as edited' });
  const field = dialog.getByLabel('Criterion 1', { exact: true });
  expect(await field.inputValue()).toBe('notes.md');
  expect(await accept.isDisabled()).toBe(true);
  await field.fill('docs/*.md');
  await dialog.getByLabel('Reason, for the agent and the record').fill('It belongs to the docs.');
  await accept.click();
  await dialog
    .getByText(/it is one path, not a glob/)
    .first()
    .waitFor();
  expect(await field.inputValue()).toBe('docs/*.md');
  await keepPicture(page, 'light-edit-proposal-refused');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'light-edit-proposal-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await field.fill('docs/notes.md');
  await accept.click();
  await dialog.waitFor({ state: 'detached' });
  await answerable(page, /Add test\/check\.sh to the scope/);
  const { criteria } = await world.get(goalId);
  expect(criteria.at(-1)?.spec).toMatchObject({ kind: 'file', path: 'docs/notes.md' });
  const { items } = await world.client.get<{ items: Approval[] }>(
    `/v1/approvals?state=all&goalId=${goalId}`,
  );
  expect(items.find(({ kind }) => kind === 'criterion')).toMatchObject({
    ...{ state: 'approved', note: 'It belongs to the docs.' },
    accepted: { path: 'docs/notes.md' },
    data: { criterion: { path: 'notes.md' } },
  });
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-175, CON-176: words typed while a message is on its way stay; what was taken back keeps its place and the focus', async () => {
  const path = await world.workspace({});
  const { goalId } = await world.start({ objective: 'Sleep and read', workspace: { path } });
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}`);
  await page.getByRole('button', { name: /^Stop/ }).first().waitFor();
  const field = page.getByLabel('Message', { exact: true });
  const back = (text: string) => page.getByRole('button', { name: `Take back: ${text}` });
  const asked: string[] = [];
  await page.route(/\/messages$|\/take-back$/, async (route) => {
    if (route.request().method() === 'POST') {
      asked.push(route.request().url());
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await route.continue();
  });
  await field.fill('First.');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type(' Second.');
  await back('First.').waitFor();
  await expect.poll(() => field.inputValue()).toBe('Second.');
  await page.getByRole('button', { name: 'Send' }).focus();
  await page.keyboard.press('Enter');
  await back('Second.').waitFor();
  await expect.poll(() => field.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true);
  expect(asked).toHaveLength(2);

  await back('First.').dblclick();
  const taken = page.locator('.unread-said', { hasText: /Taken back at/ });
  await taken.waitFor();
  await expect.poll(() => taken.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true);
  expect(asked).toHaveLength(3);
  await field.fill('Third.');
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await world.until(goalId, ({ activity }) => activity.on === 'timer');
  const said = page.locator('.person-said .pre-wrap');
  await expect.poll(() => page.getByText('A person said').count()).toBe(2);
  expect(await said.allTextContents()).toEqual(['First.', 'Second.', 'Third.']);
  const next = page.getByRole('button', { name: 'Next call', exact: true });
  expect(await next.getAttribute('aria-pressed')).toBe('true');
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-177, CON-178: a proposed command of two lines is edited as two lines; who leaves the dialog is back where they were', async () => {
  await world.wait('Lines');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/inbox`);
  await answerable(page, /New criterion/);
  expect(await page.locator('.inbox-question').innerText()).toContain('npm test\nnpm run lint');
  const edit = page.getByRole('button', { name: /^Edit first/ });
  for (const leave of ['Escape', 'Cancel']) {
    await edit.click();
    const dialog = page.getByRole('dialog', { name: /^Edit the criterion/ });
    const field = dialog.getByLabel('Criterion 1', { exact: true });
    expect(await field.inputValue()).toBe('npm test\nnpm run lint');
    if (leave === 'Escape') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: leave }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => edit.evaluate((it) => it === it.ownerDocument.activeElement))
      .toBe(true);
  }
  expect(complaints).toEqual([]);
  await context.close();
});
