import { assertStored } from '../src/checkpoints/assert-stored.ts';
import type { RewindTo } from '../src/goal/rewind.ts';
import type { TurnPorts } from '../src/turn/ports-of-turn.ts';
import { withFailures } from './failures.ts';

/** Before it is ordered: is there somebody to do it, and what to go back to? */
export const lookAtRewind =
  (ports: TurnPorts) =>
  (input: RewindTo & { readonly goalId: string }): Promise<void> =>
    withFailures(() => assertStored(ports, input.goalId, input));
