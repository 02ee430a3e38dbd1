import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { assistantMessages, objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { breakableLine } from './breakable-line.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  signedIn,
  test,
} from './browser.ts';
import { openConsole } from './open-console.ts';

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

/** Runs until the test puts a file of this name into the workspace. */
const until = (name: string) => `while [ ! -e ${name} ]; do sleep 0.1; done`;
const run = (command: string, text = '') => reply.call('run_command', { command }, text);

const PLAN = [
  `Express is **gone**; \`package.json\` lost four entries. ${HOSTILE}`,
  '1. `npm test` for the suite\n2. then the [claim](https://example.org/claims)',
  '![cat](https://example.org/cat.png) [run](javascript:window.hacked=1)',
  '| criterion | state |\n|---|---|\n| c1 | stale |',
].join('\n\n');

const suite = [
  String.raw`printf '> checkout-api test\n\n\033[36m RUN \033[0m v3.2.1\n\n'`,
  String.raw`for n in $(seq 1 60); do printf " \033[32m✓\033[0m test/orders-$n.test.ts \033[2m(6 tests) 214 ms\033[0m\n"; done`,
  String.raw`printf ' \033[31m✗ test/last.test.ts (52 tests | 1 failed)\033[0m\n\033]0;owned\007\033[2J'`,
  String.raw`printf '<img src=x onerror="window.hacked=1">\n'`,
  until('more'),
  String.raw`for n in $(seq 1 40); do printf " \033[33m◌\033[0m later $n\n"; done; printf 'the last line\n'`,
  until('go'),
  'exit 3',
].join('; ');

/** The masker holds the newest letters back, since a secret may begin in them: more follow. */
const flood = `yes ${'x'.repeat(98)} | head -n 101000; echo flooded; echo waits; ${until('go')}`;

const explains = sequence([
  reply.call('read_file', { path: 'package.json' }, `I look **first**. ${HOSTILE}`),
  { ...reply.text('Still at it.'), delayMs: 600_000 },
]);

const scripts: Record<string, Script> = {
  Port: sequence([
    reply.call('read_file', { path: 'package.json' }, 'First I look at *what is there*.'),
    run(suite, PLAN),
    { text: '## Next\n\nOne test **fails**, so I look', hang: 'after_text' },
  ]),
  Explain: (request) =>
    assistantMessages(request) === 0 && request.seenBefore === 0
      ? reply.error(529, { error: { message: 'overloaded, try later' } })
      : explains(request),
  Stop: sequence([
    reply.call('edit_file', {
      path: 'package.json',
      edits: [{ oldText: '{"name":"checkout-api"}', newText: '{"name":"checkout"}' }],
    }),
    run(`echo begun; ${until('never')}`, 'I wait for the build.'),
    // The masker holds the newest letters back, since a secret may begin in them.
    {
      text: `Somebody stopped it. ${'I look at what else there is. '.repeat(9)}`,
      hang: 'after_text',
    },
  ]),
  Flood: sequence([run(flood), { text: 'It printed much.', hang: 'after_text' }]),
  Drop: sequence([
    run(`echo before; echo waits; ${until('go')}; echo unheard`, 'Said before the gap.'),
    run('echo whole in the gap', 'Said in the gap.'),
    run(`echo after; ${until('end')}`, 'Said last in the gap.'),
    { text: 'Saying as it comes back, and it goes on with more words', hang: 'after_text' },
  ]),
};

let world: GoalWorld;
let browser: Browser;
const folders = new Map<string, string>();
openConsole(
  async () => {
    const script: Script = (request) =>
      (scripts[objectiveOf(request).split(' ')[0] ?? ''] ?? sequence([reply.text('?')]))(request);
    return await openGoalWorld({ script });
  },
  (opened) => {
    ({ world, browser } = opened);
  },
);

async function open(objective: string): Promise<Goal> {
  const path = await world.workspace({ 'package.json': '{"name":"checkout-api"}\n' });
  const criteria = [{ kind: 'file', path: 'answer.txt', exists: true } as const];
  const goal = await world.start({ objective, workspace: { path }, criteria });
  folders.set(goal.goalId, path);
  return goal;
}

const put = ({ goalId }: Goal, name: string) => writeFile(`${folders.get(goalId)}/${name}`, 'x\n');

const lines = (page: Page) => page.locator('.terminal > pre');
const head = (page: Page) => page.locator('.live-head .live-words');
const LINES = "document.querySelector('.terminal > pre')";
const isAtEnd = (page: Page) =>
  page.evaluate(`${LINES}.scrollHeight - ${LINES}.scrollTop - ${LINES}.clientHeight < 24`);

test('CON-49: the newest turn is read as it runs: words as markdown, calls in order, a terminal that follows, and what happens now', async () => {
  const goal = await open('Port checkout-api from Express 4 to Fastify 5');
  const { page, context, complaints } = await signedIn(browser, world.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${world.url}/goals/${goal.goalId}`);
  await head(page).getByText('running printf').waitFor();
  await lines(page).getByText('test/last.test.ts').waitFor();
  await head(page)
    .getByText(/, \d+ s$/)
    .waitFor();
  expect(await page.locator('#turn-1 > button').getAttribute('aria-expanded')).toBe('true');
  await page.locator('.markdown strong', { hasText: 'gone' }).waitFor();
  await page.locator('.markdown li code', { hasText: 'npm test' }).waitFor();
  const order = await page.locator('.transcript').first().innerText();
  const places = ['what is there', 'read_file', 'gone', 'checkout-api test'].map((text) =>
    order.indexOf(text),
  );
  expect(places).toEqual(places.toSorted((left, right) => left - right));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);

  // Hostile words and output stay letters, and nothing is asked of anybody else.
  await page.getByText(HOSTILE).waitFor();
  await lines(page).getByText('<img src=x onerror="window.hacked=1">').waitFor();
  expect(await page.locator('.transcript :is(img, script, iframe, svg image)').count()).toBe(0);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  const links = page.locator('.markdown a');
  expect(await links.count()).toBe(1);
  expect(await links.getAttribute('href')).toBe('https://example.org/claims');
  expect(await links.getAttribute('rel')).toContain('noopener');
  await links.getByText('(example.org)').waitFor();
  expect(asked.filter((url) => !url.startsWith(world.url))).toEqual([]);
  expect(await lines(page).innerText()).not.toMatch(/owned|\[2J|\[3\dm/);
  expect(await lines(page).locator('.ansi-green').first().textContent()).toBe('✓');

  // It follows its end until its reader scrolls up, and again by a key.
  await expect.poll(() => isAtEnd(page)).toBe(true);
  await keepPicture(page, 'light-live');
  await expectAccessible(page);
  await lines(page).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => page.evaluate(`${LINES}.scrollTop`)).toBe(0);
  await page.getByRole('button', { name: 'Follow', exact: true }).first().waitFor();
  await put(goal, 'more');
  await lines(page).getByText('the last line').waitFor({ state: 'attached' });
  expect(await page.evaluate(`${LINES}.scrollTop`)).toBe(0);
  await page.keyboard.press('f');
  await expect.poll(() => isAtEnd(page)).toBe(true);
  await head(page)
    .getByText(/no output for \d+ s/)
    .waitFor();

  for (const [theme, width] of [
    ['dark', 390],
    ['dark', 1024],
  ] as const) {
    const small = await signedIn(browser, world.url, { theme, width });
    await small.page.goto(`${world.url}/goals/${goal.goalId}`);
    await head(small.page).getByText('running printf').waitFor();
    await small.page.locator('.markdown strong', { hasText: 'gone' }).waitFor();
    await expectNoSidewaysScroll(small.page);
    await keepPicture(small.page, `${theme}-live-${width}`);
    await small.page.locator('.terminal').scrollIntoViewIfNeeded();
    await keepPicture(small.page, `${theme}-live-${width}-terminal`);
    expect(small.complaints).toEqual([]);
    await small.context.close();
  }

  await put(goal, 'go');
  await page.locator('.saying').getByText('fails').waitFor();
  await page.locator('.saying strong').waitFor();
  await head(page).getByText('answering').waitFor();
  await page.locator('.inline-call', { hasText: 'exit 3' }).waitFor();
  await page.locator('#turn-1 .turn-title', { hasText: 'ran printf' }).waitFor();
  await keepPicture(page, 'light-live-saying');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-50, CON-100: ten megabytes at once neither freeze nor grow the page, what is left out is told, and a key leads to the whole once the command is over', async () => {
  const goal = await open('Flood the page');
  const { page, context, complaints } = await signedIn(browser, world.url, { theme: 'dark' });
  await page.addInitScript(`
    window.longest = 0;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
    }, 20);`);
  await page.goto(`${world.url}/goals/${goal.goalId}`);
  await lines(page).getByText('flooded').waitFor();
  await lines(page).locator('.terminal-gap').first().waitFor({ state: 'attached' });
  expect(await lines(page).locator('.terminal-row').count()).toBeLessThan(2002);
  expect((await lines(page).innerText()).length).toBeLessThan(400_000);
  expect(await page.evaluate('window.longest')).toBeLessThan(3000);
  await put(goal, 'go');
  await page.getByRole('region', { name: 'The model says now' }).waitFor();
  await page.locator('.inline-call', { hasText: 'exit 0' }).waitFor();
  await page.keyboard.press('o');
  await page
    .getByRole('dialog')
    .getByText(/^128 KB of 9\.\d MB$/)
    .waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('CON-51: a stream that was away comes back: what was missed is read from the record, and nothing stands there twice', async () => {
  const goal = await open('Drop the line');
  const line = await breakableLine(world.url);
  const { page, context } = await signedIn(browser, line.url);
  await page.goto(`${line.url}/goals/${goal.goalId}`);
  await lines(page).getByText('before', { exact: true }).waitFor();
  line.cut();
  await page.getByText(/^Behind by/).waitFor();
  await put(goal, 'go');
  await world.until(goal.goalId, ({ usage }) => usage.steps >= 3);
  expect(await page.getByText('Said in the gap.').count()).toBe(0);
  line.mend();
  await page.getByText('Said last in the gap.').waitFor();
  await head(page).getByText('running echo after').waitFor();
  await put(goal, 'end');
  await page.locator('.saying').getByText('Saying as it comes back').waitFor();
  const shown = await page.locator('.transcript').first().innerText();
  for (const words of [
    'Said before the gap.',
    'Said in the gap.',
    'Said last in the gap.',
    'Saying as it comes back',
    'echo whole in the gap',
    'echo unheard',
  ])
    expect(shown.split(words).length - 1, words).toBe(1);
  await expect.poll(() => page.locator('.inline-call').count()).toBe(3);
  await context.close();
  await line.close();
});

test('CON-61: one command is ended from its terminal, by key and after a question, the turn goes on, and an edit is read where it stands', async () => {
  const goal = await open('Stop what hangs');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goal.goalId}`);
  await lines(page).getByText('begun').waitFor();
  const edit = page.locator('.inline-edit');
  await edit.locator('.diff-line.added', { hasText: '"checkout"' }).waitFor();
  await edit.locator('.diff-line.removed', { hasText: 'checkout-api' }).waitFor();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `light-stop-${width}`);
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('.');
  await page.getByRole('heading', { name: 'Stop this command?' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop the command' }).click();
  await page.locator('.markdown', { hasText: 'Somebody stopped it.' }).waitFor();
  await page.locator('.terminal, .inline-call', { hasText: 'stopped' }).first().waitFor();
  expect((await world.get(goal.goalId)).status).toBe('active');
  expect(complaints).toEqual([]);
  await context.close();

  const looking = await signedIn(browser, world.url, { role: 'viewer', theme: 'dark' });
  const other = await open('Stop is not for viewers');
  await looking.page.goto(`${world.url}/goals/${other.goalId}`);
  await lines(looking.page).getByText('begun').waitFor();
  await expectAccessible(looking.page);
  expect(await looking.page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
  await looking.page.keyboard.press('.');
  expect(await looking.page.getByRole('dialog').count()).toBe(0);
  await looking.context.close();
});

test('CON-56, CON-96: a turn’s requests are read as they were sent: each try, its parts, its answer, by keys and at any width', async () => {
  const goal = await open('Explain what you were asked');
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goal.goalId}`);
  await page.locator('.inline-call', { hasText: 'package.json' }).waitFor();
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.waitForURL(/\/turns\/1$/);
  const calls = page.locator('.model-call');
  await calls.filter({ hasText: 'is being answered' }).waitFor();
  expect(await calls.locator('b').allTextContents()).toEqual(['Call 1', 'Call 1, try 2', 'Call 2']);
  await calls.first().getByText('overloaded, try later').waitFor();

  // What runs is shown with what it was asked: the goal, the system, the tools, the conversation.
  const body = page.locator('.asked-body');
  await body.getByText('Explain what you were asked').waitFor();
  await body.locator('summary', { hasText: 'Messages, 3' }).click();
  await body
    .locator('summary', { hasText: /^read_file/ })
    .first()
    .click();
  await body.locator('pre', { hasText: 'checkout-api' }).waitFor();
  await body.locator('summary', { hasText: /^Tools, \d+/ }).click();
  await body.locator('summary', { hasText: 'write_file' }).click();
  await body.locator('pre', { hasText: '"required"' }).waitFor();
  await expectAccessible(page);
  await keepPicture(page, 'light-inspector');

  await page.locator('main').focus();
  await page.keyboard.press('k');
  await page.waitForURL(/model-call=turn-1-2$/);
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await body.locator('strong', { hasText: 'first' }).waitFor();
  await body.getByText(HOSTILE).waitFor();
  await body.locator('pre', { hasText: '"path": "package.json"' }).waitFor();
  expect(await body.locator('img, script').count()).toBe(0);
  await page.getByRole('button', { name: 'Raw', exact: true }).click();
  await body.locator('pre', { hasText: '"finishReason": "tool_calls"' }).waitFor();
  await page.locator('main').focus();
  await page.keyboard.press('k');
  await page.waitForURL(/model-call=turn-1-1$/);
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await body.getByText(/^overload: /).waitFor();

  for (const [theme, width] of [
    ['dark', 390],
    ['dark', 1024],
  ] as const) {
    const small = await signedIn(browser, world.url, { theme, width });
    await small.page.goto(`${world.url}/goals/${goal.goalId}/turns/1`);
    await small.page.locator('.asked-body').getByText('Explain what you were asked').waitFor();
    await expectNoSidewaysScroll(small.page);
    await expectAccessible(small.page);
    await keepPicture(small.page, `${theme}-inspector-${width}`);
    expect(small.complaints).toEqual([]);
    await small.context.close();
  }

  // Two turns, each of a goal of its own, side by side.
  const other = await open('Port beside it');
  await page.goto(`${world.url}/goals/${goal.goalId}/compare`);
  await page.getByLabel('Goal on the right').fill(other.goalId);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const row = (name: string) => page.getByRole('row', { name });
  await row('Calls').first().waitFor();
  await row('What it called').getByText('run_command').waitFor();
  await row('Words').getByText('gone').waitFor();
  // CON-96
  const both = page.getByRole('table', { name: 'Both goals' });
  await both.getByRole('row', { name: 'Objective' }).getByText('Port beside it').waitFor();
  const model = page.getByRole('rowheader', { name: 'Model', exact: true });
  const ofModel = both.getByRole('row').filter({ has: model });
  expect(await ofModel.count()).toBe(1);
  expect(await ofModel.locator('.text-strong').count()).toBe(0);
  expect(await row('Opened by').locator('.text-strong').count()).toBe(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'light-compare');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'light-compare-390');
  await page.goto(`${world.url}/goals/${goal.goalId}/compare?right=9`);
  await page.getByText(`There is no turn 9 of ${goal.goalId}`).waitFor();
  await page.goto(`${world.url}/goals/${goal.goalId}/turns/7`);
  await page.getByText('No model was asked in this turn').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
