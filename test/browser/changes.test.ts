import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { type ChangedWorld, ODD_NAMES, openChangedWorld } from './changed-world.ts';
import { openConsole } from './open-console.ts';

let world: ChangedWorld;
let browser: Browser;
let goal: Goal;
openConsole(openChangedWorld, async (opened) => {
  ({ world, browser } = opened);
  goal = await world.port();
});

const block = (page: Page, path: string) => page.locator('.file-block').filter({ hasText: path });

test('CON-32: changes show what is in scope and beyond it, each hunk with its turn, call and what it made stale, in words and colours of the language', async () => {
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goal.goalId}`);
  await page.getByTitle('Changes (2)').click();
  const tree = page.getByRole('navigation', { name: 'Changed files' });
  await tree.getByText('4, counts as the work').waitFor();
  await tree.getByText('3, dropped from the proof').waitFor();
  await tree.getByRole('button', { name: /orders\.test\.js.*c1/ }).waitFor();
  await tree
    .getByRole('button', { name: /fastify|orders\.js/ })
    .first()
    .click();
  const orders = block(page, 'src/fastify/orders.js');
  await orders.getByText('made stale: c1').waitFor();
  await orders.getByRole('link', { name: 'turn 2' }).first().waitFor();
  await orders.locator('.syntax-keyword').first().waitFor();
  await orders.locator('.added mark', { hasText: '409' }).waitFor();
  await keepPicture(page, 'light-changes');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.keyboard.press('u');
  await page.locator('.diff.split .diff-pair').first().waitFor();
  await expectAccessible(page);
  await keepPicture(page, 'light-changes-split');

  await orders.getByRole('button', { name: /^#/ }).first().click();
  await page.getByRole('dialog').getByText('edit_file').first().waitFor();
  await page.keyboard.press('Escape');
  await tree.getByRole('button', { name: /old\.js/ }).click();
  await block(page, 'old.js').getByText('Deleted, 40 lines folded').waitFor();
  await block(page, 'old.js').getByRole('button', { name: 'Show', exact: true }).click();
  await block(page, 'old.js').getByText('by a command').waitFor();
  await tree.getByRole('button', { name: /numbers\.js/ }).click();
  await block(page, 'numbers.js').getByText('700 lines folded').waitFor();
  await block(page, 'numbers.js').getByRole('button', { name: 'Show', exact: true }).click();
  await block(page, 'numbers.js').getByRole('button', { name: 'Show more lines' }).click();
  await block(page, 'numbers.js').getByText('700', { exact: true }).last().waitFor();
  await tree.getByRole('button', { name: /flow\.png/ }).click();
  await block(page, 'flow.png').getByText('Binary file').waitFor();
  await block(page, 'flow.png').getByRole('button', { name: 'Show', exact: true }).click();
  await block(page, 'flow.png').getByText('before: not there').waitFor();
  await block(page, 'flow.png')
    .getByText(/^now: .*, SHA-256 [0-9a-f]{16}$/)
    .waitFor();
  const picture = block(page, 'flow.png').getByRole('img', { name: 'flow.png now' });
  await expect.poll(() => picture.getAttribute('width')).toBe('24');
  await keepPicture(page, 'picture-in-changes');
  await expectAccessible(page);
  await tree.getByRole('button', { name: /marks\.js/ }).click();
  await block(page, 'marks.js').locator('.unseen', { hasText: 'U+202E' }).waitFor();
  await tree.getByRole('button', { name: /package-lock/ }).click();
  await block(page, 'package-lock.json')
    .getByText(/^Generated/)
    .waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-33: a range has its own changes, an empty one offers the whole, files go by keys, and the patch is copied', async () => {
  const { page, context, complaints } = await signedIn(browser, world.url, { theme: 'dark' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${world.url}/goals/${goal.goalId}/changes?from=t1&to=t2`);
  const tree = page.getByRole('navigation', { name: 'Changed files' });
  await tree.getByText('2, counts as the work').waitFor();
  await page.getByLabel('From', { exact: true }).selectOption('t2');
  await page.getByText('Nothing changed between these two').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Baseline to now' }).click();
  await tree.getByText('4, counts as the work').waitFor();
  const first = await tree.locator('[aria-current="true"]').textContent();
  await page.keyboard.press('j');
  await expect.poll(() => tree.locator('[aria-current="true"]').textContent()).not.toBe(first);
  await page.keyboard.press('k');
  await expect.poll(() => tree.locator('[aria-current="true"]').textContent()).toBe(first);
  await page.keyboard.press('c');
  await page.getByText(/^Patch of 4 files copied/).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
    '+++ b/src/fastify/orders.js',
  );
  await page.goto(`${world.url}/goals/${goal.goalId}/changes?file=src/fastify/orders.js`);
  await block(page, 'src/fastify/orders.js').locator('.syntax-string').first().waitFor();
  await keepPicture(page, 'dark-changes');
  await page.keyboard.press('u');
  await page.locator('.diff.split').first().waitFor();
  await keepPicture(page, 'dark-changes-split');
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-34: changes on a phone and a narrow window fit, unified where it is small, the tree above them', async () => {
  for (const [theme, width] of [
    ['light', 390],
    ['dark', 390],
    ['dark', 1024],
  ] as const) {
    const { page, context, complaints } = await signedIn(browser, world.url, {
      ...{ theme, width, role: 'viewer' },
    });
    await page.goto(`${world.url}/goals/${goal.goalId}/changes`);
    const tree = page.getByRole('navigation', { name: 'Changed files' });
    await tree.getByText('4, counts as the work').waitFor();
    await keepPicture(page, `${theme}-changes-${width}`);
    await tree
      .getByRole('button', { name: /orders\.js/ })
      .first()
      .click();
    await block(page, 'src/fastify/orders.js').locator('.syntax-keyword').first().waitFor();
    await keepPicture(page, `${theme}-changes-${width}-diff`);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    // It looks and takes nothing back.
    expect(await page.getByRole('button', { name: 'Rewind…' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('CON-35: five thousand changed files scroll like ten', async () => {
  const written = await world.many();
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${written.goalId}/changes`);
  await page.getByText('5000, counts as the work').waitFor();
  expect(await page.locator('.tree-file').count()).toBeLessThan(100);
  expect(await page.locator('.file-block').count()).toBeLessThan(40);
  const tree = page.getByRole('navigation', { name: 'Changed files' });
  await tree.evaluate('document.querySelector(".file-tree").scrollTop = 1e7');
  await tree.getByRole('button', { name: /file999\.js/ }).click();
  await block(page, 'src/many/file999.js').locator('.diff-line.added').waitFor();
  await expectAccessible(page);
  await keepPicture(page, 'light-changes-many');
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-98: files of hostile names are told by their names: nothing runs, breaks a line or turns what stands beside it', async () => {
  const written = await world.odd();
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const { page, context, complaints } = await signedIn(browser, world.url, { theme, width });
    await page.goto(`${world.url}/goals/${written.goalId}/changes`);
    const tree = page.getByRole('navigation', { name: 'Changed files' });
    await tree.getByText(`${ODD_NAMES.length}, counts as the work`).waitFor();
    await tree.getByText('<img src=x onerror="window.hacked=1">.js').waitFor();
    await tree.locator('.unseen', { hasText: 'U+202E' }).waitFor();
    await tree.locator('.unseen', { hasText: 'U+000A' }).waitFor();
    expect(await tree.locator('img').count()).toBe(0);
    await tree.getByRole('button', { name: /invoice/ }).click();
    const lines = page.getByRole('region', { name: 'src/invoice<U+202E>gnp.js', exact: true });
    await lines.locator('.diff-line.added', { hasText: 'export' }).waitFor();
    await lines.locator('header .unseen', { hasText: 'U+202E' }).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await keepPicture(page, `${theme}-odd-names-${width}`);
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('CON-35: a rewind is ordered where its place is seen', async () => {
  const written = await world.port();
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${written.goalId}/changes`);
  await page.getByRole('button', { name: 'Rewind…' }).click();
  await page.getByRole('dialog').getByLabel('To').selectOption('t0');
  await page.getByRole('dialog').getByRole('button', { name: 'Rewind', exact: true }).click();
  await page.getByText('The rewind is ordered.').waitFor();
  await page.getByText('Nothing changed between these two').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
