import { realpath } from 'node:fs/promises';
import type { EffectsPort } from '../contract/effects.ts';
import { ignoredBy } from '../workspace/ignored-paths.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import type { StorePlace } from './store-git.ts';
import { isSameEntry, isUnread, type StoredTree, type TreeEntry } from './stored-tree.ts';
import { readObjects, readTree } from './tree.ts';

/** Contents that are held at once. */
const BATCH = 20;
const SHOWN = 200;

export interface Restored {
  /** Paths that were given their earlier content, or taken away. */
  readonly changed: readonly string[];
  /** Paths that are not as they were, and why. */
  readonly left: { path: string; why: string }[];
  /** Snapshot of the workspace afterwards. */
  readonly after: Snapshot;
}

export interface Restoring {
  readonly place: StorePlace;
  readonly workspace: string;
  /** Snapshot that the workspace is to be again. */
  readonly target: string;
  /** Snapshot of the present workspace, which an earlier try may have left half restored. */
  readonly present: Pick<Snapshot, 'commit' | 'stamps'>;
  /** Snapshot of the workspace before the first try, if it differs from the present one. */
  readonly before?: string;
  readonly effects: Pick<EffectsPort, 'placeEntry'>;
}

/**
 * Restores every file of a checkpoint and removes newer files. Files that no checkpoint holds
 * stay: files that were ignored then or are too large. A repeated call continues an interrupted
 * one.
 */
export async function restoreTree(restoring: Restoring): Promise<Restored> {
  const { place, present, target } = restoring;
  const root = await realpath(restoring.workspace);
  const then = await readTree(place, target);
  const isKept = await keptBy(place, then);
  const { gone, written, left } = planOf(then, await readTree(place, present.commit), isKept);
  const give = async (path: string, entry: TreeEntry | null, content: Uint8Array) => {
    const placed = entry === null ? null : { kind: entry.kind, mode: entry.mode, content };
    const was = present.stamps.get(path) ?? null;
    const outcome = await restoring.effects.placeEntry({ root, path, entry: placed, was });
    if (outcome.kind === 'kept') left.push({ path, why: outcome.why });
  };
  for (const path of gone) await give(path, null, new Uint8Array());
  for (let at = 0; at < written.length; at += BATCH) {
    const batch = written.slice(at, at + BATCH);
    const contents = await readObjects(
      place,
      batch.map(([, { object }]) => object),
    );
    for (const [index, [path, entry]] of batch.entries()) {
      await give(path, entry, contents[index] ?? new Uint8Array());
    }
  }
  const after = await takeSnapshot(place, root, then.entries.keys());
  const earlier = restoring.before ?? present.commit;
  const first = planOf(then, await readTree(place, earlier), isKept);
  const changed = new Set([...pathsOf({ gone, written }), ...pathsOf(first)]);
  return { changed: [...changed].sort(), left: left.slice(0, SHOWN), after };
}

const pathsOf = ({ gone, written }: Pick<Plan, 'gone' | 'written'>): string[] => [
  ...gone,
  ...written.map(([path]) => path),
];

interface Plan {
  readonly gone: readonly string[];
  readonly written: readonly (readonly [string, TreeEntry])[];
  readonly left: { path: string; why: string }[];
}

function planOf(then: StoredTree, now: StoredTree, isKept: (path: string) => boolean): Plan {
  const tooLarge = new Set(now.leftOut);
  const came = [...now.entries.keys()].filter((path) => !then.entries.has(path));
  const differs = [...then.entries].filter(
    ([path, entry]) => !isSameEntry(now.entries.get(path), entry),
  );
  const left = then.unread.map((path) => ({ path, why: 'nobody could read it then' }));
  const written: (readonly [string, TreeEntry])[] = [];
  for (const [path, entry] of differs) {
    if (tooLarge.has(path)) left.push({ path, why: 'by now it is too large for a checkpoint' });
    else if (isUnread(now, path)) left.push({ path, why: 'it can not be read, so not be kept' });
    else written.push([path, entry]);
  }
  return { gone: came.filter((path) => !isKept(path)), written, left };
}

/** A file that the checkpoint doesn't hold may have existed all the same. */
export async function keptBy(
  place: StorePlace,
  then: StoredTree,
): Promise<(path: string) => boolean> {
  const wasIgnored = await ignoredIn(place, then);
  const wasLeftOut = new Set(then.leftOut);
  return (path) => wasLeftOut.has(path) || wasIgnored(path) || isUnread(then, path);
}

/**
 * Applies the ignore rules of the checkpoint: a file that is visible only because a rule was
 * removed since may have existed then.
 */
async function ignoredIn(
  place: StorePlace,
  { entries }: StoredTree,
): Promise<(path: string) => boolean> {
  const files = [...entries].filter(([path]) => /(^|\/)\.gitignore$/.test(path));
  const texts = await readObjects(
    place,
    files.map(([, { object }]) => object),
  );
  return ignoredBy(new Map(files.map(([path], index) => [path, `${texts[index] ?? ''}`])));
}
