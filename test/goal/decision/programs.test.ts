import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DecisionInput } from '../../../src/contract/decision.ts';
import { decide, needsEvidence } from '../../../src/goal/decision/decide.ts';
import { waitsForNews } from '../../../src/goal/waits/chain.ts';
import { anyInput } from '../arbitrary.ts';

/** What came that no person said: absent = nothing. */
type Word = { readonly programs?: number; readonly amended?: true };

const withWord = (input: DecisionInput, word: Word): DecisionInput => {
  const { programs: _, amended: __, ...facts } = input.facts;
  return { ...input, facts: { ...facts, ...word } };
};

const anyWord: fc.Arbitrary<Word> = fc.oneof(
  fc.integer({ min: 1, max: 3 }).map((programs) => ({ programs })),
  fc.constant({ amended: true as const }),
);

test('TRIG-34 while a program’s message or an amendment is unread, no turn begins with the host’s own words', () => {
  fc.assert(
    fc.property(anyInput, anyWord, (input, word) => {
      const { outcome } = decide(withWord(input, word));
      expect(outcome).not.toMatchObject({ next: 'nudge' });
      if (outcome.action === 'wait') expect(waitsForNews(outcome.on)).toBe(false);
      expect(outcome).not.toMatchObject({ action: 'complete' });
    }),
  );
});

test('TRIG-34 it keeps no goal from its pause, buys no turn, and starts no streak anew', () => {
  fc.assert(
    fc.property(anyInput, anyWord, (input, word) => {
      const without = withWord(input, {});
      fc.pre(!needsEvidence(without) && input.facts.end !== 'claim');
      const decided = decide(without);
      const told = decide(withWord(input, word));
      if (decided.outcome.action === 'complete') return;
      if (decided.outcome.action === 'pause' || decided.outcome.action === 'limit') {
        expect(told.outcome).toEqual(decided.outcome);
      }
      expect(told.counters).toEqual(decided.counters);
      const isWait = decided.outcome.action === 'wait';
      // The wake that it stands for is counted.
      const more = isWait && decided.chain && told.outcome.action !== 'wait' ? 1 : 0;
      const chain = decided.chain && { ...decided.chain, length: decided.chain.length + more };
      expect(told.chain).toEqual(chain);
    }),
  );
});
