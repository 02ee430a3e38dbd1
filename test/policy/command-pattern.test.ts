import { describe, expect, test } from 'vitest';
import { matchesCommand } from '../../src/policy/command-pattern.ts';
import type { Segment } from '../../src/shell/read/segments.ts';

const command = (line: string, change: Partial<Pick<Segment, 'words' | 'isAsWritten'>> = {}) => {
  const words = line.split(' ').map((text) => ({ text, isFixed: true }));
  const segment = { words, isAsWritten: true, ...change };
  return { ...segment, typed: segment.words };
};

describe('a pattern that holds back', () => {
  test.each<[string, string, boolean]>([
    ['git push', 'git push', true],
    ['git push', '/usr/bin/git -C sub push origin', true],
    ['/usr/bin/git push', '/usr/bin/git push', true],
    ['git push', 'git pull', false],
    ['git push origin', 'git origin push', false],
    ['git push --force', 'git push origin', false],
    ['git push --force', 'git push origin --force', true],
    ['git --force push', 'git push --force', true],
    ['git push --force', 'git push --force=yes', true],
    ['git push --force', 'git push --forced', false],
    ['git push --force', 'git push -force', false],
    ['git *', 'git log', true],
    ['git *', 'git --version', false],
    ['cp a a', 'cp a', false],
    ['cp a a', 'cp a b a', true],
    ['rm -rf', 'rm -fr x', true],
    ['rm -rf', 'rm -r -f x', true],
    ['rm -rf', 'rm -r x', false],
    ['rm -rf', 'rm -r foo', false],
    ['rm -rf', 'rm -r my-f', false],
    ['rm -rf', 'rm -r -f1', false],
    ['rm -rf', 'rm x', false],
    ['gcc -O2', 'gcc -O2 a.c', true],
    ['gcc -O2', 'gcc -O a.c', false],
  ])('"%s" and "%s": %s', (pattern, line, expected) => {
    expect(matchesCommand(pattern, command(line), true)).toBe(expected);
  });
});

describe('a pattern that allows', () => {
  test.each<[string, string, boolean]>([
    ['git push', 'git push', true],
    ['git push', 'git push origin', false],
    ['git push', 'git pull', false],
    ['git push *', 'git push', false],
    ['git push *', 'git push origin', true],
    ['git push *', 'git push -f origin main', true],
    ['git * origin', 'git push origin', true],
    ['git * origin', 'git push origin main', false],
  ])('"%s" and "%s": %s', (pattern, line, expected) => {
    expect(matchesCommand(pattern, command(line), false)).toBe(expected);
  });

  test('takes no word that only the shell knows, and no command that something adds to', () => {
    const words = [
      { text: 'ls', isFixed: true },
      { text: '$X', isFixed: false },
    ];
    expect(matchesCommand('ls *', command('', { words }), false)).toBe(false);
    expect(matchesCommand('ls', command('ls', { isAsWritten: false }), false)).toBe(false);
    expect(matchesCommand('ls', command('ls', { isAsWritten: false }), true)).toBe(true);
  });
});

test('no pattern matches a line without a command', () => {
  const words: never[] = [];
  for (const isLenient of [true, false])
    expect(matchesCommand('*', command('', { words }), isLenient)).toBe(false);
});
