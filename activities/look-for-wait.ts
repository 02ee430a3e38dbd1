import type { Execution } from '../src/db/ports.ts';
import type { WaitEnd } from '../src/goal/wake.ts';
import type { TurnPorts } from '../src/turn/ports-of-turn.ts';
import { lookForWait as look } from '../src/waiting/look.ts';
import { withActivity } from './activity-context.ts';

/** One look at what a goal waits for; null = it doesn't hold yet. */
export const lookForWait =
  (ports: TurnPorts) =>
  (execution: Execution): Promise<WaitEnd | null> =>
    withActivity((signal, scheduledAt) => look(ports, execution, signal, scheduledAt));
