import { objectId, treeBody } from '../checkpoints/git-objects.ts';
import { importCommit } from '../checkpoints/import-commit.ts';
import { MAX_FILE_BYTES, TooLarge } from '../checkpoints/look.ts';
import type { Change } from '../checkpoints/loose-commit.ts';
import { metaChange, plainMode } from '../checkpoints/snapshot.ts';
import { readGit, type StorePlace } from '../checkpoints/store-git.ts';
import type { StoredTree } from '../checkpoints/stored-tree.ts';
import { readStoredObjects } from '../checkpoints/tree.ts';
import { BaseRefused } from '../contract/base.ts';
import type { Original } from '../contract/original.ts';
import { GitSilent, runGit } from '../workspace/git/run-git.ts';
import { assertPlainFiles, baseCommit } from './base-commit.ts';

const MOST_FILES = 100_000;
const MOST_BYTES = 1024 ** 3;
/** Contents are read in parts of about this size. */
const BYTES_AT_ONCE = 32 * 1024 ** 2;

interface Listed {
  readonly mode: string;
  readonly kind: string;
  readonly object: string;
  readonly size: number;
  /** From the top of the repository. */
  readonly path: string;
}

/**
 * Keeps a commit of the workspace's repository as the original, out of git's objects. Commands of
 * earlier goals may have written into these, so every id is computed again from what is read.
 *
 * @param start the workspace as it is, whose modes hold where git knows none
 * @throws BaseRefused, TooLarge, StoreFailed, GitSilent
 */
export async function keepBase(
  place: StorePlace,
  workspace: string,
  commit: string,
  start: StoredTree,
): Promise<Original> {
  assertFormat(commit);
  await assertPlainFiles(workspace);
  const repository = await repositoryOf(workspace);
  const listed = await treeOf(repository.store, commit);
  const files = filesIn(listed, repository.prefix);
  assertSize(files);
  const leftOut = files.filter(({ size }) => size > MAX_FILE_BYTES).map(({ path }) => path);
  assertComparable(files, start, leftOut);
  const kept = files.filter(({ size }) => size <= MAX_FILE_BYTES);
  const modes: Record<string, number> = {};
  for (const { path, mode } of kept) {
    const known = start.entries.get(path);
    if (known?.kind === 'file' && known.mode !== plainMode(known.mode)) {
      if (plainMode(known.mode) === plainMode(Number.parseInt(mode, 8))) modes[path] = known.mode;
    }
  }
  const meta = {
    modes,
    leftOut: [...new Set([...leftOut, ...start.leftOut])],
    unread: [...start.unread],
  };
  const id = await importCommit(place, undefined, changesOf(repository.store, kept, meta));
  return { commit: id, leftOut: meta.leftOut, unread: meta.unread };
}

/**
 * The id of the commit that a caller means, which can be the original of a goal.
 * @throws BaseRefused, StoreFailed, GitSilent
 */
export async function checkedBase(workspace: string, name: string): Promise<string> {
  const commit = await baseCommit(workspace, name);
  assertFormat(commit);
  await assertPlainFiles(workspace);
  await treeOf((await repositoryOf(workspace)).store, commit);
  return commit;
}

function assertFormat(commit: string): void {
  if (/^[0-9a-f]{40}$/.test(commit)) return;
  throw new BaseRefused(
    'object_format',
    'git keeps this repository by SHA-256, and proofs name files by SHA-1, or leave the base out',
  );
}

async function repositoryOf(workspace: string) {
  const ask = async (...args: string[]) => {
    const answer = await runGit({ folder: workspace }, ['rev-parse', ...args]);
    if (answer === null) throw new GitSilent(['rev-parse']);
    return answer.replace(/\n$/, '');
  };
  const folder = await ask('--absolute-git-dir');
  return { store: { folder }, prefix: await ask('--show-prefix') };
}

/** The commit's whole tree, proven by its ids. */
async function treeOf(store: StorePlace, commit: string): Promise<Listed[]> {
  const body = await readGit(store, ['cat-file', 'commit', commit]);
  const tree = /^tree ([0-9a-f]{40})\n/.exec(body.toString('latin1'))?.[1];
  if (tree === undefined || objectId('commit', body) !== commit) throw damaged(commit);
  const args = ['ls-tree', '-r', '-t', '-l', '-z', '--full-tree', commit];
  const lines = (await readGit(store, args)).toString().split('\0').filter(Boolean);
  const all = lines.map((line): Listed => {
    const [, mode = '', kind = '', object = '', size = '', path = ''] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
    return { mode, kind, object, size: size === '-' ? 0 : Number(size), path };
  });
  assertIds(tree, all);
  const submodule = all.find(({ kind }) => kind === 'commit');
  if (submodule !== undefined) {
    throw new BaseRefused(
      'submodules',
      `the base has the submodule ${submodule.path}, whose files are no part of it: leave the base out`,
    );
  }
  return all.filter(({ kind }) => kind === 'blob');
}

/** Each folder's id from the ids of what lies in it, up to the commit's own. */
function assertIds(root: string, all: readonly Listed[]): void {
  const inside = new Map<string, Listed[]>();
  for (const one of all) {
    const at = one.path.lastIndexOf('/');
    const folder = at < 0 ? '' : one.path.slice(0, at);
    inside.set(folder, [...(inside.get(folder) ?? []), one]);
  }
  const folders = [
    ['', root],
    ...all.flatMap(({ kind, path, object }) => (kind === 'tree' ? [[path, object]] : [])),
  ];
  for (const [path = '', object] of folders) {
    const body = treeBody(
      (inside.get(path) ?? []).map((one) => [
        one.path.slice(path === '' ? 0 : path.length + 1),
        { mode: one.mode.replace(/^0+/, ''), object: one.object },
      ]),
    );
    if (objectId('tree', body) !== object) throw damaged(object ?? '');
  }
}

const damaged = (id: string): BaseRefused =>
  new BaseRefused(
    'damaged',
    `git's object ${id} does not hold what its id says: repair the repository (git fsck), or leave the base out`,
  );

/** Those of the workspace, which may be a folder of its repository. */
const filesIn = (listed: readonly Listed[], prefix: string): Listed[] =>
  listed.flatMap((file) =>
    file.path.startsWith(prefix) ? [{ ...file, path: file.path.slice(prefix.length) }] : [],
  );

function assertSize(files: readonly Listed[]): void {
  if (files.length > MOST_FILES) throw new TooLarge(`the base holds more than ${MOST_FILES} files`);
  const bytes = files.reduce((sum, { size }) => sum + (size > MAX_FILE_BYTES ? 0 : size), 0);
  if (bytes > MOST_BYTES)
    throw new TooLarge(`the base holds more than ${MOST_BYTES / 1024 ** 2} MB`);
}

/** A file that only one of the trees could keep would look as if it came or went. */
function assertComparable(
  files: readonly Listed[],
  start: StoredTree,
  leftOut: readonly string[],
): void {
  const large = new Set(leftOut);
  const grown = start.leftOut.find(
    (path) => files.some((one) => one.path === path) && !large.has(path),
  );
  const shrunk = leftOut.find((path) => start.entries.has(path));
  const path = grown ?? shrunk;
  if (path !== undefined) throw new TooLarge(`${path} is too large to be compared with the base`);
}

async function* changesOf(
  store: StorePlace,
  files: readonly Listed[],
  meta: Parameters<typeof metaChange>[0],
): AsyncGenerator<Change> {
  for (let at = 0; at < files.length; ) {
    let [end, bytes] = [at, 0];
    for (; end < files.length && (end === at || bytes < BYTES_AT_ONCE); end += 1) {
      bytes += files[end]?.size ?? 0;
    }
    const part = files.slice(at, end);
    const objects = part.map(({ object }) => object);
    const contents = await readStoredObjects(store, objects);
    for (const [index, { path, mode, object }] of part.entries()) {
      const content = contents[index];
      if (content === undefined || objectId('blob', content) !== object) throw damaged(object);
      if (LFS_POINTER.test(content.subarray(0, 60).toString('latin1'))) throw pointer(path);
      const own = mode === '120000' ? mode : gitMode(mode);
      yield { path: `files/${path}`, file: { mode: own, content } };
    }
    at = end;
  }
  yield metaChange(meta);
}

const gitMode = (mode: string): string => (mode === '100755' ? mode : '100644');

const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

const pointer = (path: string): BaseRefused =>
  new BaseRefused(
    'lfs_pointers',
    `${path} is an LFS pointer in the base, and what it stands for is not in git: leave the base out`,
  );
