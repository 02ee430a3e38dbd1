import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { Spend } from '../../schema/operations.ts';
import type { StepSums } from '../../schema/usage.ts';
import { tryAllKeys } from './all-keys.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';
import { narrowLedger } from './ledger-filters.ts';
import { pullRanges } from './map-range.ts';
import { openConsole } from './open-console.ts';
import { makeSchedules } from './schedule-pages.ts';
import { scrollThroughMany } from './scrolling.ts';
import { sealByForm } from './sealing.ts';
import { readAnchors, readSecurityLog, tryTokens } from './settings-pages.ts';
import { shareProofs } from './shared-proof.ts';
import { makeTriggers } from './trigger-pages.ts';

const prices = {
  models: { 'compatible/scripted': { inputPerMTok: '0.30', outputPerMTok: '1.20' } },
};

let world: ConsoleWorld;
let browser: Browser;
openConsole(
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-pages-'));
    const file = join(folder, 'prices.json');
    await writeFile(file, JSON.stringify(prices));
    const rules = join(folder, 'rules.json');
    const spend = [
      { per: 'day', costUsd: '20' },
      { of: 'principal', per: 'month', tokens: 1_000_000_000 },
    ];
    await writeFile(rules, JSON.stringify({ spend }));
    const environment = {
      GOALKEEPER_CONFIG: rules,
      GOALKEEPER_PRICES: file,
      GOALKEEPER_ANCHORS: `file:${join(folder, 'anchors')}`,
      GOALKEEPER_LEDGER_KEY: 'key-of-the-pages-0000',
    };
    return await openConsoleWorld(environment);
  },
  (opened) => {
    ({ world, browser } = opened);
  },
);

test('SPEND-18, CON-93 operations show who works, what waits, what it cost to the last digit, and what is wrong', async () => {
  const { goalId } = await world.open('Finish one goal');
  await world.until(goalId, ({ status }) => status === 'complete');
  const { stepSums } = await world.client.get<{ stepSums: StepSums }>(`/v1/goals/${goalId}/usage`);
  for (const by of ['hour', 'day', 'model', 'workspace']) {
    const spend = await world.client.get<Spend>(`/v1/spend?by=${by}&timeZone=Europe/Berlin`);
    expect(spend).toMatchObject({ by, costUsd: stepSums.costUsd });
    expect(spend.items).toHaveLength(1);
  }
  expect(Number(stepSums.costUsd)).toBeGreaterThan(0);
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const { page, context, complaints } = await signedIn(browser, world.url, { theme, width });
    await page.goto(`${world.url}/ops`);
    await page.locator('.tag', { hasText: 'up' }).waitFor();
    await page.getByText('Nothing needs attention.').waitFor();
    await page.getByRole('cell', { name: 'Commits of goals' }).waitFor();
    // CON-93
    await page.getByText(/^\$\d.* in the last hour\. At this rate ≈ \$\d.* by 24:00\.$/).waitFor();
    await page
      .getByRole('img', { name: /waited; seen in|At most/ })
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'compatible/scripted' }).waitFor();
    await page.getByRole('button', { name: '30 days' }).click();
    await page
      .getByRole('region', { name: 'Spent in 30 days' })
      .getByText('By workspace')
      .waitFor();
    const limits = page.getByRole('region', { name: 'Spend limits' });
    await limits.getByText('Whole service, a day').waitFor();
    await limits.getByText(/^\$\d.* of \$20/).waitFor();
    await limits.getByText(/^principal .*, a month$/).waitFor();
    await keepPicture(page, `${theme}-operations`);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('CON-45: the start form runs a check, foretells what the budget buys, offers agents, and puts a refusal on its field', async () => {
  const done = await world.open('Finish one more');
  await world.until(done.goalId, ({ status }) => status === 'complete');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/new`);
  await page.getByLabel('Objective').fill('Slow start with all that can be said');
  await page.getByLabel('Workspace').fill(await world.workspace({ 'package.json': '{}' }));
  const first = page.getByLabel('Criterion 1', { exact: true });
  await first.fill('echo looking; test -f answer.txt');
  await page.getByRole('button', { name: 'Run this check now' }).click();
  await page.getByText('unmet now').waitFor();
  await page.getByText('exit 1').waitFor();
  await first.fill('npm test || true');
  await page
    .getByText(/it proves nothing/)
    .first()
    .waitFor();
  expect(await first.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByText('unmet now').count()).toBe(0);
  await first.fill('test -f answer.txt');
  await page.getByLabel('Tokens').fill('10');
  await page
    .getByText(/One call of this goal and its wrap-up take/)
    .first()
    .waitFor();
  expect(await page.getByLabel('Tokens').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Tokens').fill('2,000,000');
  await page.getByText(/About \d+ turns/).waitFor();
  await page.getByRole('button', { name: 'Add criterion' }).click();
  await page.getByLabel('Kind of criterion 2').selectOption('file');
  await page.getByLabel('Criterion 2', { exact: true }).fill('notes.md');
  await page.getByLabel('It completes by itself').selectOption('supported');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Command of rule 1').fill('git push');
  await page.reload();
  await page.getByText(/About \d+ turns/).waitFor();
  expect(await page.getByLabel('Objective').inputValue()).toMatch(/^Slow start/);
  await keepPicture(page, 'light-start');
  await expectAccessible(page);
  await page.getByLabel('Who works').selectOption('quiet');
  await page.getByText(/so only turns, time and deadline can be limited/).waitFor();
  await page
    .getByText(/agent quiet is not known to tell what its work costs/)
    .first()
    .waitFor();
  expect(await page.getByLabel('Tokens').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Mode', { exact: true }).count()).toBe(0);
  await keepPicture(page, 'light-start-agent');
  await expectAccessible(page);
  await page.getByLabel('Who works').selectOption('');
  await page.getByLabel('It works', { exact: true }).selectOption('worktree');
  await page.getByText(/starts from the last commit on a branch of its own/).waitFor();
  await page.getByRole('button', { name: 'Start goal' }).click();
  await page.locator('.field-error', { hasText: 'git repository with a commit' }).waitFor();
  await page.getByLabel('It works', { exact: true }).selectOption('shared');
  await page.getByRole('button', { name: 'Start goal' }).click();
  await page.getByRole('heading', { name: 'Slow start with all' }).waitFor();
  const goal = await world.get(page.url().split('/').at(-1) ?? '');
  expect(goal).toMatchObject({
    policy: { completion: 'supported' },
    budget: { tokens: 2_000_000 },
  });
  expect(goal.criteria.map(({ spec }) => spec)).toEqual([
    { kind: 'command', command: 'test -f answer.txt' },
    { kind: 'file', path: 'notes.md', exists: true },
  ]);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Change model…' }).click();
  await page.getByRole('dialog').getByText('It answers from the next call on').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit criteria…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Criterion 2', { exact: true }).fill('docs/notes.md');
  await keepPicture(page, 'light-criteria');
  await expectAccessible(page);
  const theirs = [{ kind: 'command', command: 'test -f theirs.txt' }];
  await world.client.send('PATCH', `/v1/goals/${goal.goalId}`, { criteria: theirs });
  await dialog.getByRole('button', { name: 'Save the criteria' }).click();
  await dialog.getByText('Someone changed this goal first').waitFor();
  await dialog.getByText(/theirs.txt/).waitFor();
  await dialog.getByRole('button', { name: /Save mine over revision/ }).click();
  await page.getByText('Criteria saved.').waitFor();
  const { criteria } = await world.get(goal.goalId);
  expect(criteria.map(({ spec }) => spec)).toContainEqual({
    kind: 'file',
    path: 'docs/notes.md',
    exists: true,
  });
  expect(complaints).toEqual([]);
  await context.close();
});

test('the start form fits a phone in the dark', async () => {
  const options = { theme: 'dark', width: 390 } as const;
  const { page, context, complaints } = await signedIn(browser, world.url, options);
  await page.goto(`${world.url}/new`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByText('Options').first().click();
  await page.getByRole('button', { name: 'Start goal' }).click();
  await page.getByText('Say where it works.').waitFor();
  await keepPicture(page, 'dark-start');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
  await context.close();
});

test('SEAL-9 files are sealed by the start form, with their digests, and what is refused stands at its field', () =>
  sealByForm(world, browser));

test('WHO-1, CON-179 a token is made in the console by a token, once by two presses, shown once, and revoked', () =>
  tryTokens(world, browser));

test('WHO-10 the security log is narrowed, checked and exported in the console', () =>
  readSecurityLog(world, browser));

test('ROW-27 the console shows where the heads of the record are kept, and compares them', () =>
  readAnchors(world, browser));

test('SCHED-18, CON-179 a schedule is made and changed in the console, with its next due times in view', () =>
  makeSchedules(world, browser));

test('CON-94 who works in a workspace and who is next stands beside the schedules, and a goal is moved up', async () => {
  const workspace = { path: await world.workspace({ 'package.json': '{}' }) };
  const start = (objective: string) => world.start({ objective, workspace, criteria: [] });
  const [first, second, third] = [
    await start('Slow walk ahead of the line'),
    await start('Finish second in line'),
    await start('Finish third in line'),
  ];
  for (const { goalId } of [second, third])
    await world.until(goalId, ({ activity }) => activity.on === 'workspace');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/schedules`);
  const line = page.getByRole('region', { name: first.workspace.name, exact: true });
  const names = () => line.getByRole('listitem').getByRole('link').allTextContents();
  const objectives = [first, second, third].map(({ objective }) => objective);
  await expect.poll(names).toEqual(objectives);
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 1024],
    ['dark', 390],
  ] as const) {
    const looking = await signedIn(browser, world.url, { theme, width, role: 'viewer' });
    await looking.page.goto(`${world.url}/schedules`);
    await looking.page.getByRole('link', { name: 'Finish third in line' }).waitFor();
    expect(await looking.page.getByRole('button', { name: /^Move up/ }).count()).toBe(0);
    await expectAccessible(looking.page);
    await expectNoSidewaysScroll(looking.page);
    await keepPicture(looking.page, `${theme}-queues-${width}`);
    await looking.context.close();
  }
  await page.getByRole('button', { name: 'Move up: Finish third in line' }).click();
  await page.getByText('It goes before the other one.').waitFor();
  await expect.poll(names).toEqual([objectives[0], objectives[2], objectives[1]]);
  await line.getByText('priority 1').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
  await world.client.send('POST', `/v1/goals/${first.goalId}/clear`, {});
  await world.until(second.goalId, ({ status }) => status !== 'active');
});

test('CON-95, CON-97, CON-168, PRF-25 a result shows its lines once they are opened and leads to them, a proof to its receipts and they to their turn, and it leaves as one page', async () => {
  const criteria = [{ kind: 'command', command: 'cat answer.txt' }];
  const { goalId } = await world.open('Finish and be taken', { criteria });
  await world.until(goalId, ({ status }) => status === 'complete');
  const { page, context, complaints } = await signedIn(browser, world.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${world.url}/goals/${goalId}`);
  const result = page.locator('.result-files');
  await result.getByText('1 changed file', { exact: true }).click();
  const file = result.locator('.result-file', { hasText: 'answer.txt' });
  await file.locator('.line-counts', { hasText: '+1' }).waitFor();
  expect(asked.filter((path) => path.endsWith('/changes/file'))).toEqual([]);
  // What somebody writes later is no part of the result.
  const { workspace } = await world.get(goalId);
  await writeFile(join(workspace.path, 'answer.txt'), 'y\n');
  await file.locator('summary').click();
  await file.locator('.diff-line.added', { hasText: 'x' }).waitFor();
  await file.getByRole('link', { name: 'turn 1' }).waitFor();
  expect(await file.locator('.diff-line').count()).toBe(1);
  await expectAccessible(page);
  await keepPicture(page, 'light-result-files');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Budget, criteria', { exact: true }).click();
  await expectNoSidewaysScroll(page);
  const edgeOf = async (name: string) => {
    const box = await file.locator(name).boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  expect(await edgeOf('.hunk-facts')).toBeGreaterThan(0);
  expect(await edgeOf('.hunk-facts')).toBeLessThanOrEqual(await edgeOf('.diff'));
  await page.setViewportSize({ width: 1440, height: 900 });
  await writeFile(join(workspace.path, 'answer.txt'), 'x\n');
  await file.getByRole('link', { name: 'Read it in the changes' }).click();
  await page.waitForURL(/\/changes\?file=answer\.txt$/);
  await page
    .locator('.file-block')
    .filter({ hasText: 'answer.txt' })
    .locator('.diff-line.added', { hasText: 'x' })
    .waitFor();

  await page.goto(`${world.url}/goals/${goalId}/proof`);
  await page
    .getByRole('button', { name: /^#\d+$/ })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('cat answer.txt').first().waitFor();
  await drawer.locator('.output-pieces pre', { hasText: /^x\s*$/ }).waitFor();
  await keepPicture(page, 'light-proof-receipt');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as one page' }).click();
  const downloaded = await downloading;
  expect(downloaded.suggestedFilename()).toBe(`${goalId}.html`);
  const saved = await downloaded.path();
  const alone = await browser.newContext();
  const reading = await alone.newPage();
  const askedAlone: string[] = [];
  reading.on('request', (request) => askedAlone.push(request.url()));
  await reading.setContent(await readFile(saved, 'utf8'));
  await reading.getByRole('heading', { name: 'Verified' }).waitFor();
  await reading.locator('pre', { hasText: /^x$/ }).first().waitFor();
  expect(askedAlone).toEqual([]);
  await expectAccessible(reading);
  await keepPicture(reading, 'proof-as-one-page');
  await alone.close();

  // A receipt on the overview leads to its turn.
  const [first] = (
    await world.client.get<{ items: { settledSeq: number; turn: number }[] }>(
      `/v1/goals/${goalId}/calls?tool=write_file`,
    )
  ).items;
  await page.goto(`${world.url}/goals/${goalId}/overview?call=${first?.settledSeq}`);
  await drawer.getByRole('link', { name: String(first?.turn), exact: true }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.locator(`#turn-${first?.turn}.current`).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('TRIG-43, CON-179 a trigger is made in the console, and each delivery is shown with what came of it', () =>
  makeTriggers(world, browser));

test('every key of the sheet does what it says, and the sheet names all that exist', () =>
  tryAllKeys(world, browser));

test('the ledger is narrowed by tool, result, path, command and output, and its address tells how', () =>
  narrowLedger(world, browser));

test('a range that is pulled open on the map leads to its turns, also to those that were not loaded', () =>
  pullRanges(world, browser));

test('BOX-20 the form of a start says that commands would have no sandbox there, before anything runs', async () => {
  await world.open('Finish one goal');
  const { isolation } = (await world.database`SELECT isolation FROM worker LIMIT 1`)[0] ?? {};
  const { page, context, complaints } = await signedIn(browser, world.url, { width: 390 });
  await page.goto(`${world.url}/new`);
  await page.getByRole('heading', { name: 'Start a goal' }).waitFor();
  const warning = page.getByRole('alert').filter({ hasText: 'No sandbox on' });
  expect(await warning.count()).toBe(isolation === 'none' ? 1 : 0);
  await world.database`UPDATE worker SET isolation = 'none'`;
  await page.reload();
  await warning.waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'no-sandbox');
  expect(complaints).toEqual([]);
  await world.database`UPDATE worker SET isolation = ${isolation}`;
  await context.close();
});

test('BOX-36 a goal whose commands have the machine’s network says so in red, and one without a sandbox too', async () => {
  const policy = { sandbox: { network: 'host' } };
  const { goalId } = await world.open('Finish one goal', { policy });
  const { isolation } = await world.until(goalId, ({ status }) => status === 'complete');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}`);
  const told = page.getByText('the machine’s network', { exact: true });
  await told.waitFor();
  const colourOf = (what: typeof told) =>
    what.evaluate((element) => getComputedStyle(element).color);
  const bad = await page.evaluate(() => {
    const sample = document.body.appendChild(document.createElement('i'));
    sample.style.color = 'var(--bad)';
    return getComputedStyle(sample).color;
  });
  expect(await colourOf(told)).toBe(bad);
  const unboxed = page.getByText('no sandbox', { exact: true });
  expect(await unboxed.count()).toBe(isolation === 'none' ? 1 : 0);
  if (isolation === 'none') expect(await colourOf(unboxed)).toBe(bad);
  expect(complaints).toEqual([]);
  await context.close();
});

test('PRF-14 a proof stands on one page, which is made for paper, and leads to its file', async () => {
  const { goalId } = await world.open('Finish one goal');
  await world.until(goalId, ({ status }) => status === 'complete');
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const { page, context, complaints } = await signedIn(browser, world.url, { theme, width });
    await page.goto(`${world.url}/goals/${goalId}/gate`);
    await page.getByRole('link', { name: 'The proof as a file' }).click();
    await page.getByRole('heading', { name: 'Verified' }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `proof-${theme}`);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the signed file' }).click();
    expect((await downloading).suggestedFilename()).toBe(`${goalId}.intoto.jsonl`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.side-bar, .tab-bar').locator('visible=true').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('PRF-18, CON-179 a link to a proof is made and taken back in the console, and whoever has it reads its page in either theme on a desk and a phone', () =>
  shareProofs(world, browser));

test('a list of hundreds of goals scrolls on few rows, each made once, and asks for each page once', () =>
  scrollThroughMany(world, browser));
