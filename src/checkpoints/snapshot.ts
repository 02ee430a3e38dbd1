import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ownValue } from '../../schema/own-value.ts';
import { blobId } from './git-objects.ts';
import { importCommit } from './import-commit.ts';
import { gitMode } from './import-stream.ts';
import { type Looked, lookAtTree, TooLarge, tryEntry } from './look.ts';
import type { Change } from './loose-commit.ts';
import { rememberContent, rememberedTree, rememberTree } from './memory.ts';
import { clearLeftovers, openStore, sizeOfStore } from './store.ts';
import { LONG_PATIENCE_MS, readGit, type StorePlace } from './store-git.ts';
import type { TreeEntry } from './stored-tree.ts';

/** A goal's checkpoints take no more of the disk than this. */
const MAX_STORE_BYTES = 2 * 1024 ** 3;
const MOST_PACKS = 60;
const MOST_LOOSE_OBJECTS = 2_000;
export const META = 'meta.json';

export interface Snapshot {
  /** The commit in the store, 40 hex digits. */
  readonly commit: string;
  /** Files that differ from the snapshot before it; of the first one, all. */
  readonly changed: number;
  readonly leftOut: readonly string[];
  /**
   * Files, and folders with a trailing slash, that nobody could read: what they hold is not known.
   */
  readonly unread: readonly string[];
  /** Stamps of every file that was looked at. */
  readonly stamps: Looked['stamps'];
}

/** The stamps and tree of the newest commit, so that an unchanged file isn't read again. */
interface Known {
  readonly commit: string;
  readonly stamps: Readonly<Record<string, string>>;
  readonly modes: Readonly<Record<string, number>>;
  readonly leftOut: readonly string[];
  readonly unread?: readonly string[];
}

/**
 * Stores the workspace as it is. After a kill the store is as before, or has a commit that nothing
 * names. A second run finds nothing new.
 *
 * @param also see {@link lookAtTree}
 * @throws TooLarge, StoreFailed
 */
export async function takeSnapshot(
  place: StorePlace,
  workspace: string,
  also: Iterable<string> = [],
): Promise<Snapshot> {
  await mkdir(join(place.folder, '..'), { recursive: true, mode: 0o700 });
  await openStore(place);
  const known = await readKnown(place);
  const looked = await lookAtTree(workspace, also);
  const still = await stillUnread(workspace, known, looked);
  const changes = changesSince(known, looked, still);
  const { leftOut, stamps } = looked;
  if (known !== null && changes.count === 0) {
    return { commit: known.commit, changed: 0, leftOut, unread: known.unread ?? [], stamps };
  }
  const { bytes, packs, loose } = await sizeOfStore(place);
  if (bytes > MAX_STORE_BYTES) {
    throw new TooLarge(`those of the goal take more than ${MAX_STORE_BYTES / 1024 ** 2} MB`);
  }
  await clearLeftovers(place);
  const next = await commit(place, workspace, { known, looked, changes, still });
  await keepKnown(place, next);
  // Many small packs and files make every look slower. Repacking drops no object, named or not.
  if (packs > MOST_PACKS || loose > MOST_LOOSE_OBJECTS) {
    await readGit(place, ['repack', '-a', '-d', '-k', '-q'], '', LONG_PATIENCE_MS);
  }
  return {
    commit: next.commit,
    changed: changes.count,
    leftOut,
    unread: next.unread ?? [],
    stamps,
  };
}

interface Changes {
  readonly written: readonly string[];
  readonly gone: readonly string[];
  readonly count: number;
}

function changesSince(
  known: Known | null,
  { stamps, leftOut, unread }: Looked,
  still: readonly string[],
): Changes {
  const before = known?.stamps ?? {};
  const isStill = new Set(still);
  const written = [...stamps].filter(([path, stamp]) => {
    return before[path] !== stamp && before[path] !== absent(stamp) && !isStill.has(path);
  });
  const gone = Object.keys(before).filter((path) => !stamps.has(path));
  const isSame =
    isSameList(leftOut, known?.leftOut) && isSameList([...unread, ...still], known?.unread);
  const count = written.length + gone.length;
  return {
    written: written.map(([path]) => path),
    gone,
    count: count === 0 && !isSame ? 1 : count,
  };
}

const isSameList = (one: readonly string[], other: readonly string[] = []): boolean =>
  one.toSorted().join('\0') === other.toSorted().join('\0');

/** Unread files are tried each time, because the reason may lie outside the file. */
async function stillUnread(
  workspace: string,
  known: Known | null,
  { stamps }: Looked,
): Promise<string[]> {
  const tried = Object.entries(known?.stamps ?? {}).filter(
    ([path, stamp]) => stamp === unknown(stamps.get(path)),
  );
  const still: string[] = [];
  for (const [path] of tried) {
    if ((await tryEntry(workspace, path)) === 'unread') still.push(path);
  }
  return still;
}

/** Looked at, and nothing that could be stored, such as a pipe. */
const absent = (stamp: string | undefined): string => `-${stamp}`;
/** Looked at, and could not be read. */
const unknown = (stamp: string | undefined): string => `?${stamp}`;

const isStored = (known: Known | null, path: string): boolean =>
  /^\d/.test(known === null || known === undefined ? '' : (ownValue(known.stamps, path) ?? ''));

interface Committing {
  readonly known: Known | null;
  readonly looked: Looked;
  readonly changes: Changes;
  readonly still: readonly string[];
}

async function commit(
  place: StorePlace,
  workspace: string,
  { known, looked, changes, still }: Committing,
): Promise<Known> {
  const { stamps, leftOut, unread } = looked;
  const next = {
    stamps: Object.fromEntries(stamps),
    modes: { ...known?.modes },
    leftOut,
    unread: [...unread, ...still],
  };
  for (const path of still) next.stamps[path] = unknown(next.stamps[path]);
  const base = known === null ? [] : rememberedTree(known.commit)?.entries;
  const entries = base === undefined ? null : new Map(base);
  const told = { known, changes, next, entries };
  const id = await importCommit(place, known?.commit, changesOf(workspace, told));
  if (entries !== null)
    rememberTree(id, { entries: inOrder(entries), leftOut, unread: next.unread });
  return { commit: id, ...next };
}

/** As git lists them. */
const inOrder = (entries: ReadonlyMap<string, TreeEntry>): ReadonlyMap<string, TreeEntry> =>
  new Map([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));

interface Telling {
  readonly known: Known | null;
  readonly changes: Changes;
  readonly next: {
    stamps: Record<string, string>;
    modes: Record<string, number>;
    unread: string[];
  } & Pick<Known, 'leftOut'>;
  /** The tree as it becomes; null where the one before it would have to be read for that. */
  readonly entries: Map<string, TreeEntry> | null;
}

async function* changesOf(
  workspace: string,
  { known, changes, next, entries }: Telling,
): AsyncGenerator<Change> {
  for (const path of changes.gone) {
    delete next.modes[path];
    entries?.delete(path);
    if (isStored(known, path)) yield { path: `files/${path}`, file: null };
  }
  for (const path of changes.written) {
    const entry = await tryEntry(workspace, path);
    delete next.modes[path];
    entries?.delete(path);
    if (entry === 'nothing' || entry === 'unread') {
      const isUnread = entry === 'unread';
      next.stamps[path] = (isUnread ? unknown : absent)(next.stamps[path]);
      if (isUnread) next.unread.push(path);
      if (isStored(known, path)) yield { path: `files/${path}`, file: null };
      continue;
    }
    if (entry.mode !== plainMode(entry.mode)) next.modes[path] = entry.mode;
    const { kind, content } = entry;
    const object = blobId(content);
    entries?.set(path, { kind, mode: kind === 'link' ? 0o755 : entry.mode, object });
    rememberContent(object, content);
    yield { path: `files/${path}`, file: { mode: gitMode(entry), content } };
  }
  const { modes, leftOut, unread } = next;
  yield metaChange({ modes, leftOut, unread });
}

/** Metadata of the files that git doesn't store. */
export interface Meta {
  readonly modes: Readonly<Record<string, number>>;
  readonly leftOut: readonly string[];
  readonly unread?: readonly string[];
}

export const metaChange = (meta: Meta): Change => ({
  path: META,
  file: { mode: '100644', content: Buffer.from(JSON.stringify(meta)) },
});

/** The part of a mode that git itself remembers. */
export const plainMode = (mode: number): number => (mode & 0o100 ? 0o755 : 0o644);

export const knownFile = ({ folder }: StorePlace): string => join(folder, 'known.json.gz');

async function readKnown(place: StorePlace): Promise<Known | null> {
  try {
    return JSON.parse(gunzipSync(await readFile(knownFile(place))).toString()) as Known;
  } catch {
    // None yet, or a damaged one: then every file is read.
    return null;
  }
}

async function keepKnown(place: StorePlace, known: Known): Promise<void> {
  const scratch = `${knownFile(place)}.${randomUUID()}`;
  try {
    await writeFile(scratch, gzipSync(JSON.stringify(known), { level: 1 }));
    await rename(scratch, knownFile(place));
  } finally {
    await rm(scratch, { force: true });
  }
}
