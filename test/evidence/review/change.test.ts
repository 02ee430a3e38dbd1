import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateRun } from '../../../src/evidence/criterion-check.ts';
import { readChange } from '../../../src/evidence/review/change.ts';
import { keepOriginal } from '../../../src/proof-place/original.ts';
import { type Git, startRepository } from '../../support/git.ts';

let root: string;
let home: string;
let workspace: string;

let git: Git;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'goalkeeper-review-'));
  [home, workspace] = [join(root, 'home'), join(root, 'shop')];
  put('.gitattributes', '* -diff\n*.md binary\n');
  put('.gitignore', 'build/\n');
  put('sum.js', 'exports.sum = (a, b) => a - b;\n');
  put('notes.md', 'one\n');
  git = startRepository(workspace);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: string | Buffer): void {
  mkdirSync(join(workspace, path, '..'), { recursive: true });
  writeFileSync(join(workspace, path), content);
}

/** What a reviewer reads after this work. */
async function shownAfter(work: () => void, writes: readonly string[] = []): Promise<string> {
  const original = await keepOriginal(home, 'g-1', workspace);
  work();
  return await readChange({
    ports: { home },
    input: { goalId: 'g-1' },
    brief: { workspace: { path: workspace }, baseline: { proof: { original } } },
    receipts: [{ receipt: { writes } }],
  } as unknown as GateRun);
}

describe('the change that a reviewer reads', () => {
  test('does not ask the attributes of the repository', async () => {
    const shown = await shownAfter(() => {
      put('sum.js', 'exports.sum = (a, b) => a + b;\n');
      put('notes.md', 'two\n');
    });
    expect(shown).toBe(
      '=== notes.md (changed)\n@@ -1,1 +1,1 @@\n-one\n+two\n' +
        '=== sum.js (changed)\n@@ -1,1 +1,1 @@\n' +
        '-exports.sum = (a, b) => a - b;\n+exports.sum = (a, b) => a + b;',
    );
  });

  test('has commits of the goal, new files, links and modes', async () => {
    const shown = await shownAfter(() => {
      put('new.js', 'new\n');
      git('add', '-A');
      git('commit', '-qm', 'x');
      symlinkSync('/etc/passwd', join(workspace, 'link'));
      execFileSync('chmod', ['755', join(workspace, 'sum.js')]);
    });
    expect(shown).toContain('=== new.js (added)\n@@ -1,0 +1,1 @@\n+new\n');
    expect(shown).toContain('=== link (added link)\n@@ -1,0 +1,1 @@\n+/etc/passwd\n');
    expect(shown).toContain('=== sum.js (changed, mode 644 → 755)');
  });

  test('shows what a reader would not see: bytes, directions, line ends, names', async () => {
    const shown = await shownAfter(() => {
      put('sum.js', Buffer.from('exports.sum = (a, b) => a + b;\u0000\r\n'));
      put('evil\u202ename\n.js', 'if (isAdmin\u202e) {}\n');
    });
    expect(shown).toContain('+exports.sum = (a, b) => a + b;<U+0000><U+000D>');
    expect(shown).toContain('+if (isAdmin<U+202E>) {}');
    expect(shown).not.toMatch(/\u202e/);
    expect(shown.split('\n').filter((line) => line.startsWith('=== '))).toHaveLength(2);
  });

  test('names what git ignores as delivered nowhere, and what is too large', async () => {
    const shown = await shownAfter(() => {
      put('build/out.js', 'built by hand\n');
      put('large.bin', Buffer.alloc(11 * 1024 * 1024, 'x'));
    }, ['build/out.js', 'gone.txt']);
    expect(shown).toContain('=== large.bin (too large to be shown, or unread)');
    expect(shown).toContain(
      'Ignored by git, not delivered:\n=== build/out.js\n@@ -1,0 +1,1 @@\n+built by hand',
    );
  });

  test('is no longer than a reviewer reads, each cut with a mark', async () => {
    const shown = await shownAfter(() => {
      put('a.js', 'x\n'.repeat(60_000));
      put('b.js', `${'y'.repeat(200)}\n`.repeat(1000));
      put('c.js', 'short\n');
    });
    expect(shown.length).toBeLessThan(81_000);
    expect(shown).toContain('more lines');
    expect(shown).toMatch(/\(cut: \d+ more characters of this file\)/);
    expect(shown).toContain('+short');
  });
});
