import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { excessText, fits } from '../../src/ui/view/text-length.ts';

const folder = fileURLToPath(new URL('../../src/ui/', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => ({ file, text: readFileSync(`${folder}${file}`, 'utf8') }));
const holding = (words: RegExp) =>
  files.filter(({ text }) => words.test(text)).map(({ file }) => file);

describe('CON-184: what is too long says by how much', () => {
  test.each([
    ['what fits', 'ab', ''],
    ['blanks around it, which are not sent', ' ab \n', ''],
    ['pairs of surrogates, as the service counts', '🧵🧵', ''],
    ['one too many', 'abc', 'Too long by 1 character: at most 2 are taken.'],
    ['many', 'a'.repeat(14), 'Too long by 12 characters: at most 2 are taken.'],
  ])('%s', (_, text, told) => {
    expect(excessText(text, 2)).toBe(told);
    expect(fits(text, 2)).toBe(told === '');
  });

  test('and no field cuts it', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(holding(/maxLength/)).toEqual([]);
  });
});

test('CON-183: a dialog with fields is left by a button that asks, not by one of its own', () => {
  const fields = /<(?:Text|Template|Trigger|Criterion)\w*|<textarea|<input/;
  const ofDialogs = files.filter(({ text }) => /<(?:Action)?Dialog\b/.test(text));
  const withFields = ofDialogs.filter(({ text }) => fields.test(text));
  expect(withFields.length).toBeGreaterThan(10);
  const unasked = withFields.filter(({ text }) => />\s*(?:Cancel|Back)\s*<\/Button>/.test(text));
  expect(unasked.map(({ file }) => file)).toEqual([]);
});
