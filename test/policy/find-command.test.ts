import { describe, expect, test } from 'vitest';
import { deletesFound, isNarrow, startsOf } from '../../src/policy/find-command.ts';

const words = (line: string): string[] => line.split(' ');

describe('a search deletes what it comes upon', () => {
  test.each<[string, boolean]>([
    ['. -delete', true],
    ['. -exec rm {} +', true],
    ['. -okdir /bin/unlink {} ;', true],
    ['. -exec wc {} +', false],
    ['. -executable rm', false],
    ['non-exec rm', false],
    ['. -exec', false],
  ])('find %s: %s', (line, expected) => {
    expect(deletesFound(words(line))).toBe(expected);
  });
});

describe('a search is narrow where it names what it looks for, and nothing beside', () => {
  test.each<[string, boolean]>([
    ['. -name *.pyc', true],
    ['. -ipath */cache/*', true],
    ['. -name wow!', true],
    ['. -name x -ok rm', true],
    ['. -name *', false],
    ['. -name *.*', false],
    ['. -name x -o -type f', false],
    ['. ! -name x', false],
    ['. -regextype posix-extended', false],
    ['my-path src', false],
    ['. -type f', false],
  ])('find %s: %s', (line, expected) => {
    expect(isNarrow(words(line))).toBe(expected);
  });
});

test.each<[string, string[]]>([
  ['src lib -name x', ['src', 'lib']],
  ['-L src -name x', ['src']],
  ['my-H a-b -name x', ['my-H', 'a-b']],
  ['src', ['src']],
  ['( -name x )', []],
  ['-delete', []],
  ['-Hx src', []],
])('find %s begins in %j', (line, expected) => {
  expect(startsOf(words(line))).toEqual(expected);
});
