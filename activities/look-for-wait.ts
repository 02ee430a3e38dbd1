import type { Execution } from '../src/contract/record.ts';
import type { WaitEnd } from '../src/contract/wake-request.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { lookForWait as look } from '../src/waiting/look.ts';
import { withActivity } from './activity-context.ts';

/** Polls once for what a goal waits for; null = the condition doesn't hold yet. */
export const lookForWait =
  (ports: TurnPorts) =>
  (execution: Execution): Promise<WaitEnd | null> =>
    withActivity((signal, scheduledAt) => look(ports, execution, signal, scheduledAt));
