import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { takeFingerprint } from '../../src/workspace/fingerprint.ts';
import { ignoredBy } from '../../src/workspace/ignored-paths.ts';

const rule = fc.constantFrom(
  ...[
    'a',
    '/a',
    'a/',
    '*.js',
    '!b.js',
    '**/c',
    'a/*',
    '!a/b.js',
    'a/**/x',
    '/x',
    '*',
    '!x',
    '!a/',
    '!c',
    'c/',
    '!/b/',
  ],
);
const folder = fc.constantFrom('', 'a/', 'a/c/', 'b/', 'b/a/');
const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
  .chain((folders) =>
    fc.constantFrom('x', 'b.js', 'y.txt').map((name) => [...folders, name].join('/')),
  );

const git = (root: string, args: readonly string[]): string[] => {
  try {
    const all = ['-c', 'core.excludesFile=/dev/null', ...args];
    return execFileSync('git', all, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  } catch (error) {
    // `check-ignore` ignores none of them.
    if ((error as { status?: number }).status === 1) return [''];
    throw error;
  }
};
const sorted = (paths: Iterable<string>): string[] => [...paths].filter(Boolean).sort();

/** What is ignored is what git ignores, with rules at every level. */
export async function compareWithGit(numRuns: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-ignored-'));
  try {
    execFileSync('git', ['init', '-q'], { cwd: root });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(folder, fc.array(rule, { minLength: 1, maxLength: 3 })), {
          selector: ([at]) => at,
          maxLength: 3,
        }),
        fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
        async (files, paths) => {
          const texts = files.map(([at, rules]) => [`${at}.gitignore`, rules.join('\n')] as const);
          for (const name of readdirSync(root)) {
            if (name !== '.git') rmSync(join(root, name), { recursive: true });
          }
          for (const [name, text] of [...texts, ...paths.map((one) => [one, ''] as const)]) {
            mkdirSync(dirname(join(root, name)), { recursive: true });
            writeFileSync(join(root, name), text);
          }
          const isIgnored = ignoredBy(new Map(texts));
          const ignored = git(root, ['check-ignore', '--no-index', '--', ...paths]);
          expect(sorted(paths.filter(isIgnored))).toEqual(sorted(ignored));
          const listed = git(root, ['ls-files', '--others', '--exclude-per-directory=.gitignore']);
          expect(sorted((await takeFingerprint(root)).keys())).toEqual(sorted(listed));
        },
      ),
      { numRuns },
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
