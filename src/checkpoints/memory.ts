import { LRUCache } from 'lru-cache';
import type { StoredTree } from './stored-tree.ts';

const MOST_CONTENT_BYTES = 32 * 1024 ** 2;
const MOST_BYTES_A_FILE = 64 * 1024;
const MOST_TREE_ENTRIES = 200_000;

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
