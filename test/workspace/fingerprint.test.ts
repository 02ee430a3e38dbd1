import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { watchedPaths } from '../../src/proof/watched-paths.ts';
import {
  diffFingerprints,
  fingerprintDigest,
  takeFingerprint,
} from '../../src/workspace/fingerprint.ts';
import { temporaryFolder } from '../tools/support.ts';

test('changes of the same length, new and removed files are seen; ignored ones are not', async () => {
  const root = await temporaryFolder();
  for (const folder of ['src', 'dist', '.git', 'node_modules/x']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, '.gitignore'), 'dist/\n*.log\n');
  await writeFile(join(root, 'src/.gitignore'), '!keep.log\n');
  await writeFile(join(root, 'src/a.ts'), 'one');
  await writeFile(join(root, 'gone.txt'), '');
  const before = await takeFingerprint(root);
  expect(fingerprintDigest(await takeFingerprint(root))).toBe(fingerprintDigest(before));
  await writeFile(join(root, 'src/a.ts'), 'two');
  await rm(join(root, 'gone.txt'));
  for (const path of ['new.txt', 'x.log', 'src/keep.log', 'dist/x', '.git/x', 'node_modules/x/y']) {
    await writeFile(join(root, path), '');
  }
  const after = await takeFingerprint(root);
  expect(diffFingerprints(before, after)).toEqual([
    'gone.txt',
    'new.txt',
    'src/a.ts',
    'src/keep.log',
  ]);
  expect(fingerprintDigest(after)).not.toBe(fingerprintDigest(before));
});

test('a file that is newly ignored counts as changed', async () => {
  const root = await temporaryFolder();
  await writeFile(join(root, 'a.test.ts'), '');
  const before = await takeFingerprint(root);
  await writeFile(join(root, '.gitignore'), '*.test.ts');
  expect(diffFingerprints(before, await takeFingerprint(root))).toEqual([
    '.gitignore',
    'a.test.ts',
  ]);
});

/** What a command changes, as run_command sees it, after the index knows every folder. */
async function changedBy(root: string, command: string, watched: readonly string[] = []) {
  await takeFingerprint(root, watched);
  const before = await takeFingerprint(root, watched);
  execFileSync('bash', ['-c', command], { cwd: root, stdio: 'pipe' });
  return diffFingerprints(before, await takeFingerprint(root, watched));
}

const git = 'git -c user.name=a -c user.email=a@b.c';

async function repository(): Promise<string> {
  const root = await temporaryFolder();
  await mkdir(join(root, 'src/deep'), { recursive: true });
  for (const path of ['src/a.ts', 'src/b.ts', 'src/deep/c.ts']) {
    await writeFile(join(root, path), `export const it = '${path}';\n`);
  }
  await writeFile(join(root, '.gitignore'), 'dist/\n');
  execFileSync('bash', ['-c', `git init -q && git add -A && ${git} commit -qm one`], { cwd: root });
  return root;
}

test.each([
  ['sed -i', "sed -i 's/it/that/' src/a.ts", ['src/a.ts']],
  ['a checkout', `echo x > src/b.ts && git checkout -q src/b.ts`, ['src/b.ts']],
  ['a generator', 'mkdir -p gen/x && touch gen/x/1 gen/x/2', ['gen/x/1', 'gen/x/2']],
  ['a mode', 'chmod +x src/a.ts', ['src/a.ts']],
  ['a rename', 'mv src/a.ts src/z.ts', ['src/a.ts', 'src/z.ts']],
  ['a renamed folder', 'mv src/deep src/low', ['src/deep/c.ts', 'src/low/c.ts']],
  ['a link that leads elsewhere', 'ln -s a.ts src/l && ln -sfn b.ts src/l', ['src/l']],
  [
    'the same size and the same times',
    'touch -r src/a.ts /tmp/ref.$$; sed -i s/it/ti/ src/a.ts; touch -r /tmp/ref.$$ src/a.ts; rm /tmp/ref.$$',
    ['src/a.ts'],
  ],
  [
    'a file that git was told to take for unchanged',
    'git update-index --assume-unchanged src/a.ts && git config core.trustctime false && echo x >> src/a.ts',
    ['src/a.ts'],
  ],
  ['a commit alone', `${git} commit -q --allow-empty -m two`, []],
  ['a new file in a folder that was known', 'touch src/deep/new.ts', ['src/deep/new.ts']],
  ['an ignored file', 'mkdir dist && touch dist/out.js', []],
])('a write by a command is seen: %s', async (_, command, writes) => {
  expect(await changedBy(await repository(), command)).toEqual(writes);
});

test('what a criterion names and what its command runs counts although git ignores it', async () => {
  const root = await repository();
  execFileSync(
    'bash',
    [
      '-c',
      'mkdir -p dist node_modules/.bin node_modules/x; touch dist/a node_modules/x/cli.js; ln -s ../x/cli.js node_modules/.bin/x',
    ],
    { cwd: root },
  );
  const watched = watchedPaths([
    { spec: { kind: 'file', path: './dist/a' } },
    { spec: { kind: 'command', command: 'x --out=build/report.txt' } },
  ]);
  expect(await changedBy(root, 'echo x > dist/a; echo x > dist/b', watched)).toEqual(['dist/a']);
  expect(await changedBy(root, 'echo x > node_modules/x/cli.js', watched)).toEqual([
    'node_modules/.bin/x',
  ]);
  expect(await changedBy(root, 'touch node_modules/.bin/planted', watched)).toEqual([
    'node_modules/.bin/planted',
  ]);
  expect(await changedBy(root, 'echo {} > node_modules/.package-lock.json', watched)).toEqual([
    'node_modules/.package-lock.json',
  ]);
});

test('rules that change in place are read again, also for folders that did not change', async () => {
  const root = await repository();
  expect(await changedBy(root, "printf 'dist/\n*.ts\n' > .gitignore")).toEqual([
    '.gitignore',
    'src/a.ts',
    'src/b.ts',
    'src/deep/c.ts',
  ]);
  expect(await changedBy(root, "printf '!b.ts\n' > src/.gitignore")).toEqual([
    'src/.gitignore',
    'src/b.ts',
  ]);
});

test('the index answers like a first look, whatever happened to the tree (property)', async () => {
  const root = await temporaryFolder();
  const path = fc.constantFrom(
    'a',
    'b',
    'd/a',
    'd/e/b',
    'd/e',
    'f/a.log',
    '.gitignore',
    'd/.gitignore',
  );
  const operation = fc.tuple(fc.constantFrom('write', 'remove', 'folder', 'move'), path, path);
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 8 }), async (operations) => {
      for (const [what, one, other] of operations) {
        execFileSync('bash', ['-c', COMMANDS[what] ?? 'true', 'bash', one, other], {
          cwd: root,
          stdio: 'pipe',
        });
        const copy = `${root}-${operations.length}`;
        const known = [...(await takeFingerprint(root)).keys()].sort();
        execFileSync('cp', ['-rT', root, copy]);
        const first = [...(await takeFingerprint(copy)).keys()].sort();
        execFileSync('rm', ['-rf', copy]);
        expect(known).toEqual(first);
      }
    }),
    { numRuns: 12 },
  );
});

const COMMANDS: Readonly<Record<string, string>> = {
  write: 'mkdir -p "$(dirname "$1")" 2>/dev/null; printf "*.log\nb\n" > "$1" 2>/dev/null || true',
  remove: 'rm -rf "./$1"',
  folder: 'mkdir -p "$1" 2>/dev/null || true',
  move: 'mv "$1" "$2" 2>/dev/null || true',
};

test('10,000 unchanged files take little processor time', async () => {
  const root = await temporaryFolder();
  for (let folder = 0; folder < 100; folder += 1) {
    mkdirSync(join(root, `f${folder}`));
    for (let file = 0; file < 100; file += 1)
      writeFileSync(join(root, `f${folder}/${file}.ts`), 'x');
  }
  await takeFingerprint(root);
  const before = process.cpuUsage();
  expect((await takeFingerprint(root)).size).toBe(10_000);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(5000);
});
