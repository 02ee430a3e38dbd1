import type { SliceInput, SliceResult } from '../src/contract/activities.ts';
import { runSlice } from '../src/turn/slice.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { withActivity } from './activity-context.ts';

/** One slice of a turn; a retry resumes behind the last journaled step. */
export const runTurn =
  (ports: TurnPorts) =>
  (input: SliceInput): Promise<SliceResult> =>
    withActivity((signal, scheduledAt) => runSlice(ports, input, signal, scheduledAt));
