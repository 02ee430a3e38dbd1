import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { GoalState } from '../src/contract/goal-state.ts';
import type { Mutation } from '../src/contract/mutation.ts';

/** Start input, and what one run hands to the next: never texts, the record has the rest. */
export interface CarryOver {
  readonly goalId: string;
  readonly epoch: number;
  /** Whose goal it is; absent where an earlier version started it. */
  readonly installation?: string;
  /** The run that continued as new; null for the first one. */
  readonly previousRunId: string | null;
  /** Long provider retries in a row. */
  readonly providerRetries: number;
  readonly troubleAt?: string | null;
  /** Events after which a run continues as new even before the server suggests it. */
  readonly maxEvents: number;
}

export interface Accepted {
  readonly goalId: string;
  readonly revision: number;
}

/**
 * Carries out the order that the record holds under this commit id, which is also the update's id.
 * Answers only after the goal's row is committed.
 */
export const orderUpdate = defineUpdate<Accepted, [string]>('order');
/** The same for an order that ends the goal's work: a run without room takes it too. */
export const urgentOrderUpdate = defineUpdate<Accepted, [string]>('urgentOrder');
/** Stands in histories from before orders; nothing new is accepted under this name. */
export const mutateUpdate = defineUpdate<Accepted, [Mutation]>('mutate');
/** Wakes the goal: its workspace may be free, and it is first in line. The goal's id is a proof. */
export const workspaceFreeSignal = defineSignal<[string]>('workspaceFree');
/** Wakes the goal: its parent has an order, or one of its delegates has ended. */
export const familySignal = defineSignal<[string]>('family');
/** Wakes the goal: what it waits for may have come. */
export const eventSignal = defineSignal<[string]>('event');
export const stateQuery = defineQuery<GoalState | null>('state');
