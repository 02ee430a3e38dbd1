import type { Continuation } from '../../../schema/policy.ts';
import type { Counters, Decision, DecisionInput, Score } from '../../contract/decision.ts';
import type { GateVerdict } from '../../contract/evidence.ts';
import type { ElectionVerdict, LimitReached, TurnFacts } from '../../contract/turn-facts.ts';
import { findLimit } from '../budget/budget.ts';
import { judgeElection } from '../waits/chain.ts';
import { countTurn } from './counters.ts';
import { judgeGate } from './gate.ts';
import { scoreTurn } from './score.ts';

/** What every rule may look at: the input and what follows from it. */
export interface Ground {
  readonly input: DecisionInput;
  readonly facts: TurnFacts;
  readonly limits: Continuation;
  /** With this turn counted in. */
  readonly counters: Counters;
  readonly verdict: GateVerdict;
  readonly limit: LimitReached | null;
  readonly score: Score;
  readonly election: ElectionVerdict | null;
}

/** What a rule says; `decide` fills in the rest from the ground. */
export type Ruling = Pick<Decision, 'rule' | 'outcome' | 'sentence'> & Partial<Decision>;

/** Null = this rule does not apply; 'evidence' = it cannot be told before checkEvidence ran. */
export type RuleResult = Ruling | 'evidence' | null;

export function surveyGround(input: DecisionInput): Ground {
  const { facts, evidence, policy } = input;
  const counters = countTurn(input.counters, facts, evidence);
  return {
    input,
    facts,
    limits: policy.continuation,
    counters,
    verdict: judgeGate({ evidence, facts, policy }),
    limit: limitOf(input),
    score: scoreTurn(facts),
    election: electionOf(input, counters),
  };
}

/** A row of wakes ends with whatever newly holds. */
function electionOf(input: DecisionInput, { bestMet }: Counters): ElectionVerdict | null {
  const { facts, policy, usage, now, generation = 0 } = input;
  if (!facts.election) return null;
  const chain = bestMet > input.counters.bestMet ? null : (input.chain ?? null);
  const limits = policy.continuation;
  return judgeElection(facts.election, { chain, generation, usage, limits, now });
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
