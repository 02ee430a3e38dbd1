import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { assistantMessages, reply, type Script } from '../../demo/script.ts';
import { compiled } from '../support/compiled.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { openBrowser, signedIn, test } from './browser.ts';
import { builtConsole } from './built-console.ts';

let hasHung = false;

/** Hangs in its second call, and works when another worker asks again. */
const script: Script = (request) => {
  const position = assistantMessages(request);
  if (position === 0) return reply.call('read_file', { path: 'package.json' }, 'I look around.');
  if (!hasHung) {
    hasHung = true;
    return { text: 'I think about the answer', hang: 'after_text' };
  }
  if (position === 1) return reply.call('write_file', { path: 'answer.txt', content: '42\n' });
  return reply.call('attempt_completion', { result: 'It is 42.' });
};

let world: GoalWorld;
let browser: Browser;
let worker: ChildProcess;
beforeAll(async () => {
  await builtConsole();
  [world, browser] = await Promise.all([openGoalWorld({ script, worker: false }), openBrowser()]);
  worker = spawn(process.execPath, [compiled('src/cli/main.ts'), 'worker'], {
    env: { ...process.env, ...world.environment },
    stdio: 'ignore',
  });
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await browser?.close();
  await world?.close();
});

test('a worker that is killed: the page says who is missing, and goes on by itself when one is there', async () => {
  const path = await world.workspace({ 'package.json': '{}' });
  const criteria = [{ kind: 'file', path: 'answer.txt', exists: true } as const];
  const { goalId } = await world.start({
    objective: 'Answer, whoever dies',
    workspace: { path },
    criteria,
  });
  const { page, context, complaints } = await signedIn(browser, world.url);
  await page.goto(`${world.url}/goals/${goalId}`);
  const says = page.getByRole('region', { name: 'The model says now' });
  await says.getByText('I think about').waitFor({ timeout: 120_000 });

  const list = await context.newPage();
  await list.goto(`${world.url}/goals`);
  const row = list.locator(`.goal-row[data-goal="${goalId}"]`);
  await row.getByText('Agent', { exact: true }).waitFor();

  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
  // It was the only one: nobody is left who could write down that a worker is missing.
  await page
    .locator('.goal-head')
    .getByText('Worker', { exact: true })
    .waitFor({ timeout: 120_000 });
  await row.getByText('Worker', { exact: true }).waitFor();
  await page.locator('.live-words').getByText('waits for a worker').waitFor();
  // Nobody who looks at it can help by a click: nothing is yellow, and nothing claims to be over.
  expect(await page.locator('.ask-bar, .actor-chip.you, .tag.tone-keeper').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Pause/ }).isEnabled()).toBe(true);

  await world.startWorker();
  await world.until(goalId, ({ status }) => status !== 'active');
  await page
    .locator('.goal-head')
    .getByText('Complete', { exact: true })
    .waitFor({ timeout: 120_000 });
  expect((await world.get(goalId)).completion).toMatchObject({ verification: 'verified' });
  expect(complaints).toEqual([]);
  await context.close();
});
