import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import type { LocalProcess } from '../../src/contract/process-identity.ts';
import { identify, isRunning } from '../../src/process/process-identity.ts';
import { AlreadyRunning } from '../../src/stack/home-lock.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { readRunState } from '../../src/stack/run-file.ts';
import { startStack } from '../../src/stack/up.ts';
import { compiled } from '../support/compiled.ts';
import { eventually } from '../support/eventually.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { CLI_FOLDER } from '../support/servers.ts';
import { homeWithCluster } from './homes.ts';

interface Up {
  readonly process: ChildProcess;
  readonly url: string;
  readonly databaseUrl: string;
  readonly temporal: { readonly address: string };
  readonly lines: Record<string, string>[];
}

const script = compiled('test/stack/up-process.ts');
let home: string;
let ups: ChildProcess[];

beforeEach(async () => {
  useHome(await homeWithCluster('goalkeeper-up-'));
  ups = [];
});

afterEach(async () => {
  for (const process of ups) await end(process, 'SIGTERM');
  rmSync(home, { recursive: true, force: true });
});

function useHome(folder: string): void {
  home = folder;
  // The Temporal CLI that the run's own server uses, without another download.
  symlinkSync(CLI_FOLDER, join(home, 'bin'));
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, GOALKEEPER_HOME: home, GOALKEEPER_PORT: '0' };
}

function up(): Promise<Up> {
  const child = spawn(process.execPath, [script], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ups.push(child);
  const lines: Record<string, string>[] = [];
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`up ended with ${code}: ${errors}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const message = JSON.parse(line);
      lines.push(message);
      if (message.url) resolve({ process: child, lines, ...message });
    });
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}

function children(): Record<string, LocalProcess> {
  return { ...readRunState(home)?.children };
}

async function ask(url: string, statement: string): Promise<unknown> {
  return withConnection(url, async (sql) => [...(await sql.unsafe(statement))]);
}

function postmaster(): LocalProcess {
  const folder = readFileSync(join(home, 'postgres-folder'), 'utf8').trim();
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return identify(pid) as LocalProcess;
}

function temporalProcess(): LocalProcess {
  return JSON.parse(readFileSync(join(home, 'temporal.pid'), 'utf8'));
}

function everyProcess(): LocalProcess[] {
  return [...Object.values(children()), postmaster(), temporalProcess()];
}

test('up brings everything up from nothing, and SIGTERM ends every process of it', async () => {
  rmSync(home, { recursive: true });
  useHome(memoryFolder('goalkeeper-up-'));
  const running = await up();
  expect((await fetch(`${running.url}/healthz`)).ok).toBe(true);
  expect(await ask(running.databaseUrl, 'SELECT count(*)::int AS goals FROM goal')).toEqual([
    { goals: 0 },
  ]);
  expect((await fetch(`${running.url}/temporal`)).status).toBe(200);
  const processes = everyProcess();
  expect(processes).toHaveLength(5);
  expect(processes.every(isRunning)).toBe(true);
  await end(running.process, 'SIGTERM');
  expect(processes.filter(isRunning)).toEqual([]);
  expect(readRunState(home)).toBeNull();
});

test('the home keeps secrets to its owner', async () => {
  await up();
  for (const file of ['run.json', 'postgres-password', 'token', 'postgres.log']) {
    expect(statSync(join(home, file)).mode & 0o077, file).toBe(0);
  }
});

test('a second up on the same home names the first and its address', async () => {
  const running = await up();
  const config = loadConfig(environment());
  const second = startStack(config, { onProgress: () => undefined });
  await expect(second).rejects.toThrow(AlreadyRunning);
  await expect(second).rejects.toMatchObject({ pid: running.process.pid, url: running.url });
});

test('after SIGKILL of up alone the next up ends what was left and keeps the data', async () => {
  const first = await up();
  await ask(
    first.databaseUrl,
    "INSERT INTO worker (worker_id, host, pid, task_queues, version) VALUES ('w', 'h', 1, '[]', '1')",
  );
  const left = everyProcess();
  await end(first.process, 'SIGKILL');
  expect(left.every(isRunning)).toBe(true);
  const second = await up();
  expect(left.filter(isRunning)).toEqual([]);
  expect(await ask(second.databaseUrl, 'SELECT worker_id FROM worker')).toEqual([
    { worker_id: 'w' },
  ]);
});

test('after SIGKILL of every process the next up works', async () => {
  const first = await up();
  const processes = everyProcess();
  first.process.kill('SIGKILL');
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  const second = await up();
  expect(await ask(second.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a killed worker is handed over by its id and started again', async () => {
  const running = await up();
  const worker = children()['worker-1'] as LocalProcess;
  const log = () => readFileSync(join(home, 'worker-1.log'), 'utf8');
  await eventually(() => expect(log()).toContain('worker '));
  const [ownId] = log().trim().split('\n');
  process.kill(worker.pid, 'SIGKILL');
  await eventually(() => expect(children()['worker-1']?.pid).not.toBe(worker.pid));
  expect(isRunning(children()['worker-1'] as LocalProcess)).toBe(true);
  await eventually(() => expect(running.lines.at(-1)?.handedOver).toBeDefined());
  expect(ownId).toBe(`worker ${running.lines.at(-1)?.handedOver}`);
});

test('a killed PostgreSQL comes back at the same address', async () => {
  const running = await up();
  const before = postmaster();
  process.kill(before.pid, 'SIGKILL');
  await eventually(async () =>
    expect(await ask(running.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]),
  );
  expect(isRunning(before)).toBe(false);
});

test('a killed Temporal comes back at the same address', async () => {
  const running = await up();
  const before = temporalProcess();
  process.kill(before.pid, 'SIGKILL');
  await eventually(() => expect(temporalProcess().pid).not.toBe(before.pid));
  // The API knows the address from its start, and no other.
  await eventually(async () => expect((await fetch(`${running.url}/temporal`)).status).toBe(200));
});

test('a port of the API that something else uses is refused by name', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as { port: number };
  const config = loadConfig({ ...environment(), GOALKEEPER_PORT: String(port) });
  try {
    const start = startStack(config, { onProgress: () => undefined });
    await expect(start).rejects.toMatchObject({ variable: 'GOALKEEPER_PORT' });
  } finally {
    squatter.close();
  }
  expect((await up()).url).toContain('http://127.0.0.1:');
});
