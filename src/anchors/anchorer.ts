import type { Logger } from 'pino';
import type { AnchorTarget } from '../contract/anchors.ts';
import { startRounds } from '../process/rounds.ts';
import type { AnchorStore } from '../store/anchors/anchors.ts';

const EVERY_MS = 5000;
/** Between two heads, unless a goal is completed. */
const INTERVAL_SECONDS = 600;

export interface AnchorerPorts {
  readonly store: AnchorStore;
  readonly targets: readonly AnchorTarget[];
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Signs heads and brings them to their places. Goals never wait for it: what fails is told and
 * tried again, and a process that dies in the middle leaves its work to the next one.
 */
export const startAnchorer = (ports: AnchorerPorts): { stop(): Promise<void> } =>
  startRounds(async () => {
    try {
      await anchorOnce(ports, INTERVAL_SECONDS);
    } catch (error) {
      ports.log.warn({ err: error }, 'heads were not anchored');
    }
    return false;
  }, EVERY_MS);

/** One round. Each place gets its heads in their order. */
export async function anchorOnce(
  { store, targets, log }: AnchorerPorts,
  intervalSeconds: number,
): Promise<void> {
  const byName = new Map(targets.map((target) => [target.name, target]));
  const names = [...byName.keys()];
  if (names.length === 0) return;
  await store.withLock(async () => {
    await store.makeHead(names, intervalSeconds);
    for (let due = await store.due(names); due.length > 0; due = await store.due(names)) {
      for (const delivery of due) {
        try {
          await byName.get(delivery.target)?.put(await store.read(delivery.size), store.isOwn);
          await store.delivered(delivery);
        } catch (error) {
          const problem = error instanceof Error ? error.message : String(error);
          log.warn({ ...delivery, problem }, 'a head was not anchored: it is tried again');
          await store.failed(delivery, problem);
        }
      }
    }
  });
}
