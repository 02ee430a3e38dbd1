import { expect, test } from 'vitest';
import { shownName } from '../../src/ui/view/shown-name.ts';

test('CON-98: a file’s name is one line in which nothing hides, breaks or turns', () => {
  expect(shownName('src/a.js')).toBe('src/a.js');
  expect(shownName('docs/目標 é.md')).toBe('docs/目標 é.md');
  expect(shownName('a\u202Egnp.js')).toBe('a<U+202E>gnp.js');
  expect(shownName('a\nb\u2028c\u001b[2J\u200b')).toBe('a<U+000A>b<U+2028>c<U+001B>[2J<U+200B>');
  expect(shownName('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
});
