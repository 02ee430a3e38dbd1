import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, chown, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feedImport } from '../../src/checkpoints/import-commit.ts';
import { withSnapshotBeside } from '../../src/checkpoints/peek.ts';
import { restoreTree } from '../../src/checkpoints/restore.ts';
import { takeSnapshot } from '../../src/checkpoints/snapshot.ts';
import type { StorePlace } from '../../src/checkpoints/store-git.ts';
import { readObjects, readStoredTree, readTree } from '../../src/checkpoints/tree.ts';
import { placeEntry } from '../../src/workspace/helper/place-entry.ts';
import { temporaryFolder } from '../tools/support.ts';

const effects = { placeEntry };

/** Every file below, as bytes, modes and targets of links. */
function pictureOf(folder: string, path = ''): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) return pictureOf(folder, inside);
    const absolute = join(folder, inside);
    const { mode } = lstatSync(absolute);
    const content = entry.isSymbolicLink()
      ? `-> ${readlinkSync(absolute)}`
      : `${(mode & 0o777).toString(8)} ${readFileSync(absolute).toString('base64')}`;
    return [`${inside} ${content}`];
  });
}

async function ground(): Promise<{ place: StorePlace; workspace: string }> {
  const root = await temporaryFolder();
  const workspace = join(root, 'tree');
  mkdirSync(workspace);
  return { place: { folder: join(root, 'home', 'checkpoints', 'g1') }, workspace };
}

async function rewind({ place, workspace }: Awaited<ReturnType<typeof ground>>, target: string) {
  const present = await takeSnapshot(place, workspace);
  return await restoreTree({ place, workspace, target, present, effects });
}

type Edit =
  | { kind: 'file'; path: string; content: Uint8Array; mode: number }
  | { kind: 'link'; path: string; target: string }
  | { kind: 'gone'; path: string };

const name = fc.constantFrom('a', 'b', 'c d', 'é', '"q"', 'x\ny', 'tab\tx', '\\', '.hidden', 'D');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom('a\r\nb\r\n', 'a\nb', '', '\ufeffx\n').map((text) => Buffer.from(text)),
);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constant('file' as const),
    path,
    content,
    mode: fc.constantFrom(0o644, 0o755, 0o600, 0o664, 0o444, 0o700),
  }),
  fc.record({
    kind: fc.constant('link' as const),
    path,
    target: fc.constantFrom('a', '/nowhere', 'b'),
  }),
  fc.record({ kind: fc.constant('gone' as const), path }),
);

/** As anybody might: what stands in the way goes. */
async function apply(workspace: string, { path: inside, ...what }: Edit): Promise<void> {
  const absolute = join(workspace, inside);
  // From the top, so that no link on the way is followed.
  for (const { index } of inside.matchAll(/\//g)) {
    const folder = join(workspace, inside.slice(0, index));
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) await rm(folder);
  }
  await rm(absolute, { recursive: true, force: true });
  if (what.kind === 'gone') return;
  await mkdir(dirname(absolute), { recursive: true });
  if (what.kind === 'link') return await symlink(what.target, absolute);
  await writeFile(absolute, what.content);
  await chmod(absolute, what.mode);
}

test('whatever was edited after a checkpoint, a rewind gives every file its bytes, mode and link back', async () => {
  const runs = Number(process.env.GOALKEEPER_REWINDS ?? 8);
  const edits = fc.array(edit, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 2, maxLength: 4 }), async (rounds) => {
      const own = await ground();
      const seen: { commit: string; picture: string[] }[] = [];
      for (const round of rounds) {
        for (const one of round) await apply(own.workspace, one);
        const { commit } = await takeSnapshot(own.place, own.workspace);
        // What a process remembers of a tree is what the store has.
        const remembered = await readTree(own.place, commit);
        const stored = await readStoredTree(own.place, commit);
        expect(remembered).toEqual(stored);
        expect([...remembered.entries.keys()].sort()).toEqual([...stored.entries.keys()].sort());
        seen.push({ commit, picture: pictureOf(own.workspace) });
      }
      for (const { commit, picture } of [...seen].reverse()) {
        const { left } = await rewind(own, commit);
        expect(left).toEqual([]);
        expect(pictureOf(own.workspace)).toEqual(picture);
      }
    }),
    { numRuns: runs },
  );
});

test('neither settings of git nor its filters, variables and nested repositories reach a checkpoint', async () => {
  const own = await ground();
  const { workspace, place } = own;
  const marker = join(dirname(workspace), 'ran');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: workspace });
  git('init', '-q');
  await writeFile(join(workspace, '.gitattributes'), '* text=auto eol=crlf\n*.txt filter=evil\n');
  git('config', 'filter.evil.clean', `touch ${marker}`);
  git('config', 'filter.evil.smudge', `touch ${marker}`);
  git('config', 'core.autocrlf', 'true');
  await writeFile(join(workspace, 'a.txt'), 'one\ntwo\n');
  await mkdir(join(workspace, 'inner'));
  execFileSync('git', ['init', '-q'], { cwd: join(workspace, 'inner') });
  await writeFile(join(workspace, 'inner/b.md'), 'inside\n');
  process.env.GIT_DIR = '/nowhere';
  process.env.GIT_INDEX_FILE = '/nowhere/index';
  try {
    const { commit } = await takeSnapshot(place, workspace);
    const before = pictureOf(workspace);
    await writeFile(join(workspace, 'a.txt'), 'changed\r\n');
    await rm(join(workspace, 'inner/b.md'));
    await rewind(own, commit);
    expect(pictureOf(workspace)).toEqual(before);
    expect(lstatSync(marker, { throwIfNoEntry: false })).toBeUndefined();
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  }
});

test('files that were ignored or too large then are left alone, and what is too large by now is named', async () => {
  const own = await ground();
  const { workspace, place } = own;
  const large = Buffer.alloc(11 * 1024 * 1024);
  await writeFile(join(workspace, '.gitignore'), '.env\n');
  await writeFile(join(workspace, '.env'), 'KEY=1\n');
  await writeFile(join(workspace, 'large.bin'), large);
  await writeFile(join(workspace, 'grows.bin'), 'small');
  const { commit, leftOut } = await takeSnapshot(place, workspace);
  expect(leftOut).toEqual(['large.bin']);
  await rm(join(workspace, '.gitignore'));
  await writeFile(join(workspace, 'large.bin'), 'small by now');
  await writeFile(join(workspace, 'grows.bin'), large);
  const { left, changed } = await rewind(own, commit);
  expect(changed).toEqual(['.gitignore']);
  expect(left).toEqual([{ path: 'grows.bin', why: expect.stringContaining('too large') }]);
  expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(readFileSync(join(workspace, 'large.bin'), 'utf8')).toBe('small by now');
});

test('a link that stands where a folder was leads no rewind out of the workspace', async () => {
  const own = await ground();
  const { workspace, place } = own;
  const outside = join(dirname(workspace), 'outside');
  mkdirSync(outside);
  await writeFile(join(outside, 'a'), 'theirs');
  await mkdir(join(workspace, 'sub'));
  await writeFile(join(workspace, 'sub/a'), 'mine');
  await writeFile(join(workspace, '.gitignore'), '');
  const { commit } = await takeSnapshot(place, workspace);
  await rm(join(workspace, 'sub'), { recursive: true });
  await symlink(outside, join(workspace, 'sub'));
  await writeFile(join(workspace, '.gitignore'), 'sub\n');
  const { left } = await rewind(own, commit);
  expect(readFileSync(join(outside, 'a'), 'utf8')).toBe('theirs');
  expect(left.map(({ path: kept }) => kept)).toEqual(['sub/a']);
});

test('a snapshot of nothing new makes no commit and reads no file again', async () => {
  const own = await ground();
  await writeFile(join(own.workspace, 'a'), 'x');
  const first = await takeSnapshot(own.place, own.workspace);
  const second = await takeSnapshot(own.place, own.workspace);
  expect(second).toMatchObject({ commit: first.commit, changed: 0, leftOut: [], unread: [] });
});

/** Rights mean nothing to root. */
async function asNobody(own: Awaited<ReturnType<typeof ground>>, act: () => Promise<void>) {
  const isRoot = process.getuid?.() === 0;
  const inside = readdirSync(own.workspace).map((one) => join(own.workspace, one));
  await mkdir(own.place.folder, { recursive: true });
  const home = join(own.place.folder, '..', '..');
  const paths = [dirname(own.workspace), own.workspace, ...inside, home, join(home, 'checkpoints')];
  for (const path of isRoot ? paths : []) await chown(path, 65_534, 65_534);
  await rm(own.place.folder, { recursive: true });
  if (isRoot) process.seteuid?.(65_534);
  try {
    await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('what nobody could read at a checkpoint is told as unknown, and a rewind leaves it alone', async () => {
  const own = await ground();
  const { workspace, place } = own;
  const at = (path: string) => join(workspace, path);
  await mkdir(at('shut'));
  for (const path of ['shut/a', 'secret', 'later', 'plain']) await writeFile(at(path), 'mine');
  await asNobody(own, async () => {
    await chmod(at('secret'), 0);
    await chmod(at('shut'), 0);
    const { commit, unread } = await takeSnapshot(place, workspace);
    expect(unread).toEqual(['shut/', 'secret']);
    expect((await takeSnapshot(place, workspace)).commit).toBe(commit);
    await chmod(at('secret'), 0o644);
    await chmod(at('shut'), 0o755);
    await writeFile(at('plain'), 'changed');
    await writeFile(at('later'), 'changed');
    await chmod(at('later'), 0);
    const { left, changed } = await rewind(own, commit);
    expect(left.map(({ path: kept }) => kept)).toEqual(['shut/', 'secret', 'later']);
    expect(changed).toEqual(['plain']);
    await chmod(at('later'), 0o644);
  });
  const texts = ['shut/a', 'secret', 'later', 'plain'].map((path) =>
    readFileSync(at(path), 'utf8'),
  );
  expect(texts).toEqual(['mine', 'mine', 'changed', 'mine']);
});

test('what somebody edits while a rewind is under way stays', async () => {
  const own = await ground();
  const { workspace, place } = own;
  for (const one of ['a', 'b', 'c']) await writeFile(join(workspace, one), 'then');
  const { commit: target } = await takeSnapshot(place, workspace);
  await rm(join(workspace, 'a'));
  for (const one of ['b', 'c', 'd']) await writeFile(join(workspace, one), 'later');
  const present = await takeSnapshot(place, workspace);
  for (const one of ['a', 'b', 'd']) await writeFile(join(workspace, one), 'by hand, since');
  const { left } = await restoreTree({ place, workspace, target, present, effects });
  expect(left.map(({ path: kept }) => kept).sort()).toEqual(['a', 'b', 'd']);
  expect(pictureOf(workspace).filter((line) => line.includes(btoa('then')))).toHaveLength(1);
});

test('an import goes on for as long as it takes something, and is ended with its reason when it does not', async () => {
  const { place, workspace } = await ground();
  await takeSnapshot(place, workspace);
  const pieces = async function* (pauseMs: number) {
    yield 'commit refs/checkpoints/slow\ncommitter a <a@b> now\ndata 0\n';
    for (let piece = 0; piece < 4; piece += 1) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      yield `M 100644 inline files/${piece}\ndata 0\n`;
    }
    yield 'done\n';
  };
  await feedImport(place, pieces(150), { patienceMs: 400 });
  await expect(feedImport(place, pieces(600), { patienceMs: 400 })).rejects.toThrow(
    'git fast-import: it did not go on for 0.4 s',
  );
});

test('what an import left that was cut off goes with a later checkpoint, and one that is under way keeps its own', async () => {
  const { place, workspace } = await ground();
  await takeSnapshot(place, workspace);
  const left = ['objects/pack/tmp_pack_a', 'objects/tmp_obj_a', 'fast_import_crash_1'];
  for (const path of [...left, 'objects/pack/tmp_pack_b']) {
    await mkdir(dirname(join(place.folder, path)), { recursive: true });
    await writeFile(join(place.folder, path), 'part');
  }
  const long = new Date(Date.now() - 3_600_000);
  for (const path of left) await utimes(join(place.folder, path), long, long);
  await writeFile(join(workspace, 'a'), 'x');
  await takeSnapshot(place, workspace);
  const isThere = (path: string) =>
    lstatSync(join(place.folder, path), { throwIfNoEntry: false }) !== undefined;
  expect(left.filter(isThere)).toEqual([]);
  expect(isThere('objects/pack/tmp_pack_b')).toBe(true);
});

test('an object of a damaged store that holds something else than its name says stays with that store', async () => {
  const stores = await Promise.all([ground(), ground()]);
  const [damaged, whole] = await Promise.all(
    stores.map(async ({ place }) => {
      const git = (args: readonly string[], input = '') =>
        execFileSync('git', [`--git-dir=${place.folder}`, ...args], { input })
          .toString()
          .trim();
      execFileSync('git', ['init', '-q', '--bare', place.folder]);
      const [judge, nothing] = ['// strict\n', '// nothing\n'].map((text) =>
        git(['hash-object', '-w', '--stdin'], text),
      );
      return { place, judge: judge ?? '', nothing: nothing ?? '' };
    }),
  );
  if (damaged === undefined || whole === undefined) throw new Error('two stores');
  const fileOf = (id: string) => join(damaged.place.folder, 'objects', id.slice(0, 2), id.slice(2));
  execFileSync('cp', ['-f', fileOf(damaged.nothing), fileOf(damaged.judge)]);
  await readObjects(damaged.place, [damaged.judge]).catch(() => []);
  expect(String(await readObjects(whole.place, [whole.judge]))).toBe('// strict\n');
});

test('a look goes on from the original alone where the checkpoints are damaged', async () => {
  const { place: store, workspace } = await ground();
  const root = dirname(workspace);
  const later = { folder: join(root, 'later') };
  await writeFile(join(workspace, 'a.txt'), 'one\n');
  await takeSnapshot(store, workspace);
  await writeFile(join(workspace, 'a.txt'), 'two\n');
  await takeSnapshot(later, workspace);
  await rm(join(later.folder, 'objects'), { recursive: true });
  await mkdir(join(later.folder, 'objects'));
  await writeFile(join(workspace, 'b.txt'), 'new\n');
  const beside = { store, later: [later], scratch: { folder: join(root, 'look') }, workspace };
  const paths = await withSnapshotBeside(beside, async (place, { commit }) => [
    ...(await readStoredTree(place, commit)).entries.keys(),
  ]);
  expect(paths).toEqual(['a.txt', 'b.txt']);
});
