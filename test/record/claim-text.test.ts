import { expect, test } from 'vitest';
import { claimText } from '../../src/record/claim-text.ts';

test('a claim shows what the model names as evidence, with its command and files', () => {
  expect(
    claimText('It is done.', [
      { kind: 'verification', summary: 'the tests pass', command: 'npm test' },
      { kind: 'files', summary: 'both parsers', paths: ['a.ts', 'b.ts'] },
      { kind: 'manual', summary: 'the page looks right' },
    ]),
  ).toBe(
    'It is done.\n\nThe model names as evidence:\n- verification: the tests pass (`npm test`)\n' +
      '- files: both parsers (a.ts, b.ts)\n- manual: the page looks right',
  );
});

test('a claim without evidence is its result, and no evidence cuts a long one', () => {
  expect(claimText('It is done.', [])).toBe('It is done.');
  const long = 'x'.repeat(8000);
  expect(claimText(long, [{ kind: 'manual', summary: 'seen' }])).toBe(long);
});
