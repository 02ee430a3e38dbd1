import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import { hasNamespaces } from '../../src/sandbox/namespace.ts';
import { answerExists, liveScript } from '../api/live-script.ts';
import { freshNamespace } from '../support/namespaces.ts';
import { temporalAddress } from '../support/servers.ts';
import { type Ran, start } from './command-line.ts';
import { freshFolder, openUp, type UpWorld } from './up-world.ts';

/** Beside servers that run already. */
let world: UpWorld;

beforeAll(async () => {
  world = await openUp(liveScript, {
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: await freshNamespace(),
  });
});
afterAll(() => world.close());

const ownNumbers = (await hasNamespaces()) ? 'have numbers of their own' : 'share';
const goalkeeper = (...args: string[]): Promise<Ran> => world.goalkeeper(...args);
const ANSWER = ['--change', 'answer.txt'];
const run = (objective: string, ...args: string[]) =>
  goalkeeper('run', objective, '--workspace', freshFolder(), ...args);

test('a second up on the same home says where the first one serves, and leaves', async () => {
  const second = await goalkeeper('up');
  expect(second.exitCode).toBe(0);
  expect(second.err).toContain('already runs');
  expect(second.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
});

test('doctor finds everything that a goal needs', async () => {
  await expect.poll(async () => (await goalkeeper('doctor')).exitCode).toBe(0);
});

test('WHO-21 doctor goes on with a token that may not ask for all', async () => {
  const made = await goalkeeper('token', 'create', 'ci', '--role', 'agent');
  const asCi = { ...world.environment, GOALKEEPER_TOKEN: made.out.trim() };
  const { exitCode, out } = await start(['doctor'], asCi).done;
  expect(out).toMatch(/^ok +workers +not looked at: this token may not ask for it$/m);
  expect([exitCode, out]).toEqual([0, expect.stringMatching(/^ok +workspaces /m)]);
  // Without a sandbox no command would run any more.
  await goalkeeper('token', 'revoke', 'ci');
});

test.each([
  ['own ones where they can', () => process.env.PATH ?? '', ownNumbers],
  ['nothing where there is no bwrap', freshFolder, 'commands reach all that their user'],
])('doctor says what stands between commands and the machine: %s', async (_, path, says) => {
  const { exitCode, out } = await start(['doctor'], { ...world.environment, PATH: path() }).done;
  expect(out).toMatch(
    /^ok +processes .*\n(?:ok|WARN) +files .*\nok +network .*\nok +limits .*\nok +user /m,
  );
  // Commands that reach all that their user can are a warning.
  const isOpen = /^WARN/m.test(out);
  expect([exitCode, out]).toEqual([isOpen ? 1 : 0, expect.stringContaining(says)]);
  expect(isOpen).toBe(says.startsWith('commands reach all'));
});

test('run exits with 0 when the goal is complete, and its ledger verifies', async () => {
  const ran = await run('writes: go', '--criterion', answerExists.command, ...ANSWER);
  expect(ran.exitCode).toBe(0);
  expect(ran.out).toMatch(/^complete \(verified, explicit, isolation (full|partial|none)\)$/m);
  expect(ran.err).not.toMatch(/callId|todos\.changed|revision=/);
  const goalId = /g-[0-9a-f]{16}/.exec(ran.out)?.[0] ?? '';
  const verified = await goalkeeper('ledger', 'verify', goalId);
  expect(verified.exitCode).toBe(0);
  expect(verified.out).toMatch(/^the chain of \d+ rows holds; no key seals it\n$/);
});

test("CFG-6 a repository's file alone gives a goal the terms that it is proven by", async () => {
  const folder = freshFolder();
  const terms = { criteria: [answerExists], scope: { change: ['answer.txt'] } };
  const templates = { write: { parameters: { it: {} }, objective: 'writes: {{it}}' } };
  writeFileSync(join(folder, 'goalkeeper.json'), JSON.stringify({ ...terms, templates }));
  const ran = await goalkeeper(
    'run',
    '--workspace',
    folder,
    '--template',
    'write',
    '--set',
    'it=go',
  );
  expect(ran.err).toContain(`terms of ${join(folder, 'goalkeeper.json')}: criteria, scope`);
  expect(ran.out).toMatch(/^complete \(verified, /m);
});

test('run exits with 1 when a person is asked; the answer leads to 0', async () => {
  const ran = await run('asks: go', '--criterion', answerExists.command, ...ANSWER);
  expect(ran.exitCode).toBe(1);
  expect(ran.out).toContain('options: red | blue');
  const [, answer = '', goalId = ''] = /goalkeeper (answer) (g-[0-9a-f]{16})/.exec(ran.err) ?? [];
  expect((await goalkeeper(answer, goalId, 'Red, please.')).exitCode).toBe(0);
  expect((await goalkeeper('watch', goalId)).exitCode).toBe(0);
});

test('a claim that nothing proves is shown, and approve decides it', async () => {
  const ran = await run('claims: go', '--criterion', 'true');
  expect(ran.exitCode).toBe(1);
  expect(ran.out).toContain('claim: I believe that it is done.');
  const goalId = /goalkeeper approve (g-[0-9a-f]{16})/.exec(ran.err)?.[1] ?? '';
  expect((await goalkeeper('approve', goalId)).out).toContain('is complete');
});

test('run exits with 2 when the budget is used up, and names the option that raises it', async () => {
  const ran = await run('spends: go', '--budget-tokens', '10000');
  expect(ran.exitCode).toBe(2);
  expect(ran.err).toContain('--budget-tokens');
});

test('run exits with 3 on input that is refused, and starts nothing', async () => {
  const before = await goalkeeper('list', '--json', '--archived');
  const refused = [
    await run('writes: go', '--budget-tokens', '5'),
    await run(''),
    await run('writes: go', '--model', 'openai/gpt-5.1'),
  ];
  expect(refused.map(({ exitCode }) => exitCode)).toEqual([3, 3, 3]);
  expect(refused.map(({ err }) => err).join()).toContain('OPENAI_API_KEY');
  expect((await goalkeeper('list', '--json', '--archived')).out).toBe(before.out);
});

test('run exits with 130 on Ctrl-C, and the goal goes on', async () => {
  const running = start(
    ['run', 'hangs: go', '--workspace', freshFolder(), '--json'],
    world.environment,
  );
  await running.untilErr('1 turn   start');
  running.interrupt();
  const ran = await running.done;
  expect(ran.exitCode).toBe(130);
  const goalId = /goalkeeper watch (g-[0-9a-f]{16})/.exec(ran.err)?.[1] ?? '';
  const shown = JSON.parse((await goalkeeper('show', goalId, '--json')).out) as Goal;
  expect(shown.status).toBe('active');
  expect((await goalkeeper('clear', goalId, '--yes')).exitCode).toBe(0);
});

test('CFG-9 SIGHUP to up, without a terminal, is for its API and workers', async () => {
  const { GOALKEEPER_HOME: home } = world.environment;
  writeFileSync(
    join(home, 'goalkeeper.config.json'),
    '{"policy": {"bounds": {"chainLength": {"max": 20}}}}',
  );
  world.up.hangUp();
  const said = 'the rules of goals are those of the file now';
  await world.up.untilErr(said);
  for (const log of ['api.log', 'worker-1.log']) {
    await expect.poll(() => readFileSync(join(home, log), 'utf8')).toContain(said);
  }
});

test("the worker's log is JSON from its first line to its last", async () => {
  const lines = readFileSync(join(world.environment.GOALKEEPER_HOME, 'worker-1.log'), 'utf8')
    .trim()
    .split('\n');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
});
