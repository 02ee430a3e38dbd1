import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { programPath } from '../sandbox/program-path.ts';

/** The limit of a command that only reads, and of an import that accepts no more input. */
const PATIENCE_MS = 120_000;
/** The time to write a pack of the largest tree to a slow disk. */
export const LONG_PATIENCE_MS = 15 * 60_000;

/** The worker's git variables don't reach git, and no user's or system's settings apply. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
};

const FLAGS = [
  'core.hooksPath=/dev/null',
  'gc.auto=0',
  'core.quotePath=false',
  'protocol.allow=never',
].flatMap((flag) => ['-c', flag]);

/** A repository, mostly one that nobody but the host uses: what a workspace was at some moments. */
export interface StorePlace {
  /** Absolute. */
  readonly folder: string;
  /** Program and arguments that git is started by, where others write there as well. */
  readonly begins?: readonly string[];
}

export class StoreFailed extends Error {
  constructor(what: string, why: string) {
    super(`git ${what}: ${why.trim().slice(0, 500) || 'no reason given'}`);
    this.name = 'StoreFailed';
  }
}

/** A disk is full now, and may not be later: nothing is decided for good by that. */
export class DiskFull extends StoreFailed {}

/** What is stored, or this host, lets nothing be proven: a goal can do without. */
export const isAboutTheStore = (error: unknown): error is StoreFailed =>
  error instanceof StoreFailed && !(error instanceof DiskFull);

const NO_SPACE = /no space left on device|disk quota exceeded/i;

/** Behind git's own flags. */
const commandIn = (args: readonly string[]): string =>
  args.find((word) => /^[a-z]+(?:-[a-z]+)*$/.test(word)) ?? '';

export interface StoreProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** @throws StoreFailed */
  done(): Promise<void>;
  /** Restarts the time limit after progress. */
  goesOn(patienceMs?: number): void;
}

export function startGit(
  place: StorePlace,
  args: readonly string[],
  patienceMs = PATIENCE_MS,
): StoreProcess {
  const git = programPath('git');
  if (git === null) throw new StoreFailed(commandIn(args), 'it is not installed');
  const own = [git, ...FLAGS, '--git-dir', place.folder, ...args];
  const [file = git, ...rest] = [...(place.begins ?? []), ...own];
  const child = spawn(file, rest, {
    cwd: place.folder,
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const patience = endWhenStuck(child, patienceMs);
  const said = text(child.stderr).catch(() => '');
  const ended = once(child, 'close') as Promise<[number | null]>;
  // A write to an ended git fails here; `done` reports it by the exit code.
  child.stdin.on('error', () => {});
  ended.catch(() => {});
  return {
    child,
    async done() {
      const [exitCode] = await ended.catch((error: unknown) => {
        if (existsSync(place.folder)) throw error;
        throw new StoreFailed(commandIn(args), 'this machine does not have what was kept');
      });
      const stuck = patience.endedAfter();
      if (stuck !== null) throw new StoreFailed(commandIn(args), stuck);
      if (exitCode === 0) return;
      const why = await said;
      throw new (NO_SPACE.test(why) ? DiskFull : StoreFailed)(commandIn(args), why);
    },
    goesOn: patience.goesOn,
  };
}

function endWhenStuck(child: StoreProcess['child'], firstMs: number) {
  let current = firstMs;
  let isStuck = false;
  const end = () => {
    isStuck = true;
    child.kill();
  };
  let timer = setTimeout(end, current);
  for (const event of ['close', 'error']) child.once(event, () => clearTimeout(timer));
  return {
    goesOn(patienceMs = current) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (patienceMs === current) return void timer.refresh();
      current = patienceMs;
      clearTimeout(timer);
      timer = setTimeout(end, current);
    },
    endedAfter: () => (isStuck ? `it did not go on for ${current / 1000} s` : null),
  };
}

/** @throws StoreFailed */
export async function readGit(
  place: StorePlace,
  args: readonly string[],
  input = '',
  patienceMs = PATIENCE_MS,
): Promise<Buffer> {
  const { child, done } = startGit(place, args, patienceMs);
  child.stdin.end(input);
  const output = buffer(child.stdout);
  await done();
  return await output;
}
