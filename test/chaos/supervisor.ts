import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { handOverGoals } from '../../src/cli/hand-over-goals.ts';
import type { GoalWorld } from '../support/goal-world.ts';

const ENTRY = fileURLToPath(new URL('./worker.ts', import.meta.url));
const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

let workers = 0;

export interface SupervisedWorker {
  /** Starts so far: 1 + deaths. */
  readonly starts: () => number;
  /** Resolves when the newest start is ready, or has died too. */
  untilRunning(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Keeps one worker alive as `up` does: restarts it, and hands over what the dead one ran. */
export async function superviseWorker(
  world: GoalWorld,
  fault: { readonly point: string; readonly flag: string } | null = null,
): Promise<SupervisedWorker> {
  let child: ChildProcess;
  let starts = 0;
  let isStopping = false;
  let mending: Promise<unknown> = Promise.resolve();
  let ready: Promise<unknown> = Promise.resolve();

  function start(): Promise<unknown> {
    starts += 1;
    workers += 1;
    const workerId = `chaos-${process.pid}-${workers}`;
    const own = fork(ENTRY, {
      execArgv: ['--import', LOADER],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        ...world.environment,
        GOALKEEPER_WORKER_ID: workerId,
        ...(fault === null
          ? {}
          : { GOALKEEPER_FAULT: fault.point, GOALKEEPER_FAULT_FLAG: fault.flag }),
      },
    });
    child = own;
    own.once('exit', () => {
      if (isStopping) return;
      const restarted = start();
      const addresses = { databaseUrl: databaseOf(world), temporal: world.temporal };
      // Without it, only the heartbeat timeout is left to tell: slower, and no less safe.
      const handed = handOverGoals(workerId, addresses).catch(() => {});
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
    async stop() {
      await mending;
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const databaseOf = ({ environment }: GoalWorld): string => environment.DATABASE_URL ?? '';
