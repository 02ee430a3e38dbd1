import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileParts, gitMode, quoted } from '../checkpoints/import-stream.ts';
import { readEntry, tryEntry } from '../checkpoints/look.ts';
import { readGit, type StorePlace } from '../checkpoints/store-git.ts';
import { takeFingerprint } from '../workspace/fingerprint.ts';
import { excludedIn } from '../workspace/git/ignored-around.ts';
import { SCRATCH, unnamedCommit } from './unnamed-commit.ts';

/** Larger new files are not committed. */
const MAX_BYTES = 100 * 1024 * 1024;
const GITLINK = '160000';

interface Tracked {
  readonly mode: string;
  readonly object: string;
}

interface Change {
  readonly path: string;
  readonly isGone: boolean;
}

export interface CommittedTree {
  /** The parent itself where nothing differs. */
  readonly commit: string;
  /** Files that differ from the parent. */
  readonly changed: number;
  /** Files that differ and are in no commit: too large, unreadable, named by no text, or of a submodule. */
  readonly leftOut: readonly string[];
}

interface Asked {
  readonly parent: string;
  /** Submodules are those of this commit; a repository that came since is files like all others. */
  readonly base: string;
  readonly message: string;
}

/**
 * A commit of a tree as it stands. The host reads the files and tells git their bytes: neither the
 * index nor filters, hooks and nested repositories are asked, because what a goal's commands left
 * there would run outside of their sandbox.
 *
 * @param place the repository
 * @returns the commit, which is on no branch yet
 * @throws StoreFailed
 */
export async function commitTree(
  workspace: string,
  place: StorePlace,
  { parent, base, message }: Asked,
): Promise<CommittedTree> {
  await dropLeftRefs(place);
  const { changes, ...found } = await changesSince(workspace, place, parent, base);
  const leftOut = [...found.leftOut, ...found.inSubmodules];
  if (changes.length === 0) return { commit: parent, changed: 0, leftOut };
  const about = { parents: [parent], message } as const;
  const commit = await unnamedCommit(place, about, told(workspace, changes));
  return { commit, changed: changes.length, leftOut };
}

const LEFT = /^(refs\/goalkeeper\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (\d+)$/gm;
const LEFT_AFTER_SECONDS = 3600;

/** Earlier versions gave each import a ref, which stayed where their worker died before its end. */
async function dropLeftRefs(place: StorePlace): Promise<void> {
  const asked = ['for-each-ref', '--format=%(refname) %(creatordate:unix)', SCRATCH];
  const listed = await readGit(place, asked).catch(() => '');
  for (const [, ref = '', made] of listed.toString().matchAll(LEFT)) {
    if (Date.now() / 1000 - Number(made) < LEFT_AFTER_SECONDS) continue;
    // Another worker may be at it.
    await readGit(place, ['update-ref', '-d', ref]).catch(() => {});
  }
}

/** How many files are not as they were committed. */
export async function countUncommitted(
  workspace: string,
  place: StorePlace,
  head: string,
): Promise<number> {
  const { changes, leftOut } = await changesSince(workspace, place, head, head);
  return changes.length + leftOut.length;
}

export async function trackedIn(place: StorePlace, commit: string): Promise<Map<string, Tracked>> {
  const listed = await readGit(place, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const tracked = new Map<string, Tracked>();
  for (const line of listed.toString().split('\0')) {
    const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (mode !== undefined && object !== undefined && path !== undefined) {
      tracked.set(path, { mode, object });
    }
  }
  return tracked;
}

interface Changes {
  readonly changes: readonly Change[];
  readonly leftOut: readonly string[];
  /** What lies there is of another repository, and in no commit of this one. */
  readonly inSubmodules: readonly string[];
}

async function changesSince(
  workspace: string,
  place: StorePlace,
  parent: string,
  base: string,
): Promise<Changes> {
  const tracked = await trackedIn(place, parent);
  const before = parent === base ? tracked : await trackedIn(place, base);
  const isLink = (entries: typeof tracked, path: string) => entries.get(path)?.mode === GITLINK;
  const [links, added] = [true, false].map((isOld) =>
    [...tracked.keys()].filter((path) => isLink(tracked, path) && isLink(before, path) === isOld),
  ) as [string[], string[]];
  const isLinked = (path: string) =>
    links.some((link) => path === link || path.startsWith(`${link}/`));
  const leftOut: string[] = [];
  const onUnread = (path: string) => void leftOut.push(path);
  const rules = await excludedIn(place.folder);
  const found = await takeFingerprint(workspace, [], { rules, onUnread, onUnsayable: onUnread });
  const changes: Change[] = added.map((path) => ({ path, isGone: true }));
  for (const path of new Set([...tracked.keys(), ...found.keys()])) {
    if (isLinked(path) || added.includes(path)) continue;
    const known = tracked.get(path);
    const entry = await tryEntry(workspace, path, MAX_BYTES);
    if (entry === 'unread' && found.has(path)) {
      leftOut.push(path);
    } else if (typeof entry === 'string') {
      const isThere = (await lstat(join(workspace, path)).catch(() => null)) !== null;
      if (known !== undefined && !isThere) changes.push({ path, isGone: true });
    } else if (known?.mode !== gitMode(entry) || known.object !== blobOf(entry.content)) {
      changes.push({ path, isGone: false });
    }
  }
  return { changes, leftOut, inSubmodules: [...found.keys()].filter(isLinked) };
}

const blobOf = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

async function* told(
  workspace: string,
  changes: readonly Change[],
): AsyncGenerator<string | Buffer> {
  for (const { path } of changes.filter(({ isGone }) => isGone)) yield `D ${quoted(path)}\n`;
  for (const { path } of changes.filter(({ isGone }) => !isGone)) {
    const entry = await readEntry(workspace, path, MAX_BYTES);
    if (entry !== null) yield* fileParts(gitMode(entry), path, entry.content);
  }
}
