import { describe, expect, test } from 'vitest';
import { isInScope } from '../../../src/proof/scope/scope.ts';
import { scopeBeside, scopeSentence } from '../../../src/proof/scope/scope-sentence.ts';
import { infer, json } from './projects.ts';

const scope = (change: string[], keep: string[] = []) => ({ change, keep });

describe('a file is in scope', () => {
  test.each<[string, string[], string, boolean]>([
    ['where a glob covers it', ['src/**'], 'src/a/b.ts', true],
    ['where a folder covers it', ['src'], 'src/a/b.ts', true],
    ['not where none does', ['src/**'], 'lib/a.ts', false],
    ['not as a test that a glob of sources covers', ['src/**'], 'src/a.test.ts', false],
    ['not as a test that everything covers', ['**'], 'test/a.ts', false],
    ['as a test that a glob speaks of', ['src/**', 'test/**'], 'test/a.ts', true],
    ['not as another test than that', ['src/**', 'test/**'], 'src/a.test.ts', false],
    ['as a test by its own path', ['src/**', 'src/a.test.ts'], 'src/a.test.ts', true],
    ['as a test by its own path, written otherwise', ['./src/a.test.ts'], 'src/a.test.ts', true],
    ['as a test whose name has signs in it', ['app/[id].test.tsx'], 'app/[id].test.tsx', true],
    ['as a test whose signs are escaped', ['app/\\[id\\].test.tsx'], 'app/[id].test.tsx', true],
    ['not as a test beside it', ['app/[id].test.tsx'], 'app/x.test.ts', false],
    [
      'as a snapshot that a glob speaks of',
      ['**/__snapshots__/**'],
      'src/__snapshots__/a.snap',
      true,
    ],
    ['as configuration that a glob speaks of', ['*.config.js'], 'vite.config.js', true],
    ['not by the other half of its braces', ['{src,test}/**'], 'src/a.test.ts', false],
    ['by its half of the braces', ['{src,test}/**'], 'test/a.ts', true],
    ['not as a test that a pattern may mean', ['@(src|test)/**'], 'test/a.ts', false],
    ['as data that a caller covers', ['src/**'], 'src/countries.json', true],
    ['not as an expectation among it', ['src/**'], 'src/expectations.json', false],
    ['as an expectation by name', ['src/expectations.json'], 'src/expectations.json', true],
    ['not as a manifest', ['**'], 'package.json', false],
    ['as a schema whose folder is named', ['schemas/**'], 'schemas/user.yaml', true],
    ['not as a test in a folder of schemas', ['schemas/**'], 'schemas/user.test.ts', false],
    ['as code in a folder of schemas', ['schema/**/*.ts'], 'schema/user.ts', true],
    ['not as a test among code by its extension', ['schema/**/*.ts'], 'schema/a.test.ts', false],
    [
      'not as a test in a folder that ends like one',
      ['src/rules/**'],
      'src/rules/a.test.ts',
      false,
    ],
    ['as a manifest by name', ['package.json'], 'package.json', true],
    ['not as a part of git', ['**', '.git/**'], '.git/config', false],
    ['not beyond the workspace', ['**'], '../a.ts', false],
    ['not by an absolute path', ['**'], '/etc/a.ts', false],
    ['not by a path that is none', ['**'], '', false],
    ['not by a way round', ['src/**'], 'src/../lib/a.ts', false],
    ['not by a glob that cannot be read', ['src/{a'], 'src/{a', false],
  ])('%s', (_, change, path, isIn) => {
    expect(isInScope(scope(change), path)).toBe(isIn);
  });

  test('unless it is kept, and a glob that cannot be read keeps all', () => {
    expect(isInScope(scope(['src/**'], ['src/core']), 'src/core/a.ts')).toBe(false);
    expect(isInScope(scope(['src/**'], ['src/core']), 'src/corex/a.ts')).toBe(true);
    expect(isInScope(scope(['src/**'], ['{']), 'src/a.ts')).toBe(false);
    expect(isInScope(scope(['src/**'], ['src/{a}']), 'src/{a}')).toBe(false);
  });
});

test('data at the top is in scope where a glob speaks of the top', () => {
  const everywhere = scope(['**']);
  const top = scope(['*', '**']);
  expect(['notes.txt', 'package.json'].map((path) => isInScope(everywhere, path))).toEqual([
    false,
    false,
  ]);
  expect(['notes.txt', 'package.json'].map((path) => isInScope(top, path))).toEqual([true, false]);
});

describe('a person reads', () => {
  test('what the goal may change, and why', () => {
    const files = {
      'package.json': json({ main: 'src/index.ts' }),
      'src/index.ts': '',
      'src/all.ts': '',
    };
    expect(scopeSentence(infer(files, ['tsx src/all.ts']))).toBe(
      "The goal may change src/**/*.{ts,tsx} (package.json names src/index.ts as main), except src/all.ts (the criterion's command `tsx src/all.ts` names it). Tests, expected outputs, schemas, configuration and builds stay the judge’s.",
    );
  });

  test('that a scope of tests judges itself', () => {
    expect(scopeSentence({ ...scope(['src/**', 'test/**']), why: [] })).toBe(
      'The goal may change src/** and test/**. With test/** it may change what judges it.',
    );
  });

  test('that nothing could be inferred', () => {
    expect(scopeSentence(infer({ 'a.txt': '' }))).toBe(
      "The goal's work could not be told from its judge: no manifest and no convention says what the product is. Name its files as scope.change.",
    );
  });

  test('TERM-84 that nothing could be inferred is said once, by the notice that says what follows', () => {
    const nothing = { ...scope([]), why: [] };
    const notice = { code: 'nothing_inferred', level: 'supported', text: 'So.' } as const;
    expect(scopeBeside(nothing, [notice])).toBeNull();
    expect(scopeBeside(nothing, [])).toBe(scopeSentence(nothing));
    expect(scopeBeside(nothing)).toBe(scopeSentence(nothing));
  });

  test('a few globs of many', () => {
    const many = Array.from({ length: 9 }, (_, index) => `p${index}/**`);
    expect(scopeSentence({ ...scope(many), why: [] })).toContain('p5/** and 3 more.');
  });
});
