import { expect, test } from 'vitest';
import { type Scope, scopeInputSchema } from '../../../schema/scope.ts';
import {
  filesGained,
  isCovered,
  meansEverything,
  plainGlobs,
  widenScope,
} from '../../../src/proof/scope/widen-scope.ts';
import { describeApproval } from '../../../src/record/approvals/approval-text.ts';

const scope: Scope = {
  change: ['src/**/*.js'],
  keep: ['./src/vendor/**'],
  setBy: 'caller',
  base: null,
  why: [{ glob: './src/vendor/**', reason: 'others made it' }],
};

test.each([
  ['**'],
  ['./**/'],
  ['*'],
  ['{docs,**}'],
  ['[!q]*'],
  ['[a-z]*/**'],
  ['**/*.*'],
  ['!(zzz)'],
  ['+(?|*)'],
])('SCP-3 %s means whatever is written anywhere', (glob) => {
  expect(meansEverything(plainGlobs([glob]))).toBe(true);
});

test('SCP-3 so do several globs together, and folders by their names don’t', () => {
  expect(meansEverything(['[a-mA-M]*', '[n-zN-Z]*'])).toBe(true);
  expect(meansEverything(['docs/**', 'test/**', '*.md'])).toBe(false);
});

test('SCP-4 characters that people can not see, or take for others, are no part of a glob', () => {
  const isGlob = (glob: string) => scopeInputSchema.safeParse({ change: [glob] }).success;
  for (const sign of [
    '\u200B',
    '\u202E',
    '\u3164',
    '\uFE0F',
    '\u2800',
    '\u00A0',
    '\u3000',
    '\u2060',
  ]) {
    expect(isGlob(`src/a${sign}b`)).toBe(false);
  }
  expect(isGlob('docs/über uns.md')).toBe(true);
});

test('SCP-1 the question shows letters of another alphabet, and names that would look like several', () => {
  const { question } = describeApproval('scope_change', {
    change: ['\u0455rc/**'],
    files: ['docs/a.md (harmless), b', 'x\u202Etxt.js'],
    count: 2,
    changed: 0,
  });
  expect(question).toContain('"docs/a.md (harmless), b", "x<U+202E>txt.js" (none changed so far)');
  expect(question).toContain('"\u0455rc/**" ("<U+0455>rc/**")');
});

test('SCP-6 a grant adds its globs once, by name, and takes an equal glob out of what is kept', () => {
  const widened = widenScope(scope, ['src/vendor/**', 'docs/**'], 'ann accepted');
  expect(widened).toMatchObject({
    change: ['src/**/*.js', 'src/vendor/**', 'docs/**'],
    keep: [],
    setBy: 'person',
    why: [
      { glob: 'src/vendor/**', reason: 'ann accepted' },
      { glob: 'docs/**', reason: 'ann accepted' },
    ],
  });
  expect(widenScope(widened, ['docs/**'], 'again').change).toEqual(widened.change);
});

test('SCP-2 is covered: the same glob however it is written, and a path that is in scope', () => {
  expect(isCovered(scope, 'src/a.js')).toBe(true);
  expect(isCovered(scope, 'src/**/*.js')).toBe(true);
  expect(isCovered(scope, 'src/a.test.js')).toBe(false);
  expect(isCovered(scope, 'src/vendor/a.js')).toBe(false);
  expect(plainGlobs(['./src/', 'src', 'src//'])).toEqual(['src']);
});

test('SCP-6 what a wider scope would leave to the judge all the same is told apart', () => {
  const files = ['src/a.test.js', 'src/a.css', 'src/vendor/x.css', 'Makefile'];
  expect(filesGained(scope, ['src/**'], files)).toMatchObject({
    gained: ['src/a.css'],
    left: ['src/a.test.js', 'src/vendor/x.css'],
    judges: 0,
  });
  expect(filesGained(scope, ['Makefile'], files)).toMatchObject({
    gained: ['Makefile'],
    judges: 1,
  });
});
