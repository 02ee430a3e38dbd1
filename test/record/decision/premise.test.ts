import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/goal/decision/decide.ts';
import { isCurrent, premiseOf } from '../../../src/record/decision/premise.ts';
import { anyInput } from '../../goal/arbitrary.ts';
import { claimFacts, makeEvidence, makeFacts, settle } from '../../goal/turn-facts.ts';

describe('what must still hold when a decision commits', () => {
  test('the evidence and an empty inbox, where a claim completes the goal', () => {
    expect(premiseOf(settle({ facts: claimFacts(), evidence: makeEvidence() }))).toBe('evidence');
  });

  test('an empty inbox, where a delegate ends with its text', () => {
    const facts = makeFacts({ mode: 'gather', toolCalls: 1 });
    expect(premiseOf(settle({ facts, isDelegate: true }))).toBe('empty_inbox');
  });

  test('nothing, where the goal goes on', () => {
    expect(premiseOf(settle({ facts: makeFacts({ toolCalls: 1 }) }))).toBe('nothing');
  });

  test('that nobody wrote, where a message would have overruled a pause or a wait', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const decision = decide(input);
        const { outcome, yieldsTo } = decision;
        const stops = outcome.action === 'pause' || outcome.action === 'wait';
        expect(premiseOf(decision) === 'no_news').toBe(stops && yieldsTo !== 'nobody');
      }),
    );
  });

  test('no goal is complete on a premise that a message could break unseen', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const decision = decide(input);
        if (decision.outcome.action !== 'complete') return;
        expect(['empty_inbox', 'evidence']).toContain(premiseOf(decision));
      }),
    );
  });

  test.each([
    ['missing', null, false],
    ['about other criteria', { ...makeEvidence(), criteriaRevision: 2 }, false],
    ['older than a write', { ...makeEvidence(), writeSeq: 0 }, false],
    ['about what is there', makeEvidence(), true],
  ])('evidence that is %s', (_, evidence, expected) => {
    expect(isCurrent(evidence, { criteriaRevision: 1, writeSeq: 1 })).toBe(expected);
  });
});
