import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TreeEntry } from '../../src/checkpoints/stored-tree.ts';
import { keepOriginal, withComparison } from '../../src/proof-place/original.ts';
import { layOut } from '../../src/proof-place/place.ts';
import { withChanges } from '../../src/proof-place/tree-changes.ts';
import { gitIn } from '../support/git.ts';

let root: string;
let home: string;
let workspace: string;
let place: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'goalkeeper-proving-'));
  [home, workspace, place] = ['home', 'shop', 'place'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  put('src/sum.js', 'exports.sum = (a, b) => a - b;\n');
  put('test/sum.test.js', 'assert(sum(1, 2) === 3)\n');
  put('run.sh', '#!/bin/sh\n');
  chmodSync(join(workspace, 'run.sh'), 0o755);
  symlinkSync('src/sum.js', join(workspace, 'main.js'));
  put('.gitignore', 'dist/\n');
  put('dist/sum.js', 'built\n');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string, folder = workspace): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Every path of a folder with its content, link or mode. */
function contentsOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const absolute = join(entry.parentPath, entry.name);
    const path = absolute.slice(folder.length + 1);
    if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(absolute)}`;
    else if (entry.isFile()) {
      found[path] = `${(statSync(absolute).mode & 0o777).toString(8)} ${readFileSync(absolute)}`;
    }
  }
  return found;
}

const AS_IT_WAS = {
  '.gitignore': '644 dist/\n',
  'main.js': '-> src/sum.js',
  'run.sh': '755 #!/bin/sh\n',
  'src/sum.js': '644 exports.sum = (a, b) => a - b;\n',
  'test/sum.test.js': '644 assert(sum(1, 2) === 3)\n',
};

/** The original with the changes of these paths and no others. */
async function prove(takes: (path: string) => boolean): Promise<void> {
  const original = await keepOriginalOnce();
  await withComparison({ home, goalId: 'g-1', workspace }, original, async (trees) => {
    const taken = trees.changes.filter(({ path }) => takes(path));
    await layOut(place, trees.place, withChanges(trees.original, taken));
  });
}

let kept: Awaited<ReturnType<typeof keepOriginal>> | null = null;
async function keepOriginalOnce() {
  kept ??= await keepOriginal(home, 'g-1', workspace);
  return kept;
}
beforeEach(() => {
  kept = null;
});

test('the place holds the original: neither what git ignores nor what came since', async () => {
  await keepOriginalOnce();
  put('test/sum.test.js', 'assert(true)\n');
  put('test/helper.js', 'x\n');
  rmSync(join(workspace, 'run.sh'));
  await prove(() => false);
  expect(contentsOf(place)).toEqual(AS_IT_WAS);
});

test('changed, new, deleted and re-moded files come along where they are taken', async () => {
  await keepOriginalOnce();
  put('src/sum.js', 'exports.sum = (a, b) => a + b;\n');
  put('src/more/new.js', 'new\n');
  rmSync(join(workspace, 'main.js'));
  chmodSync(join(workspace, 'run.sh'), 0o700);
  put('test/sum.test.js', 'assert(true)\n');
  await prove((path) => !path.startsWith('test/'));
  const { 'main.js': _, ...rest } = AS_IT_WAS;
  expect(contentsOf(place)).toEqual({
    ...rest,
    'run.sh': '700 #!/bin/sh\n',
    'src/sum.js': '644 exports.sum = (a, b) => a + b;\n',
    'src/more/new.js': '644 new\n',
  });
});

test("the original's own rules say what git ignores, whatever the goal writes into them", async () => {
  await keepOriginalOnce();
  put('.gitignore', 'src/\n');
  put('src/sum.js', 'changed\n');
  put('dist/deep/new.js', 'built\n');
  await prove(() => true);
  expect(contentsOf(place)).toEqual({
    ...AS_IT_WAS,
    '.gitignore': '644 src/\n',
    'src/sum.js': '644 changed\n',
  });
});

test('a file that git tracks belongs to the original although a rule would ignore it', async () => {
  const git = gitIn(workspace);
  git('init', '-q');
  git('add', '-f', 'dist/sum.js');
  git('commit', '-q', '-m', 'built');
  await keepOriginalOnce();
  put('dist/sum.js', 'changed\n');
  await prove((path) => path.startsWith('src/'));
  expect(contentsOf(place)).toEqual({ ...AS_IT_WAS, 'dist/sum.js': '644 built\n' });
});

describe('what a run leaves in the place does not reach the next one', () => {
  const damages: [string, () => void][] = [
    ['a new file', () => put('src/conftest.py', 'cheat\n', place)],
    ['a build result', () => put('dist/sum.js', 'cheat\n', place)],
    ['a changed file', () => put('src/sum.js', 'cheat\n', place)],
    [
      'a changed file of the same size and the old times',
      () => {
        const path = join(place, 'src/sum.js');
        const { atime, mtime } = statSync(path);
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace('-', '+'));
        utimesSync(path, atime, mtime);
      },
    ],
    [
      'a file that is another one of the same name',
      () => {
        put('other', 'exports.sum = (a, b) => a + b;\n', place);
        renameSync(join(place, 'other'), join(place, 'src/sum.js'));
      },
    ],
    ['a deleted file', () => rmSync(join(place, 'src/sum.js'))],
    ['a changed mode', () => chmodSync(join(place, 'run.sh'), 0o644)],
    [
      'a link in place of a file',
      () => {
        rmSync(join(place, 'src/sum.js'));
        symlinkSync('/etc/passwd', join(place, 'src/sum.js'));
      },
    ],
    [
      'a link in place of a folder',
      () => {
        rmSync(join(place, 'src'), { recursive: true });
        mkdirSync(join(root, 'elsewhere'));
        put('sum.js', 'cheat\n', join(root, 'elsewhere'));
        symlinkSync(join(root, 'elsewhere'), join(place, 'src'));
      },
    ],
    [
      'a folder in place of a file',
      () => {
        rmSync(join(place, 'src/sum.js'));
        put('src/sum.js/index.js', 'cheat\n', place);
      },
    ],
    [
      'a file in place of a folder',
      () => {
        rmSync(join(place, 'src'), { recursive: true });
        put('src', 'cheat\n', place);
      },
    ],
    ['a second name of a file', () => linkSync(join(place, 'run.sh'), join(place, 'src/run.sh'))],
    [
      'a closed folder',
      () => {
        put('locked/deep/file', 'x\n', place);
        chmodSync(join(place, 'locked/deep'), 0);
        chmodSync(join(place, 'locked'), 0);
      },
    ],
    ['a closed folder of its own', () => chmodSync(join(place, 'src'), 0)],
    [
      'a name that is no text',
      () => {
        writeFileSync(Buffer.concat([Buffer.from(`${place}/test_`), Buffer.from([0xff])]), 'cheat');
      },
    ],
    ['nothing but a list of its own', () => writeFileSync(`${place}.json`, '[["src/sum.js",{}]]')],
    ['half of it, as after a kill', () => rmSync(`${place}.json`)],
  ];

  test.each(damages)('%s', async (_, damage) => {
    await prove(() => false);
    damage();
    await prove(() => false);
    expect(contentsOf(place)).toEqual(AS_IT_WAS);
    expect(lstatSync(join(place, 'src')).isDirectory()).toBe(true);
    expect(readdirSync(place, { encoding: 'buffer' }).map(String).sort()).toEqual([
      '.gitignore',
      'main.js',
      'run.sh',
      'src',
      'test',
    ]);
  });

  test('and files that nobody touched are not written again', async () => {
    await prove(() => false);
    const before = statSync(join(place, 'src/sum.js')).ino;
    await prove(() => false);
    expect(statSync(join(place, 'src/sum.js')).ino).toBe(before);
  });
});

test('the original is told from the workspace by content, whoever set the clock back', async () => {
  await keepOriginalOnce();
  const path = join(workspace, 'test/sum.test.js');
  const { atime, mtime } = statSync(path);
  writeFileSync(path, 'assert(sum(1, 2) === 4)\n');
  utimesSync(path, atime, mtime);
  await prove((one) => one === 'test/sum.test.js');
  expect(contentsOf(place)['test/sum.test.js']).toContain('=== 4');
});

test('an entry of the tree without content in the store is an error, no empty file', async () => {
  const original = await keepOriginalOnce();
  await withComparison({ home, goalId: 'g-1', workspace }, original, async (trees) => {
    const lost: TreeEntry = { kind: 'file', mode: 0o644, object: '0'.repeat(40) };
    await expect(layOut(place, trees.place, new Map([['a', lost]]))).rejects.toThrow('missing');
  });
});
