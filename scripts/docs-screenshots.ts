import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { startScriptedModel } from '../demo/scripted-server.ts';
import type { Goal } from '../schema/goal.ts';
import { loadConfig } from '../src/app/config.ts';
import { type Client, createClient } from '../src/cli/client.ts';
import { handOverGoals } from '../src/cli/hand-over-goals.ts';
import { startStack } from '../src/stack/up.ts';
import { CLI_FOLDER } from '../test/support/servers.ts';
import { script, shownGoals, workspaceFiles } from './screens/goals.ts';
import { type Shot, shoot } from './screens/shoot.ts';

/** Makes the pictures of docs/console.md from a real stack; needs `npm run build` before. */

const ENTRY = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const SCREENS = fileURLToPath(new URL('../docs/screens', import.meta.url));
const TOKEN = 'pictures-operator-token';
const PRICES = {
  models: {
    'compatible/large': { inputPerMTok: '3', cachedInputPerMTok: '0.3', outputPerMTok: '15' },
  },
};

async function main(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'goalkeeper-screens-'));
  const model = await startScriptedModel({ script });
  Object.assign(process.env, await environmentIn(root, model.url));
  const stack = await startStack(loadConfig(process.env), {
    onProgress: () => {},
    handOver: handOverGoals,
    entry: ENTRY,
    workers: 1,
  });
  const browser = await chromium.launch({
    executablePath: process.env.GOALKEEPER_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const client = createClient({ url: stack.url, token: TOKEN });
    const goals = await startAll(client, root);
    const folder = join(root, 'screens');
    await mkdir(folder);
    const service = { url: stack.url, token: TOKEN, folder };
    for (const shot of shotsOf(goals)) await shoot(browser, service, shot);
    await shoot(browser, { ...service, token: '' }, signIn);
    // Only a whole set takes the place of the one before.
    await rm(SCREENS, { recursive: true, force: true });
    await cp(folder, SCREENS, { recursive: true });
  } finally {
    await browser.close();
    await stack.stop();
    await model.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function environmentIn(root: string, modelUrl: string): Promise<Record<string, string>> {
  const home = join(root, 'home');
  await mkdir(home, { mode: 0o700 });
  await mkdir(CLI_FOLDER, { recursive: true });
  await symlink(CLI_FOLDER, join(home, 'bin'));
  const prices = join(root, 'prices.json');
  await writeFile(prices, JSON.stringify(PRICES));
  return {
    GOALKEEPER_HOME: home,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_LOG: 'warn',
    GOALKEEPER_WORKER_ID: 'worker-1',
    GOALKEEPER_TOKENS: `operator:${TOKEN}`,
    GOALKEEPER_MODEL: 'compatible/large',
    GOALKEEPER_PRICES: prices,
    OPENAI_COMPATIBLE_BASE_URL: modelUrl,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  };
}

/** Each goal in a workspace of its own, at the point where it rests or thinks for long. */
async function startAll(client: Client, root: string): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const { folder, goal } of shownGoals) {
    const path = join(root, folder);
    for (const [file, content] of Object.entries(workspaceFiles)) {
      await mkdir(dirname(join(path, file)), { recursive: true });
      await writeFile(join(path, file), content);
    }
    goals.push(await client.send<Goal>('POST', '/v1/goals', { ...goal, workspace: { path } }));
  }
  const deadline = Date.now() + 90_000;
  for (const { goalId } of goals) {
    while (!isStill(await client.get<Goal>(`/v1/goals/${goalId}`))) {
      if (Date.now() > deadline) throw new Error(`${goalId} never came to rest`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  return goals;
}

const THINKING_STEPS = 10;

const isStill = ({ status, activity, usage }: Goal): boolean =>
  status !== 'active' || activity.state === 'waiting' || usage.steps >= THINKING_STEPS;

const signIn: Shot = {
  name: 'sign-in',
  path: '/',
  theme: 'light',
  width: 1280,
  height: 620,
  until: 'input[type=password]',
};

function shotsOf(goals: readonly Goal[]): Shot[] {
  const [running, , , complete] = goals.map(({ goalId }) => goalId);
  const goal = `/goals/${running}`;
  const wide = { width: 1440 };
  const phone = { width: 390 };
  return [
    { name: 'goals-light', path: '/goals', theme: 'light', ...wide, until: '.goal-row' },
    { name: 'goals-phone', path: '/goals', theme: 'dark', ...phone, until: '.goal-row' },
    { name: 'board-dark', path: '/goals?view=board', theme: 'dark', ...wide, until: '.goal-card' },
    { name: 'goal-light', path: `${goal}?turn=1`, theme: 'light', ...wide, until: '.decision' },
    { name: 'goal-dark', path: `${goal}?turn=1`, theme: 'dark', ...wide, until: '.decision' },
    { name: 'goal-phone', path: goal, theme: 'light', ...phone, until: '.turn' },
    { name: 'gate-light', path: `${goal}/gate`, theme: 'light', ...wide, until: '.verdict' },
    {
      name: 'gate-passed-dark',
      path: `/goals/${complete}/gate`,
      theme: 'dark',
      ...wide,
      until: '.verdict',
    },
    { name: 'inbox-light', path: '/inbox', theme: 'light', ...wide, until: '.inbox-title' },
    {
      name: 'palette-dark',
      path: goal,
      theme: 'dark',
      ...wide,
      until: '.turn',
      before: openPalette,
    },
    {
      name: 'changes-light',
      path: `/goals/${complete}/changes`,
      theme: 'light',
      ...wide,
      until: '.diff-line.added',
    },
    { name: 'turn-dark', path: `${goal}/turns/1`, theme: 'dark', ...wide, until: '.call-facts' },
    {
      name: 'proof-light',
      path: `/goals/${complete}/proof`,
      theme: 'light',
      ...wide,
      until: '.proof-page',
    },
    { name: 'history-light', path: `${goal}/history`, theme: 'light', ...wide, until: '.scrubber' },
    {
      name: 'ledger-dark',
      path: `${goal}/ledger`,
      theme: 'dark',
      ...wide,
      until: '.ledger-row .ledger-arguments',
    },
    {
      name: 'start-light',
      path: '/new',
      theme: 'light',
      ...wide,
      until: '#objective',
      before: fill,
    },
    { name: 'operations-light', path: '/ops', theme: 'light', ...wide, until: '.spend-shares' },
    { name: 'operations-phone', path: '/ops', theme: 'dark', ...phone, until: '.spend-shares' },
  ];
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('.palette-subject').waitFor();
}

async function fill(page: Page): Promise<void> {
  await page.getByLabel('Objective').fill('Round amounts half up in billing reports');
  await page.getByLabel('Workspace').fill(await firstWorkspace(page));
  await page.getByLabel('Criterion 1', { exact: true }).fill('node --test');
  await page.getByRole('button', { name: 'Run this check now' }).click();
  await page.locator('.check-now .tag').waitFor();
  await page.getByText(/About \d+ turns?/).waitFor();
}

/** One that no goal holds. */
async function firstWorkspace(page: Page): Promise<string> {
  const names = await page.locator('#workspaces option').evaluateAll(
    // The page's own elements, which this side has no types of.
    (options) => options.map((option) => (option as unknown as { value: string }).value),
  );
  return names.find((name) => name.startsWith('billing')) ?? names[0] ?? '';
}

await main();
process.exit(0);
