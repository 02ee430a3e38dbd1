import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit } from './child.ts';

/** Something that runs until it is stopped, or dies. */
export interface Running {
  readonly exited: Promise<Exit>;
  /** Its last log lines, for the message about its death. */
  logTail?(): string;
  stop(): Promise<void>;
}

export interface Service<R extends Running> {
  readonly name: string;
  /** Called again after every death; `previous` is what died. */
  start(previous: R | null): Promise<R>;
  /** After a death, before the next start. */
  onDeath?(dead: R, exit: Exit): Promise<void> | void;
}

export interface Supervision<R extends Running> {
  readonly current: R;
  /** No more restarts, then stops what runs. */
  stop(): Promise<void>;
}

/** A service that lived this long was healthy: its next death is no part of a series. */
const HEALTHY_MS = 10_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Starts a service and starts it again whenever it dies: the first time at once, then, while it
 * dies quickly or can't start, after 0.25, 0.5, 1 … 10 seconds.
 * @throws what the very first start throws.
 */
export async function supervise<R extends Running>(
  service: Service<R>,
  onProgress: (message: string) => void,
): Promise<Supervision<R>> {
  const stopping = new AbortController();
  let current = await service.start(null);
  const loop = keepAlive();
  return {
    get current() {
      return current;
    },
    async stop() {
      stopping.abort();
      await current.stop();
      await loop;
    },
  };

  async function keepAlive(): Promise<void> {
    let quickDeaths = 0;
    let since = Date.now();
    while (true) {
      const exit = await current.exited;
      if (stopping.signal.aborted) return;
      quickDeaths = Date.now() - since > HEALTHY_MS ? 0 : quickDeaths + 1;
      onProgress(
        `${service.name} died (${describe(exit)}); starting it again${lastWords(current)}`,
      );
      await told(() => service.onDeath?.(current, exit));
      quickDeaths = await startAgain(quickDeaths);
      since = Date.now();
    }
  }

  async function startAgain(earlierDeaths: number): Promise<number> {
    for (let deaths = earlierDeaths; ; deaths += 1) {
      await pause(deaths, stopping.signal);
      if (stopping.signal.aborted) return deaths;
      try {
        current = await service.start(current);
        // A stop during the start has to end this service here, because `stop` didn't see it.
        if (stopping.signal.aborted) await current.stop();
        return deaths;
      } catch (error) {
        onProgress(`${service.name} does not start: ${messageOf(error)}`);
      }
    }
  }

  async function told(work: () => Promise<void> | void | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      onProgress(`after the death of ${service.name}: ${messageOf(error)}`);
    }
  }
}

async function pause(deaths: number, signal: AbortSignal): Promise<void> {
  if (deaths <= 1) return;
  const duration = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** (deaths - 2));
  await sleep(duration, undefined, { signal }).catch(() => {});
}

function describe(exit: Exit): string {
  return exit.error?.message ?? exit.signal ?? `exit code ${exit.code}`;
}

function lastWords(dead: Running): string {
  const spoken = dead.logTail?.().split('\n').filter(isForPeople) ?? [];
  const lines = spoken.slice(-2);
  return lines.map((line) => `\n  ${line.slice(0, 500)}`).join('');
}

/** JSON lines are the log's own; what a process says as it dies is plain text. */
const isForPeople = (line: string): boolean => line.trim() !== '' && !line.startsWith('{');

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
