import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../src/contract/decision.ts';
import { checksBeforeClaim } from '../../../src/record/claim-order.ts';
import { openCallOf, resultOfOpenCall, saidIn } from '../../../src/record/decision/closed-call.ts';
import { claimFacts, makeFacts, settle } from '../../goal/turn-facts.ts';

const base = settle({ facts: makeFacts({ toolCalls: 1 }) });
const deciding = (change: Partial<Decision>): Decision => ({ ...base, ...change });
const pausing = (reason: 'question' | 'blocked' | 'unverified_claim' | 'no_progress') =>
  deciding({ outcome: { action: 'pause', reason, message: 'why' } });
const call = { callId: 't1.s1.0' };
const question = makeFacts({ end: 'question', question: { ...call, questionId: 'q-1' } });

describe('the result of the call that ended a turn', () => {
  test('of a question or blocker is a success where it reached a person', () => {
    const text = 'This was put to the person.';
    const success = { outcome: 'succeeded', text };
    expect(resultOfOpenCall(question, pausing('question'))).toEqual(success);
    const blocker = makeFacts({
      end: 'blocker',
      blocker: call,
    });
    expect(resultOfOpenCall(blocker, pausing('blocked'))).toEqual(success);
    expect(resultOfOpenCall(question, pausing('no_progress')).outcome).toBe('refused');
  });

  test('of a claim is a success where it is accepted or put to a person', () => {
    const complete = deciding({
      outcome: { action: 'complete', source: 'explicit', verification: 'verified' },
    });
    expect(resultOfOpenCall(claimFacts(), complete).text).toBe('Accepted.');
    const put = { outcome: 'succeeded', text: 'The claim was put to a person, who decides.' };
    expect(resultOfOpenCall(claimFacts(), pausing('unverified_claim'))).toEqual(put);
  });

  test('of a refused claim names what is missing', () => {
    const refused = deciding({ missing: ['c1', 't2'], reasons: { c1: 'exited 1' } });
    expect(resultOfOpenCall(claimFacts(), refused)).toEqual({
      outcome: 'refused',
      text: [
        'Refused. What is missing:',
        '- c1: exited 1',
        '- t2: not proven',
        `Put these right, then ${checksBeforeClaim('agent')}, then claim again.`,
      ].join('\n'),
    });
  });

  test('of a wake request says when the wake comes, or why it does not', () => {
    const request = { ...call, on: 'timer', seconds: 60, until: null, generation: 0 } as const;
    const facts = makeFacts({ end: 'election', election: request });
    const chain = { startedAt: '', length: 0, tokensAtStart: 0 };
    const granted = { isGranted: true, on: 'timer', chain, seconds: 60, note: null } as const;
    const outcome = { action: 'wait', on: 'timer', seconds: 60, next: 'wake' } as const;
    const result = resultOfOpenCall(facts, deciding({ election: granted, outcome }));
    expect(result).toEqual({ outcome: 'succeeded', text: 'The host wakes you in 60 s.' });
    const bound = { isGranted: false, limit: 'chainLength', value: 11, allowed: 10 } as const;
    expect(resultOfOpenCall(facts, deciding({ election: bound })).outcome).toBe('refused');
  });

  test('of a wake request that holds for a condition, a delegate or nothing', () => {
    const request = { ...call, on: 'condition', seconds: 60, until: 'x', generation: 0 } as const;
    const facts = makeFacts({ end: 'election', election: request as never });
    const chain = { startedAt: '', length: 0, tokensAtStart: 0 };
    const granted = { isGranted: true, on: 'condition', chain, seconds: 60 } as const;
    const wait = { action: 'wait', on: 'condition', seconds: 60, next: 'wake' } as const;
    const note = 'asked for 10 s, the least is 60';
    const moved = deciding({ election: { ...granted, note } as never, outcome: wait });
    expect(resultOfOpenCall(facts, moved).text).toBe(
      `The host wakes you when it holds, or after 60 s. You ${note}.`,
    );
    const election = { ...granted, note: null } as never;
    const byDelegate = deciding({ election, outcome: { ...wait, on: 'delegate' } });
    expect(resultOfOpenCall(facts, byDelegate)).toEqual({
      outcome: 'succeeded',
      text: 'No timer was set: the result of your delegate wakes you.',
    });
    const goesOn = { action: 'continue', next: 'message' } as const;
    for (const decision of [
      deciding({ election, outcome: goesOn, sentence: 'why' }),
      deciding({ outcome: wait, sentence: 'why' }),
    ]) {
      expect(resultOfOpenCall(facts, decision)).toEqual({
        outcome: 'refused',
        text: 'No wake was scheduled: why',
      });
    }
  });

  test('of a claim that waits for a person is a success; one that misses nothing says why', () => {
    const waits = { action: 'wait', on: 'approval', seconds: null, next: 'resume' } as const;
    expect(resultOfOpenCall(claimFacts(), deciding({ outcome: waits })).outcome).toBe('succeeded');
    const refused = deciding({ missing: [], sentence: 'a message came' });
    expect(resultOfOpenCall(claimFacts(), refused)).toEqual({
      outcome: 'refused',
      text: 'Not taken: a message came',
    });
    expect(resultOfOpenCall(claimFacts(), pausing('no_progress')).outcome).toBe('refused');
  });
});

test('what the model said is its claim with its evidence, its question, report or explanation', () => {
  expect(saidIn({ result: 'Done.' })).toBe('Done.');
  expect(saidIn({ question: 'Which?', blocker: 'no' })).toBe('Which?');
  expect(saidIn({ blocker: 'No key.', explanation: 'no' })).toBe('No key.');
  expect(saidIn({ explanation: 'It contradicts c1.' })).toBe('It contradicts c1.');
  expect(saidIn({})).toBe('');
});

test('the call that a decision settles is the one that ended the turn', () => {
  const of = (name: string) => openCallOf(makeFacts({ [name]: { callId: `t1.${name}` } } as never));
  for (const name of ['claim', 'question', 'blocker', 'dispute', 'election']) {
    expect(of(name)).toBe(`t1.${name}`);
  }
  expect(openCallOf(makeFacts({}))).toBeNull();
});
