import type { CommandScope, EffectsHost, EffectsSession } from '../contract/effects.ts';
import { Superseded } from '../contract/failures.ts';
import type { Fence } from '../contract/fence.ts';
import type { JournalPort } from '../contract/journal.ts';
import type { Execution } from '../contract/record.ts';

/** The right to write for one goal, and the process group that does so in the workspace. */
export interface Attempt {
  readonly fence: Fence;
  readonly effects: EffectsSession;
}

/** Ports to open an attempt with. */
export interface AttemptPorts extends EffectsHost {
  readonly journal: Pick<JournalPort, 'lastAttempt' | 'raiseToken' | 'recordHelper' | 'brief'>;
  readonly host: string;
  readonly workerId: string;
}

const TAKEOVER_TRIES = 5;

/**
 * Takes the goal over from the previous attempt: ends its helper, waits until it is gone, and only
 * then raises the fencing token. Of two concurrent attempts, the token's compare-and-swap lets one
 * through and the other retries. An attempt scheduled before the holder is stale (its worker was
 * frozen) and touches nothing; its error is retried, and only a clock that went back makes it
 * visible.
 *
 * @param scheduledAt when the server scheduled this attempt, milliseconds
 */
export async function openAttempt(
  ports: AttemptPorts,
  execution: Execution,
  scheduledAt: number,
): Promise<Attempt> {
  for (let attempt = 1; ; attempt += 1) {
    const last = await ports.journal.lastAttempt(execution.goalId);
    if (last !== null && last.scheduledAt > scheduledAt) {
      throw new Error(`${execution.goalId}: a later attempt holds the goal`);
    }
    if (last?.helper) await ports.endHelper(last.helper);
    try {
      const fence = await ports.journal.raiseToken({
        ...execution,
        scheduledAt,
        expectedToken: last?.token ?? 0,
        host: ports.host,
        workerId: ports.workerId,
      });
      return {
        fence,
        effects: ports.startEffects(
          (helper) => ports.journal.recordHelper(fence, helper),
          groundOf(ports, execution.goalId),
        ),
      };
    } catch (error) {
      if (!(error instanceof Superseded) || attempt === TAKEOVER_TRIES) throw error;
      const next = await ports.journal.lastAttempt(execution.goalId);
      if (next?.token === last?.token) throw error;
    }
  }
}

/** Reads the command scope once, with the first command: many attempts run none. */
function groundOf(
  { journal }: Pick<AttemptPorts, 'journal'>,
  goalId: string,
): () => Promise<CommandScope> {
  let found: Promise<CommandScope> | null = null;
  const read = async (): Promise<CommandScope> => {
    const { workspace, policy } = await journal.brief(goalId);
    return { goalId, workspace: workspace.path, network: policy.sandbox?.network ?? 'none' };
  };
  return () => {
    found ??= read().catch((error: unknown) => {
      found = null;
      throw error;
    });
    return found;
  };
}
