import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handOverGoals } from '../../src/cli/hand-over-goals.ts';
import { compiled } from '../support/compiled.ts';
import type { GoalWorld } from '../support/goal-world.ts';
import { type Fault, nameOf } from './faults.ts';

let logs: string | null = null;

/** Where processes of a play write what they say; the campaign keeps it. */
export function logFolder(): string {
  logs ??= process.env.CHAOS_LOGS || mkdtempSync(join(tmpdir(), 'goalkeeper-chaos-'));
  mkdirSync(logs, { recursive: true });
  return logs;
}

/**
 * A process of its own out of this folder's `worker.ts` or `hand-over.ts`. SIGUSR2 has it write a
 * report of all that it waits for beside its log.
 */
export function forkOwn(
  name: 'worker' | 'hand-over' | 'api',
  world: GoalWorld,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const folder = logFolder();
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = fork(compiled(`test/chaos/${name}.ts`), {
    // None of the test runner's own flags.
    execArgv: ['--report-on-signal', `--report-directory=${folder}`],
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      ...process.env,
      ...world.environment,
      GOALKEEPER_LOG: process.env.GOALKEEPER_LOG ?? 'debug',
      ...environment,
    },
  });
  closeSync(log);
  return child;
}

let workers = 0;

export interface SupervisedWorker {
  /** Starts so far: 1 + deaths. */
  readonly starts: () => number;
  /** Resolves when the newest start is ready, or has died too. */
  untilRunning(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Dies, and nobody mends anything. Resolves with its id. */
  crash(): Promise<string>;
  stop(): Promise<void>;
}

export interface Faults {
  /** Where deaths are counted. */
  readonly folder: string;
  /** Those of the worker itself, whichever goal they are about: one in each of its lives. */
  readonly own?: readonly Fault[];
}

/** Keeps one worker alive as `up` does: restarts it, and hands over what the dead one ran. */
export async function superviseWorker(
  world: GoalWorld,
  faults: Faults | null = null,
  environment: Readonly<Record<string, string>> = {},
): Promise<SupervisedWorker> {
  let child: ChildProcess;
  let workerId = '';
  let starts = 0;
  let isStopping = false;
  let mending: Promise<unknown> = Promise.resolve();
  let ready: Promise<unknown> = Promise.resolve();

  function start(): Promise<unknown> {
    starts += 1;
    workers += 1;
    const ownId = `chaos-${process.pid}-${workers}`;
    workerId = ownId;
    const own = forkOwn('worker', world, {
      ...environment,
      GOALKEEPER_WORKER_ID: ownId,
      GOALKEEPER_FAULTS: (faults?.own ?? []).map(nameOf).join(),
      ...(faults === null ? {} : { GOALKEEPER_FAULT_FOLDER: faults.folder }),
    });
    child = own;
    own.once('exit', () => {
      if (isStopping) return;
      const restarted = start();
      const addresses = { databaseUrl: databaseOf(world), temporal: world.temporal };
      const home = world.environment.GOALKEEPER_HOME ?? '';
      // Without it, only the heartbeat timeout is left to tell: slower, and no less safe.
      const handed = handOverGoals(ownId, addresses, {
        temporalKeys: [],
        ledgerKeys: [],
        home,
      }).catch(() => {});
      mending = Promise.all([mending, restarted, handed]);
    });
    ready = Promise.race([once(own, 'message'), once(own, 'exit')]);
    return ready;
  }

  await start();
  return {
    starts: () => starts,
    async untilRunning() {
      await ready;
    },
    kill: (signal) => void child.kill(signal),
    async crash() {
      isStopping = true;
      await end(child, 'SIGKILL');
      return workerId;
    },
    async stop() {
      await mending;
      isStopping = true;
      await end(child, 'SIGTERM');
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

const databaseOf = ({ environment }: GoalWorld): string => environment.DATABASE_URL ?? '';
