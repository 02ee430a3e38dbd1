import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Goal, StartGoal } from '../schema/goal.ts';
import { loadConfig } from '../src/app/config.ts';
import { type Client, createClient } from '../src/cli/client.ts';
import { handOverGoals } from '../src/cli/hand-over-goals.ts';
import type { Config } from '../src/contract/config.ts';
import { startStack } from '../src/stack/up.ts';
import { type Database, openDatabase } from '../src/store/client.ts';
import { CLI_FOLDER } from '../test/support/servers.ts';

/** What the model's process knows of a goal: times in milliseconds since the epoch. */
export interface Served {
  readonly asked: readonly number[];
  readonly answered: readonly number[];
  readonly stopped: readonly number[];
  /** Size of the newest request. */
  readonly bytes: number;
}

/** The production stack as `goalkeeper up` composes it, with built children, and a model. */
export interface World {
  readonly home: string;
  /** Where the API listens. */
  readonly url: string;
  readonly client: Client;
  readonly config: Config;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly ownerDatabaseUrl: string;
  readonly temporal: { readonly address: string; readonly namespace: string };
  /** @param noteFiles of its workspace; 50 unless told */
  start(objective: string, noteFiles?: number): Promise<Goal>;
  /** With the time at which the request was sent, its workspace being made before. */
  startTimed(objective: string): Promise<{ readonly goalId: string; readonly postedAt: number }>;
  until(goalId: string, holds: (goal: Goal) => boolean, timeoutMs?: number): Promise<Goal>;
  served(goalId: string): Promise<Served>;
  close(): Promise<void>;
}

/** The built CLI: workers and API must not pay for compiling themselves. */
export const ENTRY = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

/** Numbers that a measurement moves; all others are the service's defaults. */
const UNCAPPED = {
  continuation: {
    toolFreeTurns: 100,
    turnsWithoutProgress: 1000,
    continuationsWithoutReceipt: 100,
  },
} as const;

const NOTE_FILES = 50;
const NOTE_LINES = 200;

interface WorldOptions {
  readonly workers?: number;
  /** Another build's CLI, and its `up`. */
  readonly entry?: string;
  readonly start?: typeof startStack;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function openWorld({
  workers = 1,
  entry = ENTRY,
  start: startWith = startStack,
  environment = {},
}: WorldOptions = {}): Promise<World> {
  if (!existsSync(ENTRY)) throw new Error('run `npm run build` first');
  const root = await mkdtemp(join(tmpdir(), 'goalkeeper-bench-'));
  const model = await startModel();
  const config = loadConfig({ ...(await environmentOf(root, model.url)), ...environment });
  Object.assign(process.env, environment);
  const stack = await startWith(config, {
    onProgress: () => {},
    handOver: handOverGoals,
    entry,
    workers,
  }).catch((error: unknown) => {
    model.process.kill('SIGTERM');
    throw error;
  });
  const [grant] = config.tokens;
  const client = createClient({ url: stack.url, token: grant?.token ?? '' });
  const database = openDatabase(stack.ownerDatabaseUrl, { connections: 4 });
  return {
    home: config.home,
    url: stack.url,
    client,
    config,
    database,
    ...stack.addresses,
    ownerDatabaseUrl: stack.ownerDatabaseUrl,
    start: async (objective, noteFiles = NOTE_FILES) =>
      client.send<Goal>('POST', '/v1/goals', await requestOf(root, objective, noteFiles)),
    async startTimed(objective) {
      const request = await requestOf(root, objective, NOTE_FILES);
      const postedAt = performance.timeOrigin + performance.now();
      return { ...(await client.send<Goal>('POST', '/v1/goals', request)), postedAt };
    },
    until: (goalId, holds, timeoutMs) => waitFor(client, goalId, holds, timeoutMs),
    served: async (goalId) =>
      (await (await fetch(`${model.url}/served/${goalId}`)).json()) as Served,
    async close() {
      await database.end();
      await stack.stop();
      model.process.kill('SIGTERM');
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function requestOf(root: string, objective: string, noteFiles: number): Promise<StartGoal> {
  return {
    objective: `bench ${objective}`,
    criteria: [],
    workspace: { path: await makeWorkspace(root, noteFiles) },
    budget: { turns: 100_000 },
    policy: UNCAPPED,
  };
}

async function environmentOf(root: string, modelUrl: string): Promise<Record<string, string>> {
  const home = join(root, 'home');
  await mkdir(home, { mode: 0o700 });
  // A Temporal CLI that the tests fetched is not fetched again.
  await mkdir(CLI_FOLDER, { recursive: true });
  await symlink(CLI_FOLDER, join(home, 'bin'));
  const environment = {
    GOALKEEPER_HOME: home,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_DRAIN_SECONDS: '10',
    GOALKEEPER_LOG: 'warn',
    GOALKEEPER_MODEL: 'compatible/instant',
    OPENAI_COMPATIBLE_BASE_URL: `${modelUrl}/v1`,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  };
  Object.assign(process.env, environment);
  return environment;
}

async function startModel(): Promise<{ url: string; process: ChildProcess }> {
  const file = fileURLToPath(new URL('./instant-model.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString('utf8').trim(), process: child };
}

let workspaces = 0;

/** A folder of its own for every goal, with notes to read. */
async function makeWorkspace(root: string, noteFiles: number): Promise<string> {
  workspaces += 1;
  const folder = join(root, `workspace-${workspaces}`);
  await mkdir(join(folder, 'notes'), { recursive: true });
  for (let file = 0; file < noteFiles; file += 1) {
    const lines = Array.from(
      { length: NOTE_LINES },
      (_, line) => `note ${file}.${line}: the quick brown fox jumps over the lazy dog ${line}`,
    );
    await writeFile(join(folder, 'notes', `${file}.txt`), `${lines.join('\n')}\n`);
  }
  return folder;
}

async function waitFor(
  client: Client,
  goalId: string,
  holds: (goal: Goal) => boolean,
  timeoutMs = 60_000,
): Promise<Goal> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const goal = await client.get<Goal>(`/v1/goals/${goalId}`);
    if (holds(goal)) return goal;
    if (Date.now() > deadline) throw new Error(`it never came to that: ${JSON.stringify(goal)}`);
    // Seldom: looking costs the machine that is measured.
    await delay(500);
  }
}

/** The scripts end with a question: anything else is a failure of the measurement. */
export function asksAtLast({ status, pause }: Goal): boolean {
  if (status === 'active') return false;
  if (pause?.reason === 'question') return true;
  throw new Error(`the goal ended otherwise: ${status}, ${JSON.stringify(pause)}`);
}
