import type { Queue } from '../../schema/operations.ts';
import type { TaskQueues } from './task-queues.ts';

export interface QueuesPort {
  readonly names: TaskQueues;
  /** @throws Refusal temporal_unavailable */
  describe(name: string, kind: Queue['kind']): Promise<Omit<Queue, 'host'>>;
}
