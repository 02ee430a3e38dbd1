import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellLine } from '../../src/process/shell-line.ts';

const words = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')));

test('AGT-24 a shell reads a line as the words that it was made of', () => {
  fc.assert(
    fc.property(words, (given) => {
      const line = `for one in ${shellLine(given)}; do printf '%s\\0' "$one"; done`;
      const read = execFileSync('sh', ['-c', line], { encoding: 'utf8' });
      expect(read.split('\0').slice(0, -1)).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test('AGT-24 a line of plain words stays plain', () => {
  expect(shellLine(['npm', 'run', 'test:unit', "it's"])).toBe(`npm run test:unit 'it'\\''s'`);
});
