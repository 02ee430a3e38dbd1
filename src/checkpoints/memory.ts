import { LRUCache } from 'lru-cache';
import type { DiffEntry } from './diff-entry.ts';
import type { StoredTree } from './stored-tree.ts';

const MOST_CONTENT_BYTES = 32 * 1024 ** 2;
const MOST_BYTES_A_FILE = 64 * 1024;
const MOST_TREE_ENTRIES = 200_000;
const MOST_DIFF_ENTRIES = 50_000;
const MOST_SIZES = 100_000;
const MOST_FOLDERS = 10_000;

/**
 * Trees and small contents that this process wrote or read, by their ids in git: what an id names
 * never changes, and asking git again takes a process each time.
 */
const contents = new LRUCache<string, Buffer>({
  maxSize: MOST_CONTENT_BYTES,
  maxEntrySize: MOST_BYTES_A_FILE,
  sizeCalculation: ({ length }) => length + 100,
});
const trees = new LRUCache<string, StoredTree>({
  maxSize: MOST_TREE_ENTRIES,
  sizeCalculation: ({ entries }) => entries.size + 1,
});

/** A copy of its own, so that a small piece doesn't hold the large buffer that it was cut from. */
export function rememberContent(object: string, content: Buffer): void {
  if (content.length <= MOST_BYTES_A_FILE) contents.set(object, Buffer.from(content));
}

export const rememberedContent = (object: string): Buffer | undefined => contents.get(object);

export function rememberTree(commit: string, tree: StoredTree): void {
  trees.set(commit, tree);
}

export const rememberedTree = (commit: string): StoredTree | undefined => trees.get(commit);

/** What differs between two trees, by the ids of both. */
const differences = new LRUCache<string, readonly DiffEntry[]>({
  maxSize: MOST_DIFF_ENTRIES,
  sizeCalculation: ({ length }) => length + 1,
});
const sizes = new LRUCache<string, number>({ max: MOST_SIZES });
/** The tree of the workspace's files in a commit. */
const folders = new LRUCache<string, string>({ max: MOST_FOLDERS });

export const rememberDifferences = (trees: string, entries: readonly DiffEntry[]): void =>
  void differences.set(trees, entries);
export const rememberedDifferences = (trees: string): readonly DiffEntry[] | undefined =>
  differences.get(trees);

export const rememberSize = (object: string, bytes: number): void => void sizes.set(object, bytes);
export const rememberedSize = (object: string): number | undefined =>
  contents.get(object)?.length ?? sizes.get(object);

export const rememberFolder = (commit: string, tree: string): void =>
  void folders.set(commit, tree);
export const rememberedFolder = (commit: string): string | undefined => folders.get(commit);
