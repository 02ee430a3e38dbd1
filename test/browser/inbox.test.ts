import type { Browser, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { type InboxWorld, openInboxWorld } from './inbox-world.ts';
import { answerable, goTo } from './keyboard.ts';
import { openConsole } from './open-console.ts';

let world: InboxWorld;
let browser: Browser;
openConsole(openInboxWorld, (opened) => {
  ({ world, browser } = opened);
});

afterEach(() => world.clear());

const title = (page: Page) => page.locator('.inbox-title');
const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
const icon = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href');

test('CON-38: whatever waits is read in full and answered by keys, one after the other, until nothing waits', async () => {
  const porting = await world.wait('Port');
  const removing = await world.wait('Remove');
  const asking = await world.wait('Ask');
  const disputing = await world.wait('Dispute');
  const spending = await world.wait('Spend');
  const proposing = await world.wait('Propose');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals`);
  await page.getByRole('link', { name: /^Inbox 7 wait/ }).waitFor();
  await expect.poll(() => page.title()).toBe('(7) Goals · Goalkeeper');
  expect(await icon(page)).toMatch(/waiting|svg\+xml.*waits/);
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.getByText('5 hold a goal, 2 can wait.').waitFor();

  await answerable(page, 'Edit src/orders.js');
  await page.getByText('No import of express is left').waitFor();
  await page.locator('.diff-line.added', { hasText: "by = 'fastify'" }).waitFor();
  await page.getByText('Holds the goal: nothing of it runs meanwhile.').waitFor();
  await page
    .getByText(/goal rule 1 \(ask edit_file/)
    .first()
    .waitFor();
  await keepPicture(page, 'light-inbox-approval');
  await expectAccessible(page);
  for (const [key, heading] of [
    ['j', /Run rm -rf src/],
    ['j', /Who owns “queue lag”/],
    ['j', /Disputes c1/],
    ['j', /turns used up/i],
    ['j', /New criterion:.*notes\.md/],
    ['j', /Add test\/check\.sh to the scope/],
  ] as const) {
    await page.keyboard.press(key);
    await answerable(page, heading);
    await keepPicture(page, `light-inbox-${heading}`);
    await expectAccessible(page);
  }
  await page.getByText('It opens ten connections.').waitFor();
  await page.getByText('Does not hold the goal').waitFor();

  // The end holds; a proposal that is accepted goes, and the one before it comes.
  await page.keyboard.press('j');
  await page.keyboard.press('y');
  await answerable(page, /New criterion/);
  expect(await focused(page)).toContain('New criterion');
  await page.keyboard.press('d');
  await page.getByLabel('Reason, for the agent and the record').fill('Notes prove nothing.');
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await answerable(page, /turns used up/i);
  await page.keyboard.press('2');
  await page.getByRole('heading', { name: 'Change the budget' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('1');
  await answerable(page, /Disputes c1/);
  await page.keyboard.press('2');
  await answerable(page, /Who owns/);
  await page.locator('.inbox-question', { hasText: 'It pages two teams.' }).waitFor();
  await page.keyboard.press('2');
  await answerable(page, 'Run rm -rf src');
  await page.keyboard.press('d');
  await page.getByLabel('Reason, for the agent and the record').fill('Keep it.');
  await page.keyboard.press('Control+Enter');
  await answerable(page, 'Edit src/orders.js');
  await page.keyboard.press('y');
  await page.getByText('Nothing waits for you', { exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe('Inbox · Goalkeeper');
  expect(await icon(page)).not.toMatch(/waits|waiting/);
  await keepPicture(page, 'light-inbox-empty');
  await expectAccessible(page);

  for (const { goalId } of [porting, removing, asking]) {
    await world.until(goalId, ({ status }) => status === 'complete');
  }
  expect((await world.get(spending.goalId)).budget.turns).toBe(3);
  await world.until(disputing.goalId, ({ pause }) => pause === undefined);
  expect((await world.get(proposing.goalId)).scope?.change).toContain('test/check.sh');
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-39: of two who decide at once one is told who decided and how, keeps the words, and no key meets another item', async () => {
  const asked = await world.wait('Remove', 'what two look at');
  await world.wait('Ask', 'after it');
  const [first, second] = await Promise.all([
    signedIn(browser, world.url),
    signedIn(browser, world.url, { role: 'admin', theme: 'dark' }),
  ]);
  for (const { page } of [first, second]) {
    await page.goto(`${world.url}/inbox`);
    await answerable(page, 'Run rm -rf src');
  }
  await second.page.keyboard.press('d');
  const words = second.page.getByLabel('Reason, for the agent and the record');
  await words.fill('We still need it.');
  await first.page.keyboard.press('y');
  await answerable(first.page, /Who owns/);
  await second.page.locator('.inbox-row.gone').waitFor();
  await second.page.getByRole('button', { name: 'Decline', exact: true }).click();
  await second.page.getByText('Somebody answered it before you, and that stands.').waitFor();
  expect(await words.inputValue()).toBe('We still need it.');
  await keepPicture(second.page, 'dark-inbox-conflict');
  await second.page.keyboard.press('Escape');
  await second.page.getByRole('button', { name: 'Discard it' }).click();
  await world.until(asked.goalId, ({ status }) => status === 'complete');
  await second.page.getByText(/^Approved by .* at /).waitFor();
  await second.page.getByRole('button', { name: /No longer waits/ }).waitFor();
  await keepPicture(second.page, 'dark-inbox-gone');
  await expectAccessible(second.page);
  await second.page.keyboard.press('y');
  await second.page.keyboard.press('1');
  expect(await title(second.page).textContent()).toBe('Run rm -rf src');
  await second.page.keyboard.press('j');
  await answerable(second.page, /Who owns/);
  await expect.poll(() => second.page.locator('.inbox-row').count()).toBe(1);
  await second.page.keyboard.press('o');
  await second.page.keyboard.type('Both, y and d.');
  await second.page.keyboard.press('Enter');
  await second.page.getByText('Nothing waits for you', { exact: true }).waitFor();
  for (const { complaints, context } of [first, second]) {
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('CON-67: of two who answer a question the second is told who was first', async () => {
  await world.wait('Ask', 'whom two answer');
  const [first, second] = await Promise.all([
    signedIn(browser, world.url),
    signedIn(browser, world.url, { role: 'admin', theme: 'dark' }),
  ]);
  for (const { page } of [first, second]) {
    await page.goto(`${world.url}/inbox`);
    await answerable(page, /Who owns/);
  }
  await first.page.keyboard.press('1');
  await second.page.getByText(/^Answered by operator.* at \d\d:\d\d\.$/).waitFor();
  for (const { complaints, context } of [first, second]) {
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('CON-40: on a phone list and item are two pages; narrow, dark and for a viewer it fits, and nobody is offered what they may not', async () => {
  await world.wait('Port', 'on a phone');
  await world.wait('Ask', 'on a phone');
  for (const [theme, width, role] of [
    ['dark', 390, 'operator'],
    ['light', 390, 'viewer'],
    ['dark', 1024, 'operator'],
  ] as const) {
    const { page, context, complaints } = await signedIn(browser, world.url, {
      ...{ theme, width, role },
    });
    await page.goto(`${world.url}/inbox`);
    const row = page.getByRole('button', { name: /Edit src\/orders\.js/ });
    await row.waitFor();
    await keepPicture(page, `${theme}-inbox-${width}-${role}`);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await row.click();
    await page.locator('.diff-line.added').first().waitFor();
    await keepPicture(page, `${theme}-inbox-${width}-${role}-item`);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    const offers = page.getByRole('button', { name: /^(Approve once|Decline)/ });
    expect(await offers.count()).toBe(role === 'viewer' ? 0 : 2);
    if (role === 'viewer') {
      await page.getByText('An operator or an admin answers this.').waitFor();
      await page.keyboard.press('y');
      expect(await page.title()).toBe('Inbox · Goalkeeper');
    }
    if (width === 390) {
      await page.getByRole('link', { name: 'Inbox' }).first().click();
      await page.getByRole('button', { name: /Who owns/ }).click();
      await page.getByRole('button', { name: /Payments/ }).waitFor();
      await page.goBack();
      await row.waitFor();
      expect(await title(page).isVisible()).toBe(false);
    } else {
      const count = page.locator('.side-bar .nav-count');
      expect(await count.isVisible()).toBe(true);
      await page.setViewportSize({ width, height: 420 });
      const heights = await page.evaluate(
        `[...document.querySelectorAll('.side-bar .nav-item')]
          .map((one) => one.getBoundingClientRect().height)`,
      );
      expect(Math.min(...(heights as number[]))).toBeGreaterThanOrEqual(24);
    }
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('CON-41: a browser tells what newly waits once a person wants that, and never asks by itself', async () => {
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.addInitScript(`
    window.told = [];
    window.permission = 'default';
    window.Notification = class extends EventTarget {
      static get permission() { return window.permission; }
      static async requestPermission() { return (window.permission = 'granted'); }
      constructor(title, options) {
        super();
        window.told.push({ title, ...options });
        window.last = this;
      }
    };
    document.hasFocus = () => false;`);
  await page.goto(`${world.url}/inbox`);
  await page.getByRole('button', { name: 'Notify in this browser' }).waitFor();
  await world.wait('Remove', 'before anybody wants to hear it');
  await page.getByRole('button', { name: /Run rm -rf src/ }).waitFor();
  expect(await page.evaluate('[window.permission, window.told]')).toEqual(['default', []]);
  await page.getByRole('button', { name: 'Notify in this browser' }).click();
  await page.getByRole('button', { name: 'Stop notifying here' }).waitFor();
  await goTo(page, '/goals');
  await world.wait('Ask', 'while nobody looks');
  await expect
    .poll(() => page.evaluate('window.told'))
    .toMatchObject([{ title: 'Question', body: 'Who owns “queue lag”? It pages two teams.' }]);
  await page.evaluate('window.last.dispatchEvent(new Event("click"))');
  await answerable(page, /Who owns/);
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-42: a goal’s page keeps its objective’s lines and the focus once its question is answered, its menu is sound, and a viewer is offered nothing', async () => {
  const { goalId } = await world.wait('Ask', 'for two things:\n1. the owner\n2. the hours');
  const viewer = await signedIn(browser, world.url, { role: 'viewer' });
  await viewer.page.goto(`${world.url}/goals/${goalId}`);
  await viewer.page.getByRole('heading', { name: /^Ask for two things/ }).waitFor();
  for (const name of [/Start/, /Resume/, /Edit/, /Raise/, /More actions/, /Platform/]) {
    expect(await viewer.page.getByRole('button', { name }).count(), String(name)).toBe(0);
    expect(await viewer.page.getByRole('link', { name }).count(), String(name)).toBe(0);
  }
  await viewer.page.keyboard.press('n');
  expect(new URL(viewer.page.url()).pathname).toBe(`/goals/${goalId}`);
  await viewer.context.close();

  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}`);
  const heading = page.getByRole('heading', { name: /^Ask for two things/ });
  await heading.waitFor();
  expect(
    await page.evaluate("document.querySelector('.goal-title h1').getBoundingClientRect().height"),
  ).toBeGreaterThan(60);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Clear goal…' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Platform' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Answered; the goal goes on.').waitFor();
  await page.getByRole('form', { name: 'Waiting for you' }).waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-59: “always” shows the rule before it is stored, and the settings list it and end it', async () => {
  const asked = await world.wait('Remove', 'for good');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/inbox`);
  await answerable(page, 'Run rm -rf src');
  await page.keyboard.press('w');
  const workspace = (await world.get(asked.goalId)).workspace.name;
  await page.getByRole('heading', { name: `Always allow this in ${workspace}?` }).waitFor();
  await page.getByText('run_command "rm -rf src"', { exact: true }).waitFor();
  await keepPicture(page, 'light-always');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await world.client.get<{ items: object[] }>('/v1/rules')).items).toEqual([]);

  await page.goto(`${world.url}/goals/${asked.goalId}`);
  await page.getByRole('button', { name: /^Review and decide/ }).click();
  await page.getByRole('button', { name: 'Always…' }).click();
  await page.getByText('run_command "rm -rf src"', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Approve once' }).waitFor();
  await page.keyboard.press('Escape');

  await page.goto(`${world.url}/inbox`);
  await answerable(page, 'Run rm -rf src');
  await page.keyboard.press('2');
  await page.getByRole('button', { name: 'Approve and store the rule' }).click();
  await world.until(asked.goalId, ({ status }) => status === 'complete');
  await page.goto(`${world.url}/settings/rules`);
  await page.getByRole('cell', { name: 'run_command "rm -rf src"', exact: true }).waitFor();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `light-rules-${width}`);
    await expectAccessible(page);
  }
  await page.getByRole('button', { name: /^Revoke run_command/ }).click();
  await page.getByRole('button', { name: 'Revoke the rule' }).click();
  await page.getByText('1 that ended').waitFor();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-60: the goal is spoken to where it is watched: the draft stays, a refusal stands at its field, and a viewer sees no box', async () => {
  const goal = await world.wait('Propose', 'and be told');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goal.goalId}`);
  const box = page.getByRole('form', { name: 'Message to the goal' });
  const field = box.getByRole('textbox', { name: 'Message' });
  await field.waitFor();
  await page.keyboard.press('i');
  await page.keyboard.type('Use the second fixture.');
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('Use the second fixture.');
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await field.scrollIntoViewIfNeeded();
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `light-message-box-${width}`);
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  const refused = { code: 'invalid_request', status: 400, title: 'Invalid', field: 'text' };
  await page.route('**/messages', (route) =>
    route.fulfill({
      ...{ status: 400, contentType: 'application/problem+json' },
      body: JSON.stringify({ type: 'about:blank', ...refused, detail: 'text: too odd' }),
    }),
  );
  await field.focus();
  await page.keyboard.press('Control+Enter');
  await box.getByText('too odd', { exact: true }).waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('Use the second fixture.');
  await expectAccessible(page);
  await page.unroute('**/messages');
  await field.focus();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Sent. The model reads it with its next call.').waitFor();
  await expect.poll(() => field.inputValue()).toBe('');
  await box.getByRole('button', { name: 'Answer, then pause' }).click();
  await field.fill('What is left?');
  await box.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent. The goal answers, then pauses.').waitFor();
  const told = await world.database<{ text: string; delivery: string }[]>`
    SELECT text, delivery FROM inbox WHERE goal_id = ${goal.goalId} AND kind = 'message'
    ORDER BY delivery DESC`;
  expect([...told]).toEqual([
    { text: 'Use the second fixture.', delivery: 'steer' },
    { text: 'What is left?', delivery: 'pause' },
  ]);
  const stopped = await world.wait('Ask', 'and be told more');
  await page.goto(`${world.url}/goals/${stopped.goalId}`);
  await box.getByText('It answers, then pauses.').waitFor();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
  await context.close();

  const looking = await signedIn(browser, world.url, { role: 'viewer', theme: 'dark' });
  await looking.page.goto(`${world.url}/goals/${goal.goalId}`);
  await looking.page.getByRole('region', { name: 'Turns' }).waitFor();
  expect(await looking.page.getByRole('form', { name: 'Message to the goal' }).count()).toBe(0);
  await looking.context.close();
});
