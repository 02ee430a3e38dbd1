import { describe, expect, it } from 'vitest';
import type { SliceEnd } from '../../../src/contract/turn-facts.ts';
import { initialCounters } from '../../../src/goal/decision/counters.ts';
import { readSignals } from '../../../src/reply/phrases.ts';
import { claimFacts, makeEvidence, makeFacts, settle } from '../turn-facts.ts';

const eager = {
  signals: readSignals('Now I need to look at the files.'),
  followsToolResult: true,
  toolRatio: 0.75,
  toolCalls: 1,
};

describe('a turn that ends otherwise than by a yield', () => {
  it.each<SliceEnd>(['question', 'blocker', 'turn_cap', 'tool_error_cap', 'protocol_error'])(
    'F12 has its %s judged, not its score, and keeps the count of continuations',
    (end) => {
      const counters = { ...initialCounters, continuationsWithoutReceipt: 2 };
      const decision = settle({ facts: makeFacts({ ...eager, end }), counters });
      expect(decision.rule).not.toBe('nudge');
      expect(decision.counters.continuationsWithoutReceipt).toBe(2);
    },
  );

  it('F12 has its claim judged by the gate alone', () => {
    const counters = { ...initialCounters, continuationsWithoutReceipt: 2 };
    const facts = claimFacts({ ...eager, openTodos: ['t1'] });
    const decision = settle({ facts, counters, evidence: makeEvidence() });
    expect(decision).toMatchObject({ rule: 'claim', outcome: { action: 'refuse' } });
    expect(decision.counters.continuationsWithoutReceipt).toBe(2);
  });
});
