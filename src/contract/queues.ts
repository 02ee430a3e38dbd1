import type { Queue } from '../../schema/operations.ts';

export interface QueuesPort {
  /** @throws Refusal temporal_unavailable */
  describe(name: string, kind: Queue['kind']): Promise<Omit<Queue, 'host'>>;
}
