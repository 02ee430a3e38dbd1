import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownValue } from '../../schema/own-value.ts';
import { verbOf } from '../../src/cli/watch/call-words.ts';

test('TERM-80 a word that every object knows is in no record of words', () => {
  const inherited = fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype));
  fc.assert(
    fc.property(inherited, (word) => {
      expect(ownValue({ known: 'words' }, word)).toBeUndefined();
      expect(verbOf(word)).toBe(word);
    }),
  );
  expect(ownValue({ known: 'words' }, 'known')).toBe('words');
});
