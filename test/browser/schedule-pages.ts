import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Schedule } from '../../schema/schedule.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  pressTwice,
  signedIn,
} from './browser.ts';
import type { ConsoleWorld } from './console-world.ts';

const schedulesOf = async ({ client }: ConsoleWorld): Promise<readonly Schedule[]> =>
  (await client.get<{ items: Schedule[] }>('/v1/schedules')).items;

const named = async (world: ConsoleWorld, name: string) =>
  (await schedulesOf(world)).find((one) => one.name === name);

/** A schedule is made with its next due times in view, changed, and refused at its fields. */
export async function makeSchedules(world: ConsoleWorld, browser: Browser): Promise<void> {
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/schedules`);
  await page.getByText('No schedule').waitFor();
  await page.getByRole('link', { name: 'New schedule' }).click();
  await page.getByRole('button', { name: 'Make the schedule' }).click();
  await page.getByText('Give it a name.').waitFor();
  await page.getByText(/fields need a fix/).waitFor();
  await page.getByLabel('Name of the schedule').fill('weekly');
  const cron = page.getByLabel('Minute, hour, day, month, weekday');
  await cron.fill('61 6 * * 1');
  await page.getByText('61 is no minute').first().waitFor();
  expect(await cron.getAttribute('aria-invalid')).toBe('true');
  await cron.fill('30 6 * * 1');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  const times = page.getByRole('complementary', { name: 'Preview' }).getByRole('listitem');
  await times
    .filter({ hasText: /^Mon.*06:30/ })
    .first()
    .waitFor();
  expect(await times.count()).toBe(5);
  await page.getByLabel('While the last one is not over').selectOption('queue');
  await page.getByLabel('Objective').fill('Finish the dependencies');
  await page.getByLabel('Workspace, by name or path').fill('nowhere-at-all');
  await page.getByRole('button', { name: 'Make the schedule' }).click();
  await page.getByText('Nothing was saved: see the marked field.').waitFor();
  const workspace = page.getByLabel('Workspace, by name or path');
  expect(await workspace.getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await keepPicture(page, 'light-schedule-new');
  await workspace.fill(await world.workspace({ 'package.json': '{}' }));
  const make = page.getByRole('button', { name: 'Make the schedule' });
  const sent = await pressTwice(page, make);
  const row = page.getByRole('row', { name: /weekly/ });
  await row.getByText('Europe/Berlin').waitFor();
  expect(sent).toEqual(['POST /v1/schedules']);
  expect(await named(world, 'weekly')).toMatchObject({
    ...{ when: { cron: '30 6 * * 1', timeZone: 'Europe/Berlin' }, overlap: 'queue' },
    start: { objective: 'Finish the dependencies' },
  });
  await expectAccessible(page);
  await keepPicture(page, 'light-schedules');

  await row.getByRole('link', { name: 'weekly' }).click();
  await page.getByLabel('It comes', { exact: true }).selectOption('span');
  await page.getByLabel('Every', { exact: true }).fill('90');
  await page.getByLabel('Unit').selectOption('minutes');
  await page.getByLabel('Objective').fill('Finish all dependencies');
  await page.getByLabel('The rest of its start, as JSON').fill('{ "criteria": 7 }');
  await page.getByRole('button', { name: 'Save the schedule' }).click();
  await page.getByText('Nothing was saved: see the marked field.').waitFor();
  await page.getByText(/criteria: /).waitFor();
  await expectAccessible(page);
  await keepPicture(page, 'light-schedule-change');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await changeWeekly(page);
  await expect
    .poll(async () => (await named(world, 'weekly'))?.when)
    .toEqual({ everySeconds: 5400 });
  expect(await named(world, 'weekly')).toMatchObject({
    start: { objective: 'Finish all dependencies', criteria: [{ kind: 'command' }] },
  });
  await row
    .getByText('every 1 h 30 min')
    .or(row.getByText(/^every/))
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
  await context.close();
  await startFromTemplate(world, browser);
  await wakeByForm(world, browser);
  await lookAsViewer(world, browser);
}

const TEMPLATES = `
templates:
  fix:
    about: a bug of the tracker
    parameters: {issue: {about: its number}, area: {default: core}}
    objective: "Fix issue {{issue}} in {{area}}"
`;

/** What the schedule starts is what was seen: the template with the values that were given. */
async function startFromTemplate(world: ConsoleWorld, browser: Browser): Promise<void> {
  const path = await world.workspace({ 'goalkeeper.yaml': TEMPLATES });
  const begun = { objective: 'Finish it', criteria: [], mode: 'gather', workspace: { path } };
  await world.client.send('POST', '/v1/goals', begun);
  const { items } = await world.client.get<{ items: { name: string; path: string }[] }>(
    '/v1/workspaces',
  );
  const workspace = items.find((one) => one.path === path)?.name ?? '';
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const { page, context, complaints } = await signedIn(browser, world.url, { theme, width });
    await page.goto(`${world.url}/schedules/new`);
    await page.getByLabel('Name of the schedule').fill(`fixes ${theme}`);
    await page.getByLabel('At each due time').selectOption('template');
    await page.getByRole('button', { name: 'Make the schedule' }).click();
    await page.getByText('Choose the workspace whose templates they are.').waitFor();
    await page.getByLabel('Workspace', { exact: true }).selectOption(workspace);
    await page.getByLabel('Template', { exact: true }).selectOption('fix');
    await page.getByText('It has to be set.').waitFor();
    await page.getByLabel('issue', { exact: true }).fill('7');
    await page.getByText('"objective": "Fix issue 7 in core"').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `${theme}-schedule-template`);
    await page.getByRole('button', { name: 'Make the schedule' }).click();
    await page.getByText(`fixes ${theme} is made.`).waitFor();
    expect((await named(world, `fixes ${theme}`))?.start).toEqual({
      objective: 'Fix issue 7 in core',
      workspace: { name: workspace },
    });
    expect(complaints).toEqual([]);
    await context.close();
  }
}

async function changeWeekly(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'weekly' }).click();
  await page.getByLabel('It comes', { exact: true }).selectOption('span');
  await page.getByLabel('Every', { exact: true }).fill('90');
  await page.getByLabel('Unit').selectOption('minutes');
  await page.getByLabel('Objective').fill('Finish all dependencies');
  await page.getByRole('button', { name: 'Save the schedule' }).click();
  await page.getByText('weekly is changed.').waitFor();
}

/** On a phone in the dark: a heartbeat, what was changed meanwhile, run, pause and delete. */
async function wakeByForm(world: ConsoleWorld, browser: Browser): Promise<void> {
  const { goalId } = await world.open('Sleep until then');
  const options = { theme: 'dark', width: 390 } as const;
  const { page, context, complaints } = await signedIn(browser, world.url, options);
  await page.goto(`${world.url}/schedules/new`);
  await page.getByLabel('Name of the schedule').fill('inbox');
  await page.getByLabel('It comes', { exact: true }).selectOption('span');
  await page.getByLabel('At each due time').selectOption('wake');
  await page.getByLabel('Goal that it wakes').fill('g-0000000000000000');
  await page.getByLabel('What the goal is told').fill('Look at the inbox.');
  await page.getByRole('button', { name: 'Make the schedule' }).click();
  await page.getByText('There is no goal g-0000000000000000.').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await keepPicture(page, 'dark-schedule-new');
  await page.getByLabel('Goal that it wakes').fill(goalId);
  await page.getByRole('button', { name: 'Make the schedule' }).click();
  await page.getByText('inbox is made.').waitFor();
  const made = await named(world, 'inbox');
  expect(made).toMatchObject({ when: { everySeconds: 7200 }, wake: { goalId } });
  const row = page.getByRole('row', { name: /inbox/ });
  await row.waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await keepPicture(page, 'dark-schedules');

  await row.getByRole('link', { name: 'inbox' }).click();
  await page.getByLabel('What the goal is told').fill('Look again.');
  await world.client.send('POST', `/v1/schedules/${made?.scheduleId}/pause`, {});
  await page.getByRole('button', { name: 'Save the schedule' }).click();
  await page.getByText('Somebody changed the schedule meanwhile: read it again.').waitFor();
  expect(await page.getByLabel('What the goal is told').inputValue()).toBe('Look again.');
  await page.goto(`${world.url}/schedules`);
  await page.getByRole('checkbox', { name: 'inbox is on', checked: false }).click();
  await page.getByRole('checkbox', { name: 'inbox is on', checked: true }).waitFor();
  await page.getByRole('button', { name: 'Delete inbox' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the schedule' }).click();
  await row.waitFor({ state: 'detached' });
  // The goal that is not there was answered so.
  expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  await context.close();
}

async function lookAsViewer(world: ConsoleWorld, browser: Browser): Promise<void> {
  const options = { role: 'viewer', width: 1024 } as const;
  const { page, context } = await signedIn(browser, world.url, options);
  await page.goto(`${world.url}/schedules`);
  const row = page.getByRole('row', { name: /weekly/ });
  await row.waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
  expect(await row.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'New schedule' }).count()).toBe(0);
  await expectNoSidewaysScroll(page);
  await page.goto(`${world.url}/schedules/new`);
  await page.getByText('Your role changes no schedules').waitFor();
  await context.close();
}
