import type { Queue } from '../../../schema/operations.ts';
import type { QueuesPort } from '../../contract/queues.ts';
import type { QueueStats } from '../../temporal/queues.ts';
import { readQueues } from './queues.ts';

const MINUTES = 20;
const MINUTE_MS = 60_000;
/** The interval is below a minute, so that no minute is left out. */
const LOOK_MS = 30_000;

/** The highest backlog of one queue in each polled minute. */
type Seen = Map<number, number>;

/**
 * Temporal counts the present backlog and keeps no past, so this process remembers each count in
 * memory for twenty minutes.
 */
export function rememberBacklogs(
  queues: Pick<QueuesPort, 'names'> & {
    describe(name: string, kind: Queue['kind']): Promise<QueueStats>;
  },
  now = () => Date.now(),
): QueuesPort {
  const known = new Map<string, Seen>();
  return {
    names: queues.names,
    async describe(name, kind) {
      const stats = await queues.describe(name, kind);
      const minute = Math.floor(now() / MINUTE_MS);
      const seen = known.get(`${kind} ${name}`) ?? new Map();
      known.set(`${kind} ${name}`, seen);
      seen.set(minute, Math.max(stats.backlog, seen.get(minute) ?? 0));
      for (const one of seen.keys()) if (one <= minute - MINUTES) seen.delete(one);
      const recentBacklog = Array.from(
        { length: MINUTES },
        (_, index) => seen.get(minute - MINUTES + 1 + index) ?? null,
      );
      return { ...stats, recentBacklog };
    },
  };
}

/** Polls in the background, so that the history from before an alert is there to look at. */
export function watchBacklogs(ports: Parameters<typeof readQueues>[0]): { stop(): void } {
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    // A failed poll leaves a gap in the history.
    await readQueues(ports).catch(() => {});
    isLooking = false;
  };
  void look();
  const timer = setInterval(look, LOOK_MS).unref();
  return { stop: () => clearInterval(timer) };
}
