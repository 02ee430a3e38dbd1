import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import type { LocalProcess } from '../contract/process-identity.ts';
import { identify } from '../process/process-identity.ts';

/** How a child ended: `code` or `signal`, or `error` when it could not start. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
}

export interface Child {
  readonly pid: number;
  readonly identity: LocalProcess | null;
  /** Null without a channel. */
  readonly channel: Pick<ChildProcess, 'send' | 'once' | 'connected'> | null;
  readonly exited: Promise<Exit>;
  /** null while it runs. */
  exit(): Exit | null;
  /** The log's last lines since this child began, for error messages. */
  logTail(): string;
  /**
   * Signals in turn until it is gone, each with `graceMs`; SIGKILL comes last in any case.
   */
  end(signals: readonly NodeJS.Signals[], graceMs: number): Promise<Exit>;
}

export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** null = where this process itself writes its errors. */
  readonly logFile: string | null;
  readonly env?: NodeJS.ProcessEnv;
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly cwd?: string;
  /** Nobody else may read or write the files that it makes. */
  readonly isPrivate?: boolean;
  /** A channel of messages, for a Node program. */
  readonly hasChannel?: boolean;
}

/**
 * Starts a child in a session of its own: Ctrl-C in a terminal must reach only the supervisor,
 * which stops its children in order. Output goes straight to a file, so that a child never
 * blocks or breaks on a pipe whose reader died.
 */
export function startChild(command: ChildCommand): Child {
  const { logFile } = command;
  const { child, logStart } = logFile === null ? spawnHere(command) : spawnInto(command, logFile);
  const exited = exitOf(child);
  let exit: Exit | null = null;
  void exited.then((value) => {
    exit = value;
  });
  return {
    pid: child.pid ?? -1,
    identity: child.pid === undefined ? null : identify(child.pid),
    channel: command.hasChannel === true ? child : null,
    exited,
    exit: () => exit,
    logTail: () => (logFile === null ? '' : tail(logFile, logStart)),
    end: (signals, graceMs) => endChild(child, exited, signals, graceMs),
  };
}

interface Spawned {
  readonly child: ChildProcess;
  readonly logStart: number;
}

const spawnHere = (command: ChildCommand): Spawned => ({
  child: spawnAs(command, process.stderr.fd),
  logStart: 0,
});

function spawnInto(command: ChildCommand, logFile: string): Spawned {
  setAside(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  const child = spawnAs(command, log);
  closeSync(log);
  return { child, logStart };
}

/** A child inherits the mask that holds at the moment of its start. */
function spawnAs(command: ChildCommand, log: number): ChildProcess {
  const start = () => spawn(command.file, command.args, spawnOptions(command, log));
  if (command.isPrivate !== true) return start();
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}

function spawnOptions(command: ChildCommand, log: number): SpawnOptions {
  return {
    detached: true,
    stdio: ['ignore', log, log, ...(command.hasChannel === true ? (['ipc'] as const) : [])],
    ...(command.env && { env: command.env }),
    ...(command.cwd && { cwd: command.cwd }),
    ...command.user,
  };
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
  });
}

async function endChild(
  child: ChildProcess,
  exited: Promise<Exit>,
  signals: readonly NodeJS.Signals[],
  graceMs: number,
): Promise<Exit> {
  for (const signal of signals) {
    child.kill(signal);
    const exit = await withTimeout(exited, graceMs);
    if (exit) return exit;
  }
  child.kill('SIGKILL');
  return exited;
}

async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const LONGEST_LOG_BYTES = 20_000_000;

/** Keeps one older log beside the new one. */
function setAside(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LONGEST_LOG_BYTES) renameSync(file, `${file}.1`);
}

const TAIL_BYTES = 2000;

function tail(file: string, from: number): string {
  const handle = openSync(file, 'r');
  try {
    const size = fstatSync(handle).size;
    const start = Math.max(from, size - TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    readSync(handle, buffer, 0, buffer.length, start);
    return buffer.toString('utf8').trim();
  } finally {
    closeSync(handle);
  }
}
