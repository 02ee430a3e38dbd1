import type { Config } from '../contract/config.ts';
import type { LocalProcess } from '../contract/process-identity.ts';
import { signalProcess } from '../process/end-process.ts';
import type { Child } from './child.ts';
import { type OwnProcessOptions, type StackAddresses, startWorker } from './own-process.ts';
import { type Running, type Service, type Supervision, supervise } from './supervisor.ts';

export type Stop = () => Promise<void> | void;

/** Fails what a dead worker was running, so that another takes it over at once. */
export type HandOver = (
  workerId: string,
  addresses: StackAddresses,
  config: Config,
) => Promise<unknown>;

export interface WorkersPlan extends Pick<OwnProcessOptions, 'entry' | 'addresses' | 'logsHere'> {
  readonly config: Config;
  readonly count: number;
  /** `NAME=PATH`, handed to every worker. */
  readonly workspaces: readonly string[];
  /** Of the first one; the others have the ports behind it. */
  readonly healthPort?: number | null;
}

interface Told {
  readonly onProgress: (message: string) => void;
  readonly handOver?: HandOver;
}

/** A worker that was told to stop writes what its calls became within this after the drain. */
const WORKER_END_MS = 20_000;

/**
 * Starts workers, and starts each again when it dies.
 * @param onStart told of each child by its name
 * @returns what stops all of them at once, each with its drain time
 */
export async function startWorkers(
  plan: WorkersPlan,
  told: Told,
  onStart: (name: string, child: Child) => void,
): Promise<Stop> {
  const workers: Supervision<Running>[] = [];
  for (let number = 1; number <= plan.count; number += 1) {
    told.onProgress(`Starting worker ${number}`);
    const service = workerService(number, plan, told, onStart);
    workers.push(await supervise(service, told.onProgress));
  }
  return async () => void (await Promise.all(workers.map((worker) => worker.stop())));
}

function workerService(
  number: number,
  plan: WorkersPlan,
  { handOver }: Told,
  onStart: (name: string, child: Child) => void,
): Service<Running & { workerId: string }> {
  const { config, addresses } = plan;
  const { home, drainSeconds } = config;
  const port = plan.healthPort ?? null;
  const healthPort = port === null ? null : port + number - 1;
  return {
    name: `Worker ${number}`,
    async start() {
      const child = startWorker({ ...plan, home, number, healthPort });
      onStart(`worker-${number}`, child);
      const graceMs = drainSeconds * 1000 + WORKER_END_MS;
      return { ...stoppable(child, graceMs), workerId: child.workerId };
    },
    async onDeath({ workerId }) {
      await handOver?.(workerId, addresses, config);
    },
  };
}

export function stoppable(child: Child, graceMs: number): Running {
  return {
    exited: child.exited,
    logTail: child.logTail,
    stop: async () => void (await child.end(['SIGTERM'], graceMs)),
  };
}

/** A second signal ends a worker at once. */
export function hurry(children: Readonly<Record<string, LocalProcess>>): void {
  for (const [name, child] of Object.entries(children)) {
    if (name.startsWith('worker-')) signalProcess(child, 'SIGTERM');
  }
}
