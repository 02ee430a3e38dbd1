import { finishRewind } from '../src/checkpoints/finish-rewind.ts';
import type { Execution } from '../src/db/ports.ts';
import { openAttempt } from '../src/turn/attempt.ts';
import type { TurnPorts } from '../src/turn/ports-of-turn.ts';
import { withActivity } from './activity-context.ts';

/** Carries a person's order out; a retry goes on where the last one stopped. */
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
