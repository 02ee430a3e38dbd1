import type { UsageFields } from '../../../schema/budget.ts';
import type { Continuation } from '../../../schema/policy.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import type { WakeChain, WakeRefusal } from '../../contract/turn-facts.ts';
import { findLimit } from '../budget/budget.ts';
import { step } from '../chart/machine.ts';
import { boundMet, counted, refusalText } from './chain.ts';

export interface Wake {
  readonly chart: ChartSnapshot;
  /** Set where a bound was met meanwhile: no wake begins. */
  readonly refusal: WakeRefusal | null;
}

/** A quarter of what was waited so far, within the bounds: a long wait is looked at less often. */
export function pollDelaySeconds(
  waited: number,
  { pollMinSeconds, pollMaxSeconds }: Pick<Continuation, 'pollMinSeconds' | 'pollMaxSeconds'>,
): number {
  return Math.min(pollMaxSeconds, Math.max(pollMinSeconds, waited / 4));
}

/**
 * The wait is over. Every bound is read now: what was granted when it was asked for may have been
 * lowered or used up meanwhile. A wake counts when it begins.
 */
export function beginWake(
  { chart, budget, policy }: GoalState,
  usage: UsageFields,
  now: string,
): Wake {
  const chain: WakeChain = chart.context.chain ?? {
    startedAt: now,
    length: 0,
    tokensAtStart: usage.tokens,
  };
  const limit = findLimit(budget, usage, now);
  if (limit !== null) return wake(chart, { type: 'limit.passed', limit });
  const refusal = boundMet(chain, usage, policy.continuation);
  if (refusal !== null) return wake(chart, pausedBy(refusal, now), refusal);
  const next = step(chart, { type: 'wait.ended' });
  return { chart: step(next, { type: 'chain.set', chain: counted(chain) }), refusal: null };
}

function wake(chart: ChartSnapshot, event: GoalEvent, refusal: WakeRefusal | null = null): Wake {
  return { chart: step(chart, event), refusal };
}

/** The goal waits for nothing any more and nobody but a person may give it more room. */
function pausedBy(refusal: WakeRefusal, now: string): GoalEvent {
  const message = refusalText(refusal);
  return {
    type: 'turn.paused',
    pause: { reason: 'no_progress', message, missing: [], since: now },
  };
}
