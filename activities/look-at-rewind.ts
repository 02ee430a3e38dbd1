import { assertStored } from '../src/checkpoints/assert-stored.ts';
import type { RewindTo } from '../src/contract/mutation.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { withFailures } from './failures.ts';

/** Checks before the order that a worker can rewind and that the target exists. */
export const lookAtRewind =
  (ports: TurnPorts) =>
  (input: RewindTo & { readonly goalId: string }): Promise<void> =>
    withFailures(() => assertStored(ports, input.goalId, input));
