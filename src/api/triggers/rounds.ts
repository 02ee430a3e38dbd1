import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { startRounds } from '../../process/rounds.ts';
import type { Ports } from '../application.ts';
import { type ActNeeds, actOnDelivery } from './act.ts';

const EVERY_MS = 1000;

/** Finishes what a process that died, or a service that was away, left undone. */
export function startTriggerRounds(
  { callAs, ownerOf }: Pick<FastifyInstance, 'callAs' | 'ownerOf'>,
  ports: Ports<ActNeeds>,
  log: FastifyBaseLogger,
): { stop(): Promise<void> } {
  return startRounds(async () => {
    try {
      return await actOnDelivery({ ...ports, callAs, ownerOf }, null);
    } catch (error) {
      log.warn({ err: error }, 'deliveries of triggers wait');
      return false;
    }
  }, EVERY_MS);
}
