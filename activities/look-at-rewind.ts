import { assertStored } from '../src/checkpoints/assert-stored.ts';
import type { RewindTo } from '../src/contract/mutation.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { withFailures } from './failures.ts';

/** Before it is ordered: is there somebody to do it, and what to go back to? */
export const lookAtRewind =
  (ports: TurnPorts) =>
  (input: RewindTo & { readonly goalId: string }): Promise<void> =>
    withFailures(() => assertStored(ports, input.goalId, input));
