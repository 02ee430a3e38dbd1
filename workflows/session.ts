import { type CancellationScope, setCurrentDetails } from '@temporalio/workflow';
import type { GoalState } from '../src/contract/goal-state.ts';
import type { Execution } from '../src/contract/record.ts';
import type { TurnKind } from '../src/contract/turn-facts.ts';
import { isWrappingUp } from '../src/goal/chart/machine.ts';
import { activityOf, isOpen, statusOf } from '../src/goal/chart/view.ts';
import type { CarryOver } from './goal.contract.ts';
import { createMutex, type Mutex } from './mutex.ts';

/**
 * The memory of one run. `state` equals the row at the same revision; it changes only
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
  /** Id of the call that failed last; a different id means that there was an answer in between. */
  failedCall: string | null;
  updates: number;
  /** Events after which it is full. */
  readonly maxEvents: number;
  /** False for runs that began before this patch. */
  readonly leavesBusy: boolean;
  /** The run accepts nothing new: running work ends, then the next run begins. */
  isLeaving: boolean;
  /** Number of adopted states, without those changed only by a program's message. */
  changes: number;
  /** A signal that the workspace is free arrived since this run last looked. */
  isWorkspaceFree: boolean;
  /** A signal that what the goal waits for may have come arrived since its last look. */
  isToldToLook: boolean;
  /** The host polls in the workspace for what the model waits for. */
  isLooking: boolean;
  /** A signal of the parent or a delegate arrived since the beginning of the last wait. */
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
    isToldToLook: false,
    isLooking: false,
  };
}

/**
 * Takes over a committed state and stops work that it no longer allows.
 * @param isQuiet it changes nothing of what the goal waits for
 */
export function adopt(session: Session, state: GoalState, isQuiet = false): void {
  // A retried mutation gets its first result, which may be older than the state.
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

/** True when nothing of the goal may run, for now or for good. */
export const isClosed = ({ state }: Session): boolean => state !== null && !isOpen(state.chart);
