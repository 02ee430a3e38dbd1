import type { Execution } from '../src/contract/record.ts';
import type { WaitEnd } from '../src/contract/wake-request.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { lookForWait as look } from '../src/waiting/look.ts';
import { withActivity } from './activity-context.ts';

/** One look at what a goal waits for; null = it doesn't hold yet. */
export const lookForWait =
  (ports: TurnPorts) =>
  (execution: Execution): Promise<WaitEnd | null> =>
    withActivity((signal, scheduledAt) => look(ports, execution, signal, scheduledAt));
