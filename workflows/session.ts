import { type CancellationScope, setCurrentDetails } from '@temporalio/workflow';
import type { GoalState } from '../src/contract/goal-state.ts';
import type { Execution } from '../src/contract/record.ts';
import type { TurnKind } from '../src/contract/turn-facts.ts';
import { isWrappingUp } from '../src/goal/chart/machine.ts';
import { activityOf, isOpen, statusOf } from '../src/goal/chart/view.ts';
import type { CarryOver } from './goal.contract.ts';
import { createMutex, type Mutex } from './mutex.ts';

/**
 * What one run keeps in memory. `state` equals the row at the same revision; it changes only
 * after a commit, inside of the mutex.
 */
export interface Session {
  readonly execution: Execution;
  readonly mutex: Mutex;
  state: GoalState | null;
  /** Another run, epoch or goal took over: this run writes nothing and ends. */
  isSuperseded: boolean;
  /** Work in the workspace that a mutation may have to stop. */
  work: { readonly scope: CancellationScope; readonly kind: TurnKind } | null;
  /** Long waits for the provider in a row. */
  providerRetries: number;
  /** The call that failed last: another one means that there was an answer in between. */
  failedCall: string | null;
  updates: number;
  /** Events after which it is full. */
  readonly maxEvents: number;
  /** Of runs that began before they could, false. */
  readonly leavesBusy: boolean;
  /** Nothing new is taken: what is under way ends, then the next run begins. */
  isLeaving: boolean;
  /** Adopted states, without those in which only a program's message came. */
  changes: number;
  /** Somebody said so since this run last looked. */
  isWorkspaceFree: boolean;
  /** The host looks in the workspace for what the model waits for. */
  isLooking: boolean;
  /** Its parent or a delegate sent word since this run last looked at the beginning of a wait. */
  hasDelegationNews: boolean;
}

export function createSession(
  execution: Execution,
  { providerRetries, troubleAt, maxEvents }: CarryOver,
  leavesBusy: boolean,
): Session {
  return {
    execution,
    mutex: createMutex(),
    state: null,
    isSuperseded: false,
    work: null,
    providerRetries,
    failedCall: troubleAt ?? null,
    updates: 0,
    maxEvents,
    leavesBusy,
    isLeaving: false,
    changes: 0,
    isWorkspaceFree: false,
    hasDelegationNews: false,
    isLooking: false,
  };
}

/**
 * Takes over a committed state and stops work that it no longer allows.
 * @param isQuiet it changes nothing of what the goal waits for
 */
export function adopt(session: Session, state: GoalState, isQuiet = false): void {
  // A retried mutation gets its first result, which may be long past.
  if (session.state !== null && state.revision <= session.state.revision) return;
  session.state = state;
  if (!isQuiet) session.changes += 1;
  const { chart } = state;
  const isWrongKind = isWrappingUp(chart) && session.work?.kind !== 'wrap_up';
  if (session.work !== null && (!isOpen(chart) || isWrongKind)) session.work.scope.cancel();
  const activity = activityOf(chart, '');
  setCurrentDetails(
    `**${statusOf(chart)}** · ${activity.actor} | ${activity.reason} · revision ${state.revision} · turn ${state.turn}`,
  );
}

export function isOver({ isSuperseded, state }: Session): boolean {
  if (isSuperseded) return true;
  return state !== null && (state.chart.value === 'complete' || state.chart.context.isArchived);
}

/** Nothing of the goal may run any more, for now or for good. */
export const isClosed = ({ state }: Session): boolean => state !== null && !isOpen(state.chart);
