import { gitMode, quoted } from '../checkpoints/import-stream.ts';
import { keptBy } from '../checkpoints/restore.ts';
import { storeOf } from '../checkpoints/store.ts';
import type { StorePlace } from '../checkpoints/store-git.ts';
import { isSameEntry, type StoredTree, type TreeEntry } from '../checkpoints/stored-tree.ts';
import { readTree } from '../checkpoints/tree.ts';
import type { CheckpointsPort } from '../contract/checkpoints.ts';
import type { JournalPort } from '../contract/journal.ts';
import type { WorktreeBeginning, WorktreesPort } from '../contract/worktrees.ts';
import { WorktreeFailed } from './as-owner.ts';
import { broughtProblemOf } from './brought-attributes.ts';
import { isBlob } from './changed-paths.ts';
import { trackedIn } from './commit-tree.ts';
import { commitOf, type Git, gitIn, repositoryOf } from './git.ts';
import { unnamedCommit, writtenFrom } from './unnamed-commit.ts';
import { worktreeProblemText } from './worktree-problem.ts';

export interface Sources {
  readonly worktrees: Pick<WorktreesPort, 'find'>;
  readonly checkpoints: Pick<CheckpointsPort, 'list'>;
  readonly journal: Pick<JournalPort, 'brief'>;
  readonly home: string;
}

/**
 * A commit with the files of another goal, as its checkpoint has them, on the commit that the goal
 * began with; on no branch. What a checkpoint leaves out is as that commit has it.
 *
 * @throws WorktreeFailed, StoreFailed
 */
export async function commitOfCheckpoint(
  sources: Sources,
  origin: string,
  begins: WorktreeBeginning,
): Promise<string> {
  const found = await readBeginning(sources, origin, begins);
  const { store, then, place, parent, before, problem } = found;
  if (problem !== null) throw new WorktreeFailed(problem);
  const changes = changesTo(then, before, await keptBy(store, then));
  if (changes.gone.length === 0 && changes.written.length === 0) return parent;
  const message = `Files of ${begins.goalId} as its checkpoint ${begins.checkpoint} has them`;
  return await unnamedCommit(place, { parents: [parent], message }, told(store, changes));
}

/**
 * Why no worktree can begin so, for people; null = one can.
 * Nothing is written.
 *
 * @throws WorktreeFailed, StoreFailed
 */
export const problemOfBeginning = async (
  sources: Sources,
  origin: string,
  begins: WorktreeBeginning,
): Promise<string | null> => (await readBeginning(sources, origin, begins)).problem;

async function readBeginning(
  sources: Sources,
  origin: string,
  { goalId, checkpoint }: WorktreeBeginning,
) {
  const kept = await sources.checkpoints.list(goalId);
  const found = kept.find(({ name }) => name === checkpoint);
  if (found === undefined) throw new WorktreeFailed(`${goalId} has no ${checkpoint} any more`);
  const store = storeOf(sources.home, goalId);
  const then = await readTree(store, found.commit);
  const git = await gitIn(origin);
  const place = await repositoryOf(git);
  const parent = await parentOf(git, await beganWith(sources, goalId));
  const before = await trackedIn(place, parent);
  const start = kept.find(({ name }) => name === 't0');
  const inside = problemInside(
    [...before].filter(([, entry]) => !isBlob(entry)).map(([path]) => path),
    start === undefined ? null : await readTree(store, start.commit),
    then,
  );
  const isEmpty = then.entries.size === 0;
  const problem = inside ?? (isEmpty ? null : await brought(place, store, found.commit));
  return { store, then, place, parent, before, problem };
}

/** The commit that the other goal's work began with, as far as the record tells. */
async function beganWith({ worktrees, journal }: Sources, goalId: string): Promise<string | null> {
  const own = await worktrees.find(goalId);
  if (own?.result != null) return own.result.base;
  const { baseline } = await journal.brief(goalId).catch((error: Error) => {
    if (error.name !== 'RecordAltered') throw error;
    throw new WorktreeFailed(error.message);
  });
  const proof = baseline?.proof;
  return proof !== undefined && 'original' in proof ? (proof.original.head ?? null) : null;
}

async function parentOf(git: Git, known: string | null): Promise<string> {
  const head = () => commitOf(git, 'HEAD');
  if (known === null || !/^[0-9a-f]{40}$/.test(known)) return await head();
  return await commitOf(git, known).catch(head);
}

/** No commit of a repository holds what was written inside of its submodules. */
function problemInside(
  links: readonly string[],
  start: StoredTree | null,
  then: StoredTree,
): string | null {
  const paths = new Set([...(start?.entries.keys() ?? []), ...then.entries.keys()]);
  for (const path of paths) {
    const link = links.find((one) => path.startsWith(`${one}/`));
    if (link === undefined) continue;
    if (isSameEntry(start?.entries.get(path), then.entries.get(path))) continue;
    return `what it begins with changed ${path}, which lies in the submodule ${link}: a worktree has none of that. Commit it there by hand, or name a turn before it`;
  }
  return null;
}

/** Git would take the files that it begins with for others, by the attributes that are among them. */
async function brought(
  place: StorePlace,
  store: StorePlace,
  commit: string,
): Promise<string | null> {
  const problem = await broughtProblemOf(place.folder, `${commit}:files`, [], store.folder);
  return problem === null
    ? null
    : `what it begins with ${worktreeProblemText(problem)}; or name another turn`;
}

interface Changes {
  readonly gone: readonly string[];
  readonly written: readonly (readonly [string, TreeEntry])[];
}

function changesTo(
  then: StoredTree,
  before: Awaited<ReturnType<typeof trackedIn>>,
  isKept: (path: string) => boolean,
): Changes {
  const links = [...before].filter(([, entry]) => !isBlob(entry)).map(([path]) => path);
  const isLinked = (path: string) =>
    links.some((link) => path === link || path.startsWith(`${link}/`));
  const gone = [...before.keys()].filter(
    (path) => !then.entries.has(path) && !isLinked(path) && !isKept(path),
  );
  const written = [...then.entries].filter(([path, entry]) => {
    const known = before.get(path);
    const isSame = known?.object === entry.object && known.mode === gitMode(entry);
    return !isSame && !isLinked(path);
  });
  return { gone, written };
}

async function* told(
  store: StorePlace,
  { gone, written }: Changes,
): AsyncGenerator<string | Buffer> {
  for (const path of gone) yield `D ${quoted(path)}\n`;
  const files = written.map(([path, entry]) => {
    return { path, mode: gitMode(entry), object: entry.object };
  });
  yield* writtenFrom(store, files);
}
