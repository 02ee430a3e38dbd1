import { expect, test } from 'vitest';
import { pythonName, shadowingOf, tailsOf } from '../../src/proof/shadow-names.ts';

test('a file may show under each of its ends', () => {
  expect(tailsOf('src/sys/types.h')).toEqual(['src/sys/types.h', 'sys/types.h', 'types.h']);
});

test.each([
  ['src/stdlib.h', 'c'],
  ['include/vector', 'c'],
  ['lib/strict.pm', 'perl'],
  ['lib/json.rb', 'ruby'],
  ['json.py', 'python'],
  ['src/json.ts', null],
])('%s may stand before a file of %s', (path, language) => {
  expect(shadowingOf(path)).toBe(language);
});

test('Python imports a file of a package by the name of the package', () => {
  const isThere = (path: string) => path === 'app/__init__.py';
  expect(pythonName('app/json.py', isThere)).toBeNull();
  expect(pythonName('src/json.py', isThere)).toBe('json');
  expect(pythonName('src/json/__init__.py', isThere)).toBe('json');
});
