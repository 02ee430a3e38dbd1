import { describe, expect, test } from 'vitest';
import type { RequestedCall } from '../../src/contract/conversation.ts';
import type { ModelAnswer } from '../../src/contract/model.ts';
import type { FinishReason } from '../../src/contract/turn-facts.ts';
import { hasEnded, isTextCall, readTextCall } from '../../src/reply/text-call.ts';

type Answer = Extract<ModelAnswer, { kind: 'answer' }>;

const answer = (change: Partial<Answer> = {}): Answer => ({
  kind: 'answer',
  text: 'Seen.\nCONTINUE_WORK:5',
  calls: [],
  finishReason: 'stop',
  usage: null,
  ...change,
});
const written = { providerId: 'p1', tool: 'read_file', input: '{}' };
const called = (providerId: string): RequestedCall => ({
  callId: 't1.s1.0',
  providerId,
  tool: 'x',
  input: '{}',
});

describe('an answer that ends in a token', () => {
  test.each<FinishReason>(['stop', 'other', 'absent'])(
    'O3 makes the call that it stands for, and people do not see it (%s)',
    (finishReason) => {
      const spoken = readTextCall(answer({ finishReason }));
      expect(spoken).toMatchObject({
        text: 'Seen.',
        token: 'CONTINUE_WORK:5',
        calls: [{ tool: 'continue_work', input: '{"delaySeconds":5,"reason":"Seen."}' }],
      });
      expect(spoken.calls.every(isTextCall)).toBe(true);
    },
  );

  test.each<[string, Answer]>([
    ['is cut off', answer({ finishReason: 'length' })],
    ['is cut off by calls', answer({ finishReason: 'tool_calls' })],
    ['makes a call of its own', answer({ calls: [written] })],
    ['holds no token', answer({ text: 'Seen.' })],
  ])('stays as it is where it %s', (_, given) => {
    expect(readTextCall(given)).toBe(given);
  });
});

test('a turn has ended where nothing but tokens was asked for', () => {
  const [text] = readTextCall(answer()).calls;
  const token = called(text?.providerId ?? '');
  expect(hasEnded([])).toBe(true);
  expect(hasEnded([token])).toBe(true);
  expect(hasEnded([called('p1')])).toBe(false);
  expect(hasEnded([token, called('p1')])).toBe(false);
});
