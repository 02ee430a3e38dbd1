import type { PauseReason } from '../../../schema/goal.ts';
import type { Continuation } from '../../../schema/policy.ts';
import type {
  Counters,
  Decision,
  DecisionInput,
  Outcome,
  Score,
  YieldsTo,
} from '../../contract/decision.ts';
import type { GateVerdict } from '../../contract/evidence.ts';
import type { LimitReached, TurnFacts, WakeVerdict } from '../../contract/turn-facts.ts';
import { findLimit } from '../budget/budget.ts';
import { judgeWakeRequest } from '../waits/chain.ts';
import { countTurn } from './counters.ts';
import { judgeGate } from './gate.ts';
import { scoreTurn } from './score.ts';

/** The facts that every rule may look at: the input and what follows from it. */
export interface RuleContext {
  readonly input: DecisionInput;
  readonly facts: TurnFacts;
  readonly limits: Continuation;
  /** With this turn counted in. */
  readonly counters: Counters;
  readonly verdict: GateVerdict;
  readonly limit: LimitReached | null;
  readonly score: Score;
  /** The verdict on the wake that the model asked for; null where it asked for none. */
  readonly wake: WakeVerdict | null;
}

/** A rule's answer; `decide` adds its name, and the rest from the context. */
export type RuleDecision = Pick<Decision, 'outcome' | 'sentence' | 'yieldsTo'> &
  Partial<Omit<Decision, 'rule'>>;

/** Null: the rule does not apply. */
export type RuleResult = RuleDecision | null;

export function ruleContext(input: DecisionInput): RuleContext {
  const { facts, evidence, policy } = input;
  const counters = countTurn(input.counters, facts, evidence);
  return {
    input,
    facts,
    limits: policy.continuation,
    counters,
    verdict: judgeGate({ facts, evidence }),
    limit: limitOf(input),
    score: scoreTurn(facts),
    wake: wakeOf(input, counters),
  };
}

/** A row of wakes ends with whatever newly holds. */
function wakeOf(input: DecisionInput, { bestMet }: Counters): WakeVerdict | null {
  const { facts, policy, usage, now, generation = 0 } = input;
  if (!facts.election) return null;
  const chain = bestMet > input.counters.bestMet ? null : (input.chain ?? null);
  const limits = policy.continuation;
  return judgeWakeRequest(facts.election, { chain, generation, usage, limits, now });
}

/** The slice reckoned with the budget of its beginning; a person may have moved it meanwhile. */
function stillHolds(limit: LimitReached | null, budget: DecisionInput['budget']): boolean {
  return limit !== null && String(budget[limit.name]) === limit.allowed;
}

function limitOf({ facts, budget, usage, now }: DecisionInput): LimitReached | null {
  const reached = stillHolds(facts.limit, budget) ? facts.limit : null;
  const found = reached ?? findLimit(budget, usage, now);
  if (found !== null || facts.end !== 'budget' || facts.limit !== null) return found;
  // The next call could not be paid although the limit itself is not reached yet.
  return {
    name: 'tokens',
    used: String(usage.tokens),
    allowed: String(budget.tokens ?? usage.tokens),
  };
}

/** Turns so long without anything newly met that no clock may drive the goal on. */
export const isStuck = ({ counters, limits }: RuleContext): boolean =>
  counters.turnsWithoutProgress >= limits.turnsWithoutProgress;

/** The model's word that it goes on is taken a few times without a receipt. */
export const mayGoOn = ({ counters, limits }: RuleContext): boolean =>
  counters.continuationsWithoutReceipt < limits.continuationsWithoutReceipt;

/** A turn that ends in a wait which it asked for adds nothing to the counts of `no_progress`. */
export function withoutStreaks({ input, counters }: RuleContext): Counters {
  const { toolFreeTurns, turnsWithoutProgress } = input.counters;
  return {
    ...counters,
    toolFreeTurns: Math.min(counters.toolFreeTurns, toolFreeTurns),
    turnsWithoutProgress: Math.min(counters.turnsWithoutProgress, turnsWithoutProgress),
  };
}

interface PauseWords {
  readonly message: string;
  /** The beginning of the sentence. */
  readonly lead?: string;
}

export function pauseFor(
  reason: PauseReason,
  yieldsTo: YieldsTo,
  { message, lead = 'Paused' }: PauseWords,
): RuleDecision {
  const outcome: Outcome = { action: 'pause', reason, message };
  return { yieldsTo, outcome, sentence: `${lead}: ${message}` };
}

/** Kinds of turns that the host began, not a person's words. */
export const isHostDriven = ({ kind }: TurnFacts): boolean =>
  kind === 'start' || kind === 'nudge' || kind === 'wake' || kind === 'resume';
