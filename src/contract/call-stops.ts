import type { CallStop } from '../../schema/call-stop.ts';

/** What people ordered of running calls, as workers ask for it. */
export interface CallStops {
  /** Name of who ordered its end; null = nobody. */
  askedBy(goalId: string, callId: string): Promise<string | null>;
}

export interface CallStopsOfPeople {
  /**
   * Orders the end of a call that runs; a second order of the same is the first.
   * @throws Refusal where there is no such call, it is over, or it is no command
   */
  stop(goalId: string, callId: string, by: string): Promise<CallStop>;
}

/** The running calls of this process. */
export interface StoppableCalls {
  enter(goalId: string, callId: string): StoppableCall;
  /** Somebody may have ordered its end: a notification says no more than that. */
  look(goalId: string, callId: string): Promise<void>;
  /** The same for all of them, where notifications may be lost. */
  lookAtAll(): Promise<void>;
  /** Who ordered the end of a call that another process ran. */
  askedBy(goalId: string, callId: string): Promise<string | null>;
}

export interface StoppableCall {
  readonly signal: AbortSignal;
  /** Name of who had it ended; null = nobody. */
  stoppedBy(): string | null;
  leave(): void;
}
