import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GoalStatus } from '../../../schema/goal.ts';
import type { SliceEnd } from '../../../src/contract/turn-facts.ts';
import { andThen, oneSentence } from '../../../src/goal/decision/sentence.ts';
import { claimFacts, makeEvidence, makeFacts, settle } from '../turn-facts.ts';

const isOneSentence = (text: string): boolean =>
  text.length <= 400 && /[.!?…]$/.test(text) && !/[.\n]\s/.test(text);

describe('why a turn led where it led, in one sentence', () => {
  test.each([
    ['Paused: out of credit', 'Paused: out of credit.'],
    ['It is done.', 'It is done.'],
    ['Shall I go on?', 'Shall I go on?'],
    ['No key.  Set one.\nThen resume.', 'No key; Set one; Then resume.'],
    ['first line\n\tsecond line', 'first line second line.'],
    ['version 1.2 is there', 'version 1.2 is there.'],
    ['   ', 'No reason was given.'],
    ['so... and on', 'so; and on.'],
    ['x'.repeat(399), `${'x'.repeat(399)}.`],
    ['x'.repeat(400), `${'x'.repeat(399)}…`],
    [`${'x'.repeat(399)}!`, `${'x'.repeat(399)}!`],
    [`${'x'.repeat(400)}!`, `${'x'.repeat(399)}…`],
  ])('%j becomes %j', (text, sentence) => {
    expect(oneSentence(text)).toBe(sentence);
  });

  test('a long text is cut and says so', () => {
    const sentence = oneSentence('x'.repeat(5000));
    expect(sentence).toHaveLength(400);
    expect(sentence.endsWith('x…')).toBe(true);
  });

  test('one thing more stands behind what was said, whose full stop goes', () => {
    expect(andThen('It took 1.5 s.', 'but it works.')).toBe('It took 1.5 s; but it works.');
    expect(andThen('Really?', 'yes.')).toBe('Really?; yes.');
  });

  test('whatever a model, tool or provider says', () => {
    fc.assert(fc.property(fc.string(), (text) => isOneSentence(oneSentence(text))));
    const detail = 'It broke.\nLook at a.ts.';
    const ends: SliceEnd[] = ['question', 'blocker', 'tool_error_cap', 'repetition', 'yield'];
    for (const end of ends) {
      expect(settle({ facts: makeFacts({ end, detail, toolCalls: 1 }) }).sentence).toSatisfy(
        isOneSentence,
      );
    }
  });

  test.each([
    ['paused', 'paused'],
    ['complete', 'ended'],
    ['budget_limited', 'limit'],
    ['active', 'interrupted'],
  ] as const satisfies readonly (readonly [GoalStatus, string])[])(
    'a turn that nothing follows from says what was faster: %s',
    (status, word) => {
      const { sentence } = settle({ status, facts: makeFacts({ end: 'interrupted' }) });
      expect(sentence).toContain(word);
      expect(sentence).toSatisfy(isOneSentence);
    },
  );

  test('a refusal whose goal has unread messages says both', () => {
    const facts = claimFacts({ openTodos: ['t1'], unread: 2 });
    expect(settle({ facts }).sentence).toSatisfy(isOneSentence);
    const nudged = settle({ facts: makeFacts({ unread: 1 }), evidence: makeEvidence([]) });
    expect(nudged.sentence).toMatch(/names what is missing; but an unread message comes first\.$/);
  });

  test('a question and a blocker carry the words that a person has to answer', () => {
    const asked = settle({ facts: makeFacts({ end: 'question', detail: 'Which colour?' }) });
    expect(asked.sentence).toBe('The model asks: Which colour?');
    const blocked = settle({
      facts: makeFacts({ end: 'blocker', detail: 'There is no network.' }),
    });
    expect(blocked.sentence).toBe('The model is blocked: There is no network.');
  });
});
