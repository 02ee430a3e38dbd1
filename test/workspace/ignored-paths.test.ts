import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ignoredBy } from '../../src/workspace/ignored-paths.ts';

// Without "!a/": what a nested file takes back of a folder stays ignored here (docs/STATUS.md).
const rule = fc.constantFrom(
  ...['a', '/a', 'a/', '*.js', '!b.js', '**/c', 'a/*', '!a/b.js', 'a/**/x', '/x', '*', '!x'],
);
const folder = fc.constantFrom('', 'a/', 'a/c/', 'b/');
const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
  .chain((folders) =>
    fc.constantFrom('x', 'b.js', 'y.txt').map((name) => [...folders, name].join('/')),
  );

test('what is ignored is what git ignores, with rules at every level', { timeout: 60_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-ignored-'));
  try {
    execFileSync('git', ['init', '-q'], { cwd: root });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(folder, fc.array(rule, { minLength: 1, maxLength: 3 })), {
          selector: ([at]) => at,
          maxLength: 3,
        }),
        fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
        (files, paths) => {
          const texts = files.map(([at, rules]) => [`${at}.gitignore`, rules.join('\n')] as const);
          for (const name of ['.gitignore', 'a', 'b']) {
            rmSync(join(root, name), { recursive: true, force: true });
          }
          for (const [name, text] of texts) {
            mkdirSync(dirname(join(root, name)), { recursive: true });
            writeFileSync(join(root, name), text);
          }
          const said = (() => {
            try {
              const args = [
                '-c',
                'core.excludesFile=/dev/null',
                'check-ignore',
                '--no-index',
                '--',
                ...paths,
              ];
              return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
            } catch (error) {
              if ((error as { status?: number }).status === 1) return [];
              throw error;
            }
          })();
          const isIgnored = ignoredBy(new Map(texts));
          expect(paths.filter(isIgnored).sort()).toEqual(said.sort());
        },
      ),
      { numRuns: 150 },
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
