import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { signedIn } from './browser.ts';
import type { ConsoleWorld } from './console-world.ts';
import { answerable, createKeyboard, keysOnSheet } from './keyboard.ts';

/** Each at the page where it counts; in the end the sheet has named just those. */
export async function tryAllKeys(world: ConsoleWorld, browser: Browser): Promise<void> {
  const { goalId: watched } = await world.open('Watch the keys');
  await world.until(watched, ({ usage }) => usage.turns >= 2);
  const { goalId: removing } = await world.open('Remove by keys');
  await world.until(removing, ({ activity }) => activity.on === 'approval');
  const { page, context, complaints } = await signedIn(browser, world.url);
  const { press, pressed } = createKeyboard(page);
  const dialog = page.getByRole('dialog');
  const closes = async () => {
    await press('Esc', 'Escape');
    await dialog.waitFor({ state: 'detached' });
  };

  await page.goto(`${world.url}/goals?group=none&sort=newest`);
  const expectCursor = (goalId: string) =>
    page.locator(`.goal-row.current[data-goal="${goalId}"]`).waitFor();
  await page.locator(`.goal-row[data-goal="${watched}"]`).waitFor();
  await press('j k', 'j');
  await expectCursor(removing);
  await press('j k', 'j');
  await expectCursor(watched);
  await press('j k', 'k');
  await expectCursor(removing);
  await press('x', 'x');
  await page.getByRole('checkbox', { name: `Select ${removing}`, checked: true }).waitFor();
  await press('p', 'p');
  await dialog.getByRole('heading', { name: 'Pause 1 goal' }).waitFor();
  await page.keyboard.press('j');
  await closes();
  await expectCursor(removing);
  await press('/', '/');
  // Longer than the random part of any folder's name, in which two letters may well stand.
  const nowhere = 'jxjxjxjxjx';
  await page.keyboard.type(nowhere);
  expect(await page.getByLabel('Search goals').inputValue()).toBe(nowhere);
  await page.getByText('No goal matches').waitFor();
  await page.getByLabel('Search goals').fill('');
  await page.keyboard.press('Escape');
  await page.locator(`.goal-row[data-goal="${watched}"]`).waitFor();
  // What was clicked has the focus: the cursor's keys take it, any other Enter presses it.
  await page.getByRole('button', { name: /^All/ }).click();
  await press('j k', 'j');
  await press('Enter', 'Enter');
  await page.getByRole('heading', { name: 'Remove by keys' }).waitFor();
  await press('a', 'a');
  await dialog.getByRole('button', { name: 'Approve once', exact: true }).waitFor();
  await closes();
  await press('g g', 'g', 'g');
  await page.getByRole('link', { name: 'Watch the keys' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Watch the keys' }).waitFor();

  const [newest, older] = [2, 1];
  const expectTurn = (turn: number) => page.locator(`#turn-${turn}.current`).waitFor();
  await page.locator(`#turn-${newest}`).waitFor();
  for (const [shown, down, up] of [
    ['[ ]', '[', ']'],
    ['j k', 'j', 'k'],
  ] as const) {
    await press(shown, up);
    await expectTurn(newest);
    await press(shown, down);
    await expectTurn(older);
  }
  const body = page.locator(`#turn-${older} > button`);
  for (const isOpen of [true, false]) {
    await press('e', 'e');
    await expect.poll(() => body.getAttribute('aria-expanded')).toBe(String(isOpen));
  }
  await press('m', 'm');
  await page.locator('.minimap').waitFor();
  await press('i', 'i');
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Message');
  await page.keyboard.press('Escape');
  const follow = page.locator('.live-head').getByRole('button', { name: 'Follow' });
  await follow.waitFor();
  // No command runs here; CON-61 stops one.
  await press('.', '.');
  await press('f', 'f');
  await follow.waitFor({ state: 'detached' });
  await press('p', 'p');
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.locator('.goal-head').getByText('Paused', { exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await press('r', 'r');
  await dialog.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  await closes();

  for (const [key, tab, until] of [
    ['2', 'changes', '.changes-bar'],
    ['3', 'gate', '.verdict'],
    ['1', 'overview', '.panes'],
    ['5', 'history', '.scrubber'],
  ] as const) {
    await press('1 – 6', key);
    await page.locator(until).waitFor();
    expect(page.url()).toBe(`${world.url}/goals/${watched}/${tab}`);
  }
  const event = async () =>
    Number(new URL(page.url()).searchParams.get('seq') ?? Number.POSITIVE_INFINITY);
  await press('← →', 'ArrowLeft', 'ArrowLeft');
  await expect.poll(event).toBeLessThan(Number.POSITIVE_INFINITY);
  const at = await event();
  await press('← →', 'ArrowLeft', 'ArrowRight', 'ArrowLeft');
  await expect.poll(event).toBe(at - 1);
  await press('Space', ' ');
  await expect.poll(event).not.toBe(at - 1);

  await press('1 – 6', '2');
  await page.locator('.changes-bar').waitFor();
  await press('u', 'u');
  await page.getByRole('button', { name: 'Split', pressed: true }).waitFor();
  await press('c', 'c');
  await page.getByText(/^(Patch of|The patch could not)/).waitFor();

  await press('1 – 6', '6');
  await page.locator('.ledger-row .ledger-arguments').first().waitFor();
  await press('j k', 'j', 'j');
  await page.locator('.ledger-row.current').waitFor();
  await press('Enter', 'Enter');
  await dialog.waitFor();
  const opened = Number(new URL(page.url()).searchParams.get('call'));
  await press('j k', 'k');
  const called = async () => Number(new URL(page.url()).searchParams.get('call'));
  await expect.poll(called).toBeLessThan(opened);
  await closes();
  expect(await called()).toBe(0);

  const { goalId: asking } = await world.open('Ask by keys');
  await world.until(asking, ({ pause }) => pause?.questionId !== undefined);
  await press('g i', 'g', 'i');
  // Goals of other tests may wait before these.
  const row = (name: RegExp) => page.locator('.inbox-row').filter({ hasText: name }).first();
  await row(/Run rm -rf src/).click();
  await answerable(page, 'Run rm -rf src');
  for (const [shown, key] of [
    ['y w d', 'd'],
    ['1 – 9', '3'],
  ] as const) {
    await press(shown, key);
    await dialog.getByRole('heading', { name: 'Decline, and say why' }).waitFor();
    await closes();
  }
  await press('j k', 'j');
  await row(/Who owns/).click();
  await page.getByRole('button', { name: /Platform/ }).waitFor();
  await press('o', 'o');
  await page.keyboard.type('by 1');
  expect(await page.getByLabel('Your answer').inputValue()).toBe('by 1');
  await page.locator('#main').focus();

  await press('g o', 'g', 'o');
  await page.getByRole('heading', { name: 'Operations' }).waitFor();
  await press('g s', 'g', 's');
  await page.getByRole('heading', { name: 'Schedules' }).waitFor();
  await press('g t', 'g', 't');
  await page.getByRole('heading', { name: 'Triggers' }).waitFor();
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  for (const expected of ['dark', 'light']) {
    await press('t', 't');
    await expect.poll(scheme).toBe(expected);
  }
  await press('Ctrl K', 'Control+k');
  await page.getByRole('combobox', { name: 'Do or jump to' }).waitFor();
  await closes();
  await press('?', '?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  const named = await keysOnSheet(page);
  await closes();
  await press('n', 'n');
  await page.getByLabel('Objective').waitFor();
  expect(named.toSorted()).toEqual([...pressed].toSorted());
  expect(complaints).toEqual([]);
  await context.close();
}
