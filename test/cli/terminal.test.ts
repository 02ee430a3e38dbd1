import { expect, test } from 'vitest';
import { hasColours, paintIn, plain, table } from '../../src/cli/terminal.ts';

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ TERM: 'dumb' }, true, false],
])('with %j, at a terminal: %s, there are colours: %s', (environment, isTerminal, expected) => {
  expect(hasColours(environment, isTerminal)).toBe(expected);
});

test('colours wrap the text, and nothing does without them', () => {
  expect(paintIn(true).bad('no')).toBe('\u001b[31mno\u001b[39m');
  expect(plain.bad('no')).toBe('no');
});

test('columns stand below each other, also behind wide characters', () => {
  const rows = [
    ['GOAL', 'WHO'],
    ['目標', 'a'],
    ['👩‍👩‍👧 x', 'b'],
    ['é', 'c'],
  ];
  expect(table(rows)).toBe('GOAL  WHO\n目標  a\n👩‍👩‍👧 x  b\né     c');
});
