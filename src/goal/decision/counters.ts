import type { Counters } from '../../contract/decision.ts';
import type { Evidence } from '../../contract/evidence.ts';
import type { TurnFacts } from '../../contract/turn-facts.ts';

export const initialCounters: Counters = {
  refusalsInRow: 0,
  refusalsWithoutBest: 0,
  lastMissing: [],
  bestMissing: null,
  toolFreeTurns: 0,
  turnsWithoutProgress: 0,
  bestMet: 0,
  metCriteria: 0,
  truncatedTurns: 0,
  continuationsWithoutReceipt: 0,
};

/** A person resumed or answered: every streak starts again, the bests stay. */
export function resetStreaks(counters: Counters): Counters {
  return {
    ...initialCounters,
    bestMissing: counters.bestMissing,
    bestMet: counters.bestMet,
    metCriteria: counters.metCriteria,
  };
}

/** More held at once than ever before. */
export const hasProgressed = (before: Counters, after: Counters): boolean =>
  after.bestMet > before.bestMet;

/**
 * None of the delegates that a turn waits for began. The turn counts like any other, or a model
 * that asks for what is refused could go on for ever.
 */
export function countUnproductiveWait(before: Counters, decided: Counters): Counters {
  const turnsWithoutProgress = before.turnsWithoutProgress + 1;
  return hasProgressed(before, decided) ? decided : { ...decided, turnsWithoutProgress };
}

/** The streaks after a settled turn, before any rule adds to them. */
export function countTurn(
  counters: Counters,
  facts: TurnFacts,
  evidence: Evidence | null,
): Counters {
  const metCriteria = evidence === null ? counters.metCriteria : countNewlyMet(evidence);
  const met = metCriteria + facts.doneTodos;
  const hasProgress = met > counters.bestMet;
  return {
    ...counters,
    metCriteria,
    bestMet: Math.max(met, counters.bestMet),
    toolFreeTurns: hasProgress || facts.toolCalls > 0 ? 0 : counters.toolFreeTurns + 1,
    turnsWithoutProgress: hasProgress ? 0 : counters.turnsWithoutProgress + 1,
    truncatedTurns: isTruncated(facts) && facts.receipts === 0 ? counters.truncatedTurns + 1 : 0,
    continuationsWithoutReceipt: facts.receipts > 0 ? 0 : counters.continuationsWithoutReceipt,
  };
}

export function isTruncated(facts: TurnFacts): boolean {
  return facts.end === 'turn_cap' || (facts.end === 'yield' && facts.finishReason === 'length');
}

/**
 * A refused claim. The long count starts again only below the best that was ever reached, so
 * breaking something and repairing it buys no further attempts.
 */
export function countRefusal(counters: Counters, missing: readonly string[]): Counters {
  const isBest = counters.bestMissing === null || missing.length < counters.bestMissing;
  const isSame = sameMembers(missing, counters.lastMissing);
  return {
    ...counters,
    refusalsInRow: isSame && !isBest ? counters.refusalsInRow + 1 : 1,
    refusalsWithoutBest: isBest ? 1 : counters.refusalsWithoutBest + 1,
    lastMissing: [...missing],
    bestMissing: isBest ? missing.length : counters.bestMissing,
  };
}

/** Guards held before the work began, so they are nobody's progress. */
function countNewlyMet(evidence: Evidence): number {
  return evidence.criteria.filter((one) => one.state === 'met' && one.baseline !== 'met').length;
}

function sameMembers(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id));
}
