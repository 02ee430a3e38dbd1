import { openAttempt } from '../src/attempt/attempt.ts';
import { finishRewind } from '../src/checkpoints/finish-rewind.ts';
import type { Execution } from '../src/contract/record.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { withActivity } from './activity-context.ts';

/** Carries out a person's rewind order; a retry continues where the last attempt stopped. */
export const rewindWorkspace =
  (ports: TurnPorts) =>
  (execution: Execution): Promise<void> =>
    withActivity(async (signal, scheduledAt) => {
      const entry = ports.running.enter(execution.goalId, signal);
      try {
        const attempt = await openAttempt(ports, execution, scheduledAt);
        await finishRewind(ports, execution.goalId, attempt).finally(() => attempt.effects.close());
      } finally {
        entry.leave();
      }
    });
