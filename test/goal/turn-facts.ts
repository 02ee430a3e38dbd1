import type { Decision, DecisionInput } from '../../src/contract/decision.ts';
import type { CriterionEvidence, Evidence } from '../../src/contract/evidence.ts';
import type { TurnFacts } from '../../src/contract/turn-facts.ts';
import { noUsage } from '../../src/goal/budget/budget.ts';
import { initialCounters } from '../../src/goal/decision/counters.ts';
import { decide, needsEvidence } from '../../src/goal/decision/decide.ts';
import { emptyTurnFacts } from '../../src/goal/decision/empty-turn-facts.ts';
import { defaultPolicy } from '../../src/goal/defaults.ts';
import { noSignals } from '../../src/reply/phrases.ts';

/** A host-driven turn without tools whose model simply stopped. */
export function makeFacts(change: Partial<TurnFacts> = {}): TurnFacts {
  return {
    ...emptyTurnFacts(1, 'nudge', 'agent', 'yield'),
    steps: 1,
    finishReason: 'stop',
    signals: { ...noSignals, isEmpty: false },
    ...change,
  };
}

export const claimFacts = (change: Partial<TurnFacts> = {}): TurnFacts =>
  makeFacts({
    end: 'claim',
    claim: { callId: 't1.s1.0' },
    finishReason: 'tool_calls',
    toolCalls: 1,
    ...change,
  });

export function makeCriterion(change: Partial<CriterionEvidence> = {}): CriterionEvidence {
  return {
    criterionId: 'c1',
    state: 'met',
    baseline: 'unmet',
    isHostChecked: true,
    reason: 'exited 0',
    receipts: [7],
    ...change,
  };
}

export function makeEvidence(
  criteria: readonly CriterionEvidence[] = [makeCriterion()],
  weakened: readonly string[] = [],
): Evidence {
  return { criteria, criteriaRevision: 1, writeSeq: 1, fingerprint: 'f', weakened };
}

export function makeInput(change: Partial<DecisionInput> = {}): DecisionInput {
  return {
    status: 'active',
    facts: makeFacts(),
    counters: initialCounters,
    policy: defaultPolicy,
    budget: { tokens: 1000, costUsd: null, turns: 100, activeSeconds: null, deadline: null },
    usage: noUsage,
    evidence: null,
    now: '2026-01-01T00:00:00.000Z',
    ...change,
  };
}

export function settle(change: Partial<DecisionInput> = {}): Decision {
  const input = makeInput(change);
  if (needsEvidence(input)) throw new Error('evidence was asked for');
  return decide(input);
}
