import type { Counters } from '../../contract/decision.ts';
import type { TurnFacts, TurnKind } from '../../contract/turn-facts.ts';
import { holdsCheaply } from './gate.ts';
import type { Ground, RuleResult, Ruling } from './ground.ts';
import { nudgeTone } from './score.ts';

const HOST_DRIVEN: readonly TurnKind[] = ['start', 'nudge', 'wake', 'resume'];

const hasStopped = ({ end, finishReason }: TurnFacts): boolean =>
  end === 'yield' && (finishReason === 'stop' || finishReason === 'absent');

const awaitedBy = ({ delegates }: TurnFacts): number => delegates?.awaited ?? 0;

/**
 * Rule 5 for a goal that is a delegate: it has no criteria to prove, so the text with which it
 * stops is its result. Words that announce more work don't count as an end.
 */
export function takeFinding({ facts, input, counters, limits, score }: Ground): RuleResult {
  if (input.isDelegate !== true || !hasStopped(facts) || facts.signals.isEmpty) return null;
  if (!HOST_DRIVEN.includes(facts.kind) || !holdsCheaply(facts) || awaitedBy(facts) > 0)
    return null;
  const meansToGoOn =
    nudgeTone(score, facts.signals, limits) === 'go_on' &&
    counters.continuationsWithoutReceipt < limits.continuationsWithoutReceipt;
  if (meansToGoOn) return null;
  return {
    rule: 5,
    outcome: { action: 'complete', source: 'implicit', verification: 'supported' },
    sentence: 'The delegate stopped; its last text is its result.',
  };
}

/** A wake that the model asks for beside a delegate would come before its result (O20). */
const asksForTimer = ({ end, election }: TurnFacts): boolean =>
  end === 'election' && election?.on === 'timer';

/** Rule 7: a turn that handed work over and has nothing else to do waits, exempt from rule 10. */
export function waitForDelegates({ facts, input, counters, limits }: Ground): RuleResult {
  const awaited = awaitedBy(facts);
  if (counters.turnsWithoutProgress >= limits.turnsWithoutProgress) return null;
  if (awaited === 0 || !(hasStopped(facts) || asksForTimer(facts))) return null;
  const { toolFreeTurns, turnsWithoutProgress } = input.counters;
  return {
    rule: 7,
    outcome: { action: 'wait', on: 'delegate', seconds: null, next: 'wake' },
    sentence: `Waits for ${awaited} ${awaited === 1 ? 'delegate' : 'delegates'}.`,
    counters: {
      ...counters,
      toolFreeTurns: Math.min(counters.toolFreeTurns, toolFreeTurns),
      turnsWithoutProgress: Math.min(counters.turnsWithoutProgress, turnsWithoutProgress),
    },
  };
}

/**
 * Nobody began of those that a turn waits for: it counts like any other, or a model that asks for
 * what is refused could go on so for ever.
 */
export function countVainWait(before: Counters, decided: Counters): Counters {
  const turnsWithoutProgress = before.turnsWithoutProgress + 1;
  return decided.bestMet > before.bestMet ? decided : { ...decided, turnsWithoutProgress };
}

/** A result that nobody has read comes before a wait, a nudge and a pause for want of progress. */
export function preemptByResult(ruling: Ruling, { facts }: Ground): Ruling {
  const waking = facts.delegates?.waking ?? 0;
  const { action } = ruling.outcome;
  const isSoft = ruling.rule >= 7 && (action === 'wait' || action === 'pause');
  if (waking === 0 || !(isSoft || action === 'nudge')) return ruling;
  return {
    ...ruling,
    outcome: { action: 'continue', next: 'wake' },
    sentence: 'The result of a delegate is there and comes first.',
  };
}
