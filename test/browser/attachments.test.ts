import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { reply } from '../../demo/script.ts';
import type { GoalAttachment } from '../../schema/attachment.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { png } from '../support/images.ts';
import { expectAccessible, signedIn, test } from './browser.ts';
import { openConsole } from './open-console.ts';

const script = () => reply.call('ask_user', { question: 'Which one is right?' });
const shot = png(120, 80, 9);

let world: GoalWorld;
let browser: Browser;
openConsole(
  () => openGoalWorld({ script }),
  (opened) => {
    ({ world, browser } = opened);
  },
);

/** Pictures for whoever wants to look at them. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.GOALKEEPER_SHOTS;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Runs in the page: a real encoder's pictures, as a paste and a drop carry them. */
const GIVE = `async (target, how, type, name) => {
  const canvas = new OffscreenCanvas(90, 60);
  const context = canvas.getContext('2d');
  context.fillStyle = 'teal';
  context.fillRect(10, 10, 50, 30);
  const blob = await canvas.convertToBlob({ type });
  const data = new DataTransfer();
  data.items.add(new File([blob], name, { type }));
  const told = { bubbles: true, cancelable: true };
  const event = how === 'paste'
    ? new ClipboardEvent('paste', { ...told, clipboardData: data })
    : new DragEvent('drop', { ...told, dataTransfer: data });
  target.dispatchEvent(event);
}`;

const give = (page: Page, field: string, how: 'paste' | 'drop', type: string, name: string) =>
  page.evaluate(
    `(${GIVE})(document.querySelector(${JSON.stringify(field)}), '${how}', '${type}', '${name}')`,
  );

test('ATT-15 files are chosen, pasted and dropped in the console, and drawn where the goal is shown', async () => {
  const path = await world.workspace({});
  const file = join(await mkdtemp(join(tmpdir(), 'goalkeeper-shot-')), 'chart.png');
  await writeFile(file, shot);
  const { page, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/new`);
  await page.getByLabel('Objective').fill('Make the chart right');
  await page.locator('.attach-choose input').setInputFiles([file]);
  await page.getByRole('button', { name: 'Remove chart.png' }).waitFor();
  await give(page, '#objective', 'paste', 'image/jpeg', 'pasted.jpg');
  await page.getByRole('button', { name: 'Remove pasted.jpg' }).waitFor();
  await give(page, '#objective', 'drop', 'image/webp', 'dropped.webp');
  await page.getByRole('button', { name: 'Remove dropped.webp' }).waitFor();
  await writeFile(file, 'no image at all');
  await page.locator('.attach-choose input').setInputFiles([file]);
  await page.getByText('has the name of an image').waitFor();
  await page.getByRole('button', { name: 'Remove pasted.jpg' }).click();
  await page.getByLabel('Workspace, by name or path').fill(path);
  await expectAccessible(page);
  await page.locator('#objective').scrollIntoViewIfNeeded();
  await shoot(page, 'start-light');
  await page.getByRole('button', { name: 'Start goal' }).click();

  const files = page.getByRole('region', { name: 'Files of this goal' });
  await files.getByText('dropped.webp').waitFor();
  const goalId = /goals\/(g-[0-9a-f]+)/.exec(page.url())?.[1] ?? '';
  const { items } = await world.client.get<{ items: GoalAttachment[] }>(
    `/v1/goals/${goalId}/attachments`,
  );
  expect(items.map(({ name, mediaType }) => [name, mediaType])).toEqual([
    ['chart.png', 'image/png'],
    ['dropped.webp', 'image/webp'],
  ]);
  const drawn = () => page.locator('.goal-file canvas:not([width="0"])').count();
  await expect.poll(drawn).toBe(2);
  await page.getByText('Which one is right?').first().waitFor();
  await expectAccessible(page);
  await shoot(page, 'goal-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await files.getByRole('button', { name: /chart\.png/ }).click();
  await page.getByRole('dialog').locator('canvas').waitFor();
  await shoot(page, 'file-dialog');
  await page.keyboard.press('Escape');
  expect(complaints.filter((text) => !text.includes('ERR_'))).toEqual([]);

  for (const [theme, width] of [
    ['dark', 1440],
    ['dark', 390],
    ['light', 390],
  ] as const) {
    const other = await signedIn(browser, world.url, { theme, width });
    await other.page.goto(`${world.url}/goals/${goalId}`);
    await other.page.getByText('dropped.webp').first().waitFor();
    await shoot(other.page, `goal-${theme}-${width}`);
    await other.page.goto(`${world.url}/new`);
    await other.page.locator('.attach-choose').waitFor();
    await shoot(other.page, `start-${theme}-${width}`);
    await other.context.close();
  }
});

test('CON-180 files that are pasted while others go up are taken as well', async () => {
  const { page, complaints, context } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/new`);
  await page.locator('#objective').waitFor();
  const held: Route[] = [];
  await page.route(/\/v1\/attachments/, (route) => void held.push(route));
  await give(page, '#objective', 'paste', 'image/jpeg', 'first.jpg');
  await page.getByText('Uploading…').waitFor();
  await give(page, '#objective', 'paste', 'image/webp', 'second.webp');
  await expect.poll(() => held.length).toBe(2);
  for (const route of held) await route.continue();
  await page.getByRole('button', { name: 'Remove first.jpg' }).waitFor();
  await page.getByRole('button', { name: 'Remove second.webp' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
