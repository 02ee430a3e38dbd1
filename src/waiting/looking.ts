import type { GoalBrief } from '../contract/goal-brief.ts';
import type { Execution } from '../contract/record.ts';
import type { StoredWakeRequest } from '../contract/wake-request.ts';
import type { TurnPorts } from '../turn/turn-ports.ts';

/** The result of the host's look at the condition that a model waits for. */
export interface WaitCheck {
  readonly holds: boolean;
  /** For the model and people, a line or a few. */
  readonly seen: string;
  /** The condition can never hold, because the host refuses to look. */
  readonly isRefused?: boolean;
}

export interface WaitCheckInput {
  readonly ports: TurnPorts;
  readonly execution: Execution;
  readonly brief: GoalBrief;
  readonly election: StoredWakeRequest;
  readonly signal: AbortSignal;
  readonly scheduledAt: number;
}
