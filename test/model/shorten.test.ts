import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten } from '../../src/model/shorten.ts';
import type { StoredMessage, Voice } from '../../src/turn/ports.ts';

const message = (seq: number, voice: Voice, text: string): StoredMessage => ({
  seq,
  turn: 1,
  step: null,
  voice,
  content: { text },
});
const size = ({ content }: StoredMessage) => content.text.length + 1;
const sum = (messages: readonly StoredMessage[]) =>
  messages.reduce((all, one) => all + size(one), 0);

const conversation = Array.from({ length: 40 }, (_, index) =>
  message(index, index % 2 === 0 ? 'model' : 'tool', `${index}:`.padEnd(2000, 'x')),
);

test('what fits stays as it is', () => {
  expect(shorten(conversation, 1_000_000, size)).toBe(conversation);
});

test('old results are cut before any message falls away, the newest never', () => {
  const short = shorten(conversation, 60_000, size);
  expect(short).toHaveLength(conversation.length);
  expect(short[1]?.content.text).toContain('are no longer shown');
  expect(short.slice(-8)).toEqual(conversation.slice(-8));
});

test('it fits afterwards, ends as before, and never begins with a result', () => {
  const voices = fc.constantFrom<Voice>('model', 'tool', 'host', 'person');
  const texts = fc.array(fc.tuple(voices, fc.nat(3000)), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(texts, fc.nat(40_000), (parts, target) => {
      const all = [
        message(0, 'host', 'go'),
        ...parts.map(([voice, length], index) => message(index + 1, voice, 'x'.repeat(length))),
      ];
      const short = shorten(all, target, size);
      expect(short.length).toBeGreaterThan(0);
      expect(short.at(-1)?.seq).toBe(all.at(-1)?.seq);
      expect(short[0]?.voice).not.toBe('tool');
      const isOneStep = short.slice(1).every(({ voice }) => voice === 'tool');
      if (!isOneStep) expect(sum(short)).toBeLessThanOrEqual(target);
    }),
  );
});
