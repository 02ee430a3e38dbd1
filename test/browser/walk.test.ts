import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { openConsole } from './open-console.ts';
import { wrongTexts } from './shown-texts.ts';
import { openWalkedWorld, type WalkedWorld } from './walked-world.ts';

const WIDTHS = [1440, 1024, 390];

let world: WalkedWorld;
let browser: Browser;
openConsole(
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-walk-'));
    const rules = join(folder, 'rules.json');
    await writeFile(rules, JSON.stringify({ spend: [{ per: 'day', costUsd: '20' }] }));
    const prices = join(folder, 'prices.json');
    const models = { 'compatible/scripted': { inputPerMTok: '0.30', outputPerMTok: '1.20' } };
    await writeFile(prices, JSON.stringify({ models }));
    const environment = {
      GOALKEEPER_PRICES: prices,
      GOALKEEPER_CONFIG: rules,
      GOALKEEPER_ANCHORS: `file:${join(folder, 'anchors')}`,
    };
    return await openWalkedWorld(environment);
  },
  (opened) => {
    ({ world, browser } = opened);
  },
);

interface Stop {
  readonly name: string;
  readonly path: string;
  /** What shows that the page has its data. */
  readonly until: string;
  readonly open?: (page: Page) => Promise<unknown>;
}

const heading = (name: string) => `#main >> role=heading[name=/${name}/i]`;
const press =
  (...keys: readonly string[]) =>
  async (page: Page) => {
    await page.locator('#main').focus();
    for (const key of keys) await page.keyboard.press(key);
  };
const shown = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();

function stopsOf({ goals, items }: WalkedWorld): Stop[] {
  const of = (goal: { goalId: string }, rest = '') => `/goals/${goal.goalId}${rest}`;
  const { running, proven, holding, changed, refused, branch } = goals;
  return [
    { name: 'list', path: '/goals', until: '.goal-row, .goal-card' },
    { name: 'board', path: '/goals?view=board', until: '.goal-card' },
    { name: 'found nothing', path: '/goals?q=jxjxjxjxjx', until: 'text=No goal matches' },
    { name: 'inbox', path: '/inbox', until: '.inbox-row' },
    ...items.map(({ kind, itemId }) => ({
      name: `inbox ${kind}`,
      path: `/inbox?item=${itemId}`,
      until: '.inbox-item',
    })),
    { name: 'live centre', path: of(running), until: '.live-head' },
    {
      name: 'map',
      path: of(running),
      until: '#turn-1',
      open: async (page) => {
        await press('m')(page);
        await shown('.minimap')(page);
      },
    },
    { name: 'waiting goal', path: of(holding), until: '#turn-1' },
    { name: 'complete goal', path: of(proven), until: '#turn-1' },
    { name: 'changes', path: of(changed, '/changes'), until: '.diff-line, [class*="diff"]' },
    {
      name: 'changes side by side',
      path: of(changed, '/changes'),
      until: '.tree-file',
      open: press('u'),
    },
    { name: 'no changes', path: of(refused, '/changes'), until: heading('Nothing') },
    { name: 'worktree goal', path: of(branch), until: '#turn-1' },
    {
      name: 'apply branch',
      path: of(branch, '/changes'),
      until: '.tree-file',
      open: async (page) => {
        await page.getByRole('button', { name: 'Apply branch…' }).click();
        await shown('role=dialog')(page);
      },
    },
    {
      name: 'another model',
      path: of(branch, '/turns/1'),
      until: 'text=First token',
      open: async (page) => {
        await page.getByRole('button', { name: 'With another model…' }).click();
        await page.getByLabel('It begins with').waitFor();
      },
    },
    {
      name: 'start form with files of a turn',
      path: `/new?of=${branch.goalId}&tree=worktree&turn=1`,
      until: 'text=as they were',
    },
    { name: 'turn', path: of(changed, '/turns/1'), until: 'text=First token' },
    {
      name: 'compare',
      path: of(changed, '/compare?left=1&right=2'),
      until: 'role=table',
    },
    { name: 'gate', path: of(holding, '/gate'), until: heading('Criteria') },
    { name: 'gate passed', path: of(proven, '/gate'), until: heading('Criteria') },
    { name: 'proof', path: of(proven, '/proof'), until: heading('Verified') },
    { name: 'proof holds', path: of(holding, '/proof'), until: heading('Holds, waits') },
    { name: 'proof open', path: of(refused, '/proof'), until: heading('Not proved yet') },
    { name: 'history', path: of(proven, '/history'), until: '.history-turn, [class*="history"]' },
    { name: 'ledger', path: of(running, '/ledger'), until: '.ledger-row:not(.ledger-head)' },
    { name: 'ledger row', path: of(running, '/ledger?call=1'), until: 'role=dialog' },
    {
      name: 'start form',
      path: '/new',
      until: 'role=button[name="Start goal"]',
      open: async (page) => {
        const folder = changed.workspace.path;
        await page.getByLabel('Objective').fill('Port the orders');
        await page.getByLabel('Workspace').fill(folder);
        await page.getByLabel('Criterion 1', { exact: true }).fill('node --test');
        await page.getByRole('button', { name: 'Add rule' }).click();
        await page.getByText('Options').first().click();
      },
    },
    {
      name: 'start form of an agent',
      path: '/new',
      until: 'role=button[name="Start goal"]',
      open: async (page) => page.getByLabel('Who works').selectOption('quiet'),
    },
    { name: 'copy', path: `/new?of=${proven.goalId}`, until: 'role=button[name="Start goal"]' },
    { name: 'tokens', path: '/settings/tokens', until: 'role=table' },
    { name: 'principals', path: '/settings/principals', until: 'role=table' },
    { name: 'rules', path: '/settings/rules', until: heading('.') },
    { name: 'anchors', path: '/settings/anchors', until: heading('.') },
    { name: 'schedules', path: '/schedules', until: 'text=weekly' },
    { name: 'new schedule', path: '/schedules/new', until: 'text=Make the schedule' },
    { name: 'triggers', path: '/triggers', until: 'text=issues' },
    { name: 'trigger', path: '/triggers/issues', until: heading('issues') },
    { name: 'operations', path: '/ops', until: 'text=Spend limits' },
    {
      name: 'palette',
      path: of(running),
      until: '#turn-1',
      open: async (page) => {
        await page.keyboard.press('Control+k');
        await shown('role=combobox[name="Do or jump to"]')(page);
      },
    },
    {
      name: 'palette that searched',
      path: of(running),
      until: '#turn-1',
      open: async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Do or jump to' }).fill('look around');
        await page.getByRole('option', { name: /^Search “look around”/ }).click();
        await page
          .getByRole('option', { name: /^Turn \d+: .*look around/ })
          .first()
          .waitFor();
      },
    },
    {
      name: 'two goals side by side',
      path: of(changed, `/compare?with=${proven.goalId}`),
      until: 'role=table[name="Both goals"]',
    },
    {
      name: 'keys',
      path: '/goals',
      until: '.goal-row, .goal-card',
      open: async (page) => {
        await press('?')(page);
        await shown('role=dialog')(page);
      },
    },
    { name: 'security log', path: '/settings/security', until: 'table tbody tr' },
    { name: 'no such page', path: '/goals/a/b/c', until: heading('no such page') },
    { name: 'no such goal', path: '/goals/g-0000000000000000', until: heading('.') },
  ];
}

/** Each of some twenty pages, so that a busy machine ends it in time. */
const PARTS = [0, 1, 2];

for (const [width, part] of WIDTHS.flatMap((one) => PARTS.map((other) => [one, other] as const))) {
  test(`CON-73, CON-112: axe finds nothing on any page of the console at ${width} pixels, in either theme, none scrolls sideways, and none shows a text that a rule forbids (${part + 1} of ${PARTS.length})`, async () => {
    const found: string[] = [];
    const { page, context, complaints } = await signedIn(browser, world.url, {
      width,
      role: 'admin',
    });
    page.setDefaultTimeout(8_000);
    const stops = stopsOf(world).filter((_, at) => at % PARTS.length === part);
    for (const { name, path, until, open } of stops) {
      const step = async (what: string, run: () => Promise<unknown>) => {
        await run().catch((error: Error) =>
          found.push(`${name} at ${width}, ${what}: ${error.message}`),
        );
      };
      await page.goto(world.url + path);
      await step('it comes', () => page.locator(until).first().waitFor());
      if (open !== undefined) await step('it opens', () => open(page));
      await step('axe', () => expectAccessible(page));
      await step('width', () => expectNoSidewaysScroll(page));
      for (const wrong of await wrongTexts(page)) found.push(`${name} at ${width}, ${wrong}`);
      await keepPicture(page, `walk-${width}-${name}`);
    }
    // The one page that is not there.
    const others = complaints.filter((complaint) => !complaint.includes('status of 404'));
    found.push(...others.map((complaint) => `complaint at ${width}: ${complaint}`));
    await context.close();
    expect(found).toEqual([]);
  });
}

test('CON-73: the page to sign in is among them', async () => {
  for (const width of WIDTHS) {
    const stranger = await browser.newContext({ viewport: { width, height: 900 } });
    const door = await stranger.newPage();
    await door.goto(`${world.url}/goals`);
    await door
      .getByRole('button', { name: /sign in/i })
      .first()
      .waitFor();
    await expectAccessible(door);
    await expectNoSidewaysScroll(door);
    await stranger.close();
  }
});

test('CON-76: a narrowed list is kept as a view of this browser, forgotten again, and the board says who acts', async () => {
  const { page, context, complaints } = await signedIn(browser, world.url);
  const { goals } = world;
  const row = ({ goalId }: { readonly goalId: string }) =>
    page.locator(`.goal-row[data-goal="${goalId}"]`);
  await page.goto(`${world.url}/goals`);
  await row(goals.running).waitFor();
  await page.getByLabel('Why it is paused').selectOption('question');
  await row(goals.running).waitFor({ state: 'detached' });
  await row(goals.changed).waitFor();
  await page.getByRole('button', { name: 'Save this view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('asks me');
  await page.keyboard.press('Enter');
  await page.goto(`${world.url}/goals`);
  await row(goals.running).waitFor();
  await page.getByLabel('Saved views').selectOption('asks me');
  await row(goals.running).waitFor({ state: 'detached' });
  await expectAccessible(page);
  await keepPicture(page, 'saved-view');
  await page.getByRole('button', { name: 'Forget this view' }).click();
  await page.getByLabel('Saved views').waitFor({ state: 'detached' });
  await page.goto(`${world.url}/goals?view=board`);
  const column = (name: string) => page.getByRole('region', { name });
  await column('Needs you').locator(`[data-goal="${goals.changed.goalId}"]`).waitFor();
  await column('Running').locator(`[data-goal="${goals.running.goalId}"]`).waitFor();
  await column('Complete').locator(`[data-goal="${goals.proven.goalId}"]`).waitFor();
  await keepPicture(page, 'board-by-actor');
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-77: a phone narrows the list by the same filters, which are folded until they are asked for', async () => {
  const options = { width: 390, theme: 'dark' } as const;
  const { page, context, complaints } = await signedIn(browser, world.url, options);
  const { goals } = world;
  const card = ({ goalId }: { readonly goalId: string }) => page.locator(`[data-goal="${goalId}"]`);
  await page.goto(`${world.url}/goals`);
  await card(goals.running).waitFor();
  const reason = page.getByLabel('Why it is paused');
  expect(await reason.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await reason.selectOption('question');
  await card(goals.running).waitFor({ state: 'detached' });
  await card(goals.changed).waitFor();
  await page.getByRole('button', { name: 'Filters 1', expanded: true }).waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'filters-on-a-phone');
  await page.reload();
  await reason.waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-87: a branch is applied from the changes: what is in its way is named, and then it is there', async () => {
  const { branch } = world.goals;
  const [row] = await world.database<{ path: string }[]>`
    SELECT o.path FROM goal g JOIN workspace w ON w.name = g.workspace_name
    JOIN workspace o ON o.name = w.origin WHERE g.goal_id = ${branch.goalId}`;
  const path = row?.path ?? '';
  await writeFile(join(path, 'answer.txt'), 'mine\n');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${branch.goalId}/changes`);
  await page.getByRole('button', { name: 'Apply branch…' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const apply = dialog.getByRole('button', { name: 'Apply branch', exact: true });
  await dialog.getByText('Nothing of it is proved yet.').waitFor();
  await apply.press('Enter');
  await dialog
    .getByRole('alert')
    .getByText(/not committed where .* writes: answer\.txt/)
    .waitFor();
  await expectAccessible(page);
  await keepPicture(page, 'light-apply-refused');
  await rm(join(path, 'answer.txt'));
  await apply.press('Enter');
  await dialog
    .getByRole('status')
    .getByText(/is at [0-9a-f]{12} now: 1 file\./)
    .waitFor();
  await expectAccessible(page);
  expect(await readFile(join(path, 'answer.txt'), 'utf8')).toBe('42\n');
  expect(complaints.filter((complaint) => !complaint.includes('status of 409'))).toEqual([]);
  await context.close();
});
