import type { Rewind } from '../../schema/checkpoint.ts';
import type { PendingRewind, StoredCheckpoint } from '../contract/checkpoints.ts';
import type { Fence } from '../contract/fence.ts';
import { importCommit } from './import-commit.ts';
import { gitMode } from './import-stream.ts';
import type { RewindPorts } from './rewind-ports.ts';
import { metaChange, plainMode, type Snapshot, takeSnapshot } from './snapshot.ts';
import { storeOf } from './store.ts';
import type { StorePlace } from './store-git.ts';
import { isSameEntry, type StoredTree, type TreeEntry } from './stored-tree.ts';
import { readTree } from './tree.ts';

const SHOWN = 200;

interface Kept {
  /** Snapshot of the workspace as it is now. */
  readonly present: Snapshot;
  /** The tree before the first try, with people's edits since. */
  readonly before: string;
}

/**
 * Keeps the files that a rewind is about to overwrite, so that an undo can restore them. The first
 * try stores the workspace as it is; a later try finds it half restored, and stores the first
 * state with people's edits since then.
 */
export async function keepBefore(
  ports: RewindPorts,
  fence: Fence,
  workspace: string,
  pending: PendingRewind,
): Promise<Kept> {
  const { goalId } = fence;
  const place = storeOf(ports.home, goalId);
  const then = await readTree(place, pending.target.commit);
  const present = await takeSnapshot(place, workspace, then.entries.keys());
  const earlier = await keptBefore(ports, goalId, pending.number);
  const last = earlier.at(-1);
  const { turn } = pending;
  const keep = (snapshot: Omit<Snapshot, 'stamps'>, name: string) =>
    ports.checkpoints.keep(fence, { ...snapshot, name, turn, kind: 'before_rewind' }, false);
  if (last === undefined) {
    await keep(present, nameOf(pending.number));
    return { present, before: present.commit };
  }
  const [base, now] = [await readTree(place, last.commit), await readTree(place, present.commit)];
  const edited = [...now.entries].filter(
    ([path, entry]) =>
      !isSameEntry(base.entries.get(path), entry) && !isSameEntry(then.entries.get(path), entry),
  );
  if (edited.length === 0) return { present, before: last.commit };
  const { leftOut, unread } = present;
  const commit = await withEntries(place, { commit: last.commit, tree: base, now }, edited);
  const name = `${nameOf(pending.number)}.${earlier.length + 1}`;
  await keep({ commit, changed: edited.length, leftOut, unread }, name);
  return { present, before: commit };
}

/** Each path that was edited by hand while the rewind was cut off, and what has it as it was. */
export async function editedMeanwhile(
  ports: RewindPorts,
  goalId: string,
  number: number,
): Promise<NonNullable<Rewind['edited']>> {
  const place = storeOf(ports.home, goalId);
  const kept = await keptBefore(ports, goalId, number);
  const edited: NonNullable<Rewind['edited']> = [];
  for (const [index, { name, commit }] of kept.entries()) {
    const before = kept[index - 1];
    if (before === undefined) continue;
    const [base, tree] = [await readTree(place, before.commit), await readTree(place, commit)];
    for (const [path, entry] of tree.entries) {
      if (!isSameEntry(base.entries.get(path), entry)) edited.push({ path, checkpoint: name });
    }
  }
  return edited.slice(0, SHOWN);
}

const nameOf = (number: number): string => `r${number}`;

async function keptBefore(
  { checkpoints }: RewindPorts,
  goalId: string,
  number: number,
): Promise<StoredCheckpoint[]> {
  const own = nameOf(number);
  const all = await checkpoints.list(goalId);
  return all.filter(({ name }) => name === own || name.startsWith(`${own}.`));
}

interface Base {
  readonly commit: string;
  readonly tree: StoredTree;
  readonly now: StoredTree;
}

/** A stored tree with other entries of the same store in it. */
function withEntries(
  place: StorePlace,
  { commit, tree, now }: Base,
  entries: readonly (readonly [string, TreeEntry])[],
): Promise<string> {
  const modes = Object.fromEntries(
    [...tree.entries, ...entries].flatMap(([path, { kind, mode }]): [string, number][] =>
      kind === 'file' && mode !== plainMode(mode) ? [[path, mode]] : [],
    ),
  );
  for (const [path, { mode }] of entries) if (mode === plainMode(mode)) delete modes[path];
  const meta = {
    modes,
    leftOut: [...new Set([...tree.leftOut, ...now.leftOut])],
    unread: [...new Set([...tree.unread, ...now.unread])],
  };
  const changed = entries.map(([path, entry]) => ({
    path: `files/${path}`,
    file: { mode: gitMode(entry), object: entry.object },
  }));
  return importCommit(place, commit, [...changed, metaChange(meta)]);
}
