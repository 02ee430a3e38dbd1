import type { Browser, Page } from 'playwright-core';
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

/** What turns, hides or steers, anywhere in the page but in fields, with what stands around it. */
const unseenIn = (page: Page) =>
  page.evaluate(`[document.title, document.body.outerHTML]
    .map((text) => text.replace(/<textarea[^>]*>[^<]*/g, ''))
    .flatMap((text) => text.match(/.{0,40}[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]/g) ?? [])`);

test('CON-181: signs that turn or hide stand as marks in what is asked, sent, read and named, and a field names those that it holds', async () => {
  await world.wait('Turned', 'the \u202Eredlof');
  const path = await world.workspace({});
  const { goalId } = await world.start({
    objective: 'Sleep \u202Eylteiuq\u202C',
    workspace: { path },
  });
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/inbox`);
  await answerable(page, /Run rm -rf src # <?U\+202E/);
  const marks = page.locator('.inbox-item .unseen');
  await expect.poll(() => marks.allTextContents()).toContain('U+2066');
  expect(await unseenIn(page)).toEqual([]);
  await keepPicture(page, 'light-unseen-inbox');
  await expectAccessible(page);

  await page.goto(`${world.url}/goals`);
  await page.locator('.unseen').first().waitFor();
  expect(await unseenIn(page)).toEqual([]);

  await page.goto(`${world.url}/goals/${goalId}`);
  await page.getByRole('button', { name: /^Stop/ }).first().waitFor();
  const field = page.getByLabel('Message', { exact: true });
  await field.fill('Pay \u202Eana\u202C.');
  await page.getByText('Holds characters that can’t be seen: U+202E, U+202C').waitFor();
  expect(await unseenIn(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  const unread = page.locator('.unread-said .unseen');
  await expect.poll(() => unread.allTextContents()).toEqual(['U+202E', 'U+202C']);
  await expectAccessible(page);
  await keepPicture(page, 'light-unseen-message');
  await field.fill('Pay \u200Fben.');
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await world.until(goalId, ({ activity }) => activity.on === 'timer');
  await unread.first().waitFor({ state: 'detached' });
  const read = page.locator('.person-said .unseen');
  await expect.poll(() => read.allTextContents()).toEqual(['U+202E', 'U+202C', 'U+200F']);
  expect(await unseenIn(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-183: no dialog gives up typed words unasked: not by Escape, not by a click beside it, not by Cancel', async () => {
  const { goalId } = await world.wait('Propose');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/inbox`);
  await answerable(page, /New criterion/);
  await page.keyboard.press('2');
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Criterion 1', { exact: true });
  const asked = dialog.getByText('What you typed was not sent.');
  const keep = dialog.getByRole('button', { name: 'Keep typing' });
  const discard = dialog.getByRole('button', { name: 'Discard it' });
  await field.fill('docs/notes.md');
  const leaves = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
  ];
  for (const leave of leaves) {
    await field.focus();
    await leave();
    await asked.waitFor();
    await expect
      .poll(() => keep.evaluate((it) => it === it.ownerDocument.activeElement))
      .toBe(true);
    await keepPicture(page, 'light-leave-question');
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('docs/notes.md');
  }
  await page.keyboard.press('Escape');
  await asked.waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'light-leave-question-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await discard.click();
  await dialog.waitFor({ state: 'detached' });

  await page.goto(`${world.url}/goals/${goalId}`);
  await page.getByRole('heading', { name: /^Propose/ }).waitFor();
  const open = async (act: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Do or jump to' }).fill(act);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
  };
  for (const act of ['Edit criteria', 'Edit objective', 'Raise the budget', 'Complete by hand']) {
    await open(act);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open(act);
    await dialog.getByRole('textbox').first().fill('7');
    await page.keyboard.press('Escape');
    await asked.waitFor();
    await discard.click();
    await dialog.waitFor({ state: 'detached' });
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-184: a paste that is too long stands whole, says by how much, and is not sent', async () => {
  const { goalId } = await world.wait('Propose');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}`);
  const message = page.getByLabel('Message', { exact: true });
  await message.fill('m'.repeat(20_012));
  await page.getByText('Too long by 12 characters: at most 20,000 are taken.').waitFor();
  expect((await message.inputValue()).length).toBe(20_012);
  const send = page.getByRole('button', { name: 'Send' });
  expect(await send.isDisabled()).toBe(true);
  await expectAccessible(page);
  await message.fill('m'.repeat(20_000));
  await expect.poll(() => send.isDisabled()).toBe(false);
  await message.fill('');

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const objective = dialog.getByLabel('Objective', { exact: true });
  await objective.fill('o'.repeat(4001));
  await dialog.getByText('Too long by 1 character: at most 4,000 are taken.').waitFor();
  expect((await objective.inputValue()).length).toBe(4001);
  expect(await objective.getAttribute('aria-invalid')).toBe('true');
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await keepPicture(page, 'light-too-long');

  await page.goto(`${world.url}/goals`);
  const search = page.getByRole('searchbox', { name: 'Search goals' });
  await search.fill('s'.repeat(205));
  await page.getByText('Too long by 5 characters: at most 200 are taken.').waitFor();
  expect((await search.inputValue()).length).toBe(205);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'light-too-long-search-phone');
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-186: who edits a proposal that somebody else decides meanwhile is told who did and how, keeps the words and can save nothing', async () => {
  const { goalId } = await world.wait('Lines');
  const inInbox = await signedIn(browser, world.url);
  const onGoal = await signedIn(browser, world.url, { role: 'admin', theme: 'dark' });
  await inInbox.page.goto(`${world.url}/inbox`);
  await answerable(inInbox.page, /New criterion/);
  await inInbox.page.keyboard.press('2');
  await onGoal.page.goto(`${world.url}/goals/${goalId}`);
  await onGoal.page.getByRole('heading', { name: /^Lines/ }).waitFor();
  await onGoal.page.keyboard.press('a');
  await onGoal.page.getByRole('button', { name: 'Edit first…' }).click();
  const typed = async ({ page }: typeof onGoal) => {
    const field = page.getByRole('dialog').getByLabel('Criterion 1', { exact: true });
    await field.fill('npm run mine');
    return field;
  };
  const fields = [await typed(inInbox), await typed(onGoal)];
  const { items } = await world.client.get<{ items: Approval[] }>(`/v1/approvals?goalId=${goalId}`);
  const proposal = items.find(({ kind }) => kind === 'criterion');
  await world.client.send('POST', `/v1/goals/${goalId}/approvals/${proposal?.approvalId}`, {
    decision: 'deny',
    note: 'Lint proves nothing.',
  });
  for (const [at, { page }] of [inInbox, onGoal].entries()) {
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Declined by .* at .*: “Lint proves nothing.”/).waitFor();
    expect(await dialog.getByRole('button').allTextContents()).not.toContain('Accept as edited');
    expect(await fields[at]?.inputValue()).toBe('npm run mine');
    expect(await fields[at]?.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true);
    await keepPicture(page, `decided-meanwhile-${at}`);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Discard it' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  for (const { complaints, context } of [inInbox, onGoal]) {
    expect(complaints).toEqual([]);
    await context.close();
  }
});
