import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalProcess } from '../../src/contract/process-identity.ts';
import { identify, isRunning } from '../../src/process/process-identity.ts';
import { readRunState } from '../../src/stack/run-file.ts';
import { compiled } from '../support/compiled.ts';
import { eventually } from '../support/eventually.ts';
import { emptyDatabase, type TestDatabase, temporalAddress } from '../support/servers.ts';
import { type Ran, start } from './command-line.ts';

const entry = compiled('src/cli/main.ts');
let home: string;
let database: TestDatabase;
let environment: Record<string, string>;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'goalkeeper-closed-'));
  database = await emptyDatabase();
  environment = {
    GOALKEEPER_HOME: home,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_SANDBOX: 'auto',
    GOALKEEPER_WORKFLOW_BUNDLE: process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporalAddress(),
  };
});

afterEach(async () => {
  await goalkeeper('down', '--now');
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

const goalkeeper = (...args: string[]): Promise<Ran> => start(args, environment).done;

const serving = () =>
  eventually(() => {
    const state = readRunState(home);
    if (state?.apiUrl == null) throw new Error('it does not serve yet');
    return state;
  });

/** `up` and its children, as the home tells them. */
async function processes(): Promise<LocalProcess[]> {
  const { pid, children } = await serving();
  const up = identify(pid);
  return [...(up ? [up] : []), ...Object.values(children)];
}

const allGone = (all: readonly LocalProcess[]) =>
  eventually(() => expect(all.filter(isRunning)).toEqual([]));

test('SERVE-13 a terminal that is closed ends up with all that it started', async () => {
  const command = `'${process.execPath}' '${entry}' up`;
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const all = await processes();
  expect(all).toHaveLength(3);
  terminal.kill('SIGKILL');
  await allGone(all);
  expect(readRunState(home)).toBeNull();
});

test('SERVE-14 a pipe that nobody reads any more ends up in order, at the next line that it writes', async () => {
  const up: ChildProcess = spawn(process.execPath, [entry, 'up'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  up.stdout?.resume();
  up.stderr?.resume();
  const all = await processes();
  const exited = once(up, 'exit');
  up.stdout?.destroy();
  up.stderr?.destroy();
  // It tells of a worker that died.
  const worker = readRunState(home)?.children['worker-1'];
  if (worker?.pid === undefined) throw new Error('no worker is told');
  process.kill(worker.pid, 'SIGKILL');
  expect(await exited).toEqual([0, null]);
  await allGone(all);
  expect(readRunState(home)).toBeNull();
});

test('SERVE-15 up -d serves after its caller is gone; status, logs, open and down find it', async () => {
  expect(await goalkeeper('status')).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('nothing runs'),
  });
  const begun = await goalkeeper('up', '-d');
  expect(begun).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^http:/) });
  const all = await processes();
  const status = await goalkeeper('status');
  expect(status).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/up .*runs\n.*worker-1/s),
  });
  expect((await goalkeeper('open')).out).toContain('/signin#code=');
  expect((await goalkeeper('logs', 'api', '-n', '200')).out).toContain('listens at');
  expect(await goalkeeper('logs', 'nobody')).toMatchObject({
    exitCode: 3,
    err: expect.stringMatching(/Name one of .*api.*worker-1/),
  });
  // A second one is content with the first.
  expect((await goalkeeper('up', '-d')).exitCode).toBe(0);
  expect(await goalkeeper('down')).toMatchObject({ exitCode: 0, out: 'stopped\n' });
  await allGone(all);
  expect(await goalkeeper('down')).toMatchObject({ exitCode: 0 });
});

test('SERVE-16 down ends what a killed up left', async () => {
  await goalkeeper('up', '-d');
  const all = await processes();
  const { pid } = await serving();
  process.kill(pid, 'SIGKILL');
  expect((await goalkeeper('status')).exitCode).toBe(1);
  expect((await goalkeeper('down')).out).toContain('a killed run left');
  await allGone(all);
});
