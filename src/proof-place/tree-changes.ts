import { isSameEntry, type StoredTree, type TreeEntry } from '../checkpoints/stored-tree.ts';

/** One path that differs between two trees; null = it is not there. */
export interface TreeChange {
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly now: TreeEntry | null;
}

/** Paths that came, went or changed, sorted. A changed mode is a change. */
export function changesBetween(before: StoredTree, now: StoredTree): TreeChange[] {
  const paths = new Set([...before.entries.keys(), ...now.entries.keys()]);
  return [...paths]
    .filter((path) => !isSameEntry(before.entries.get(path), now.entries.get(path)))
    .sort()
    .map((path) => ({
      path,
      before: before.entries.get(path) ?? null,
      now: now.entries.get(path) ?? null,
    }));
}

/** The tree with these changes and no others. */
export function withChanges(
  tree: Pick<StoredTree, 'entries'>,
  changes: readonly TreeChange[],
): ReadonlyMap<string, TreeEntry> {
  const entries = new Map(tree.entries);
  for (const { path, now } of changes) {
    if (now === null) entries.delete(path);
    else entries.set(path, now);
  }
  return entries;
}
