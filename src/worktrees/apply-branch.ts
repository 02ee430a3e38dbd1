import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AppliedBranch } from '../../schema/applied-branch.ts';
import { gitMode } from '../checkpoints/import-stream.ts';
import { type FileContent, tryEntry } from '../checkpoints/look.ts';
import { readObjects } from '../checkpoints/tree.ts';
import type { AppliesOnHost, ApplyGround } from '../contract/applies.ts';
import type { EffectsPort } from '../contract/effects.ts';
import { Refusal } from '../contract/failures.ts';
import { lookAt } from '../sandbox/safe-read.ts';
import { worktreeProblemOf } from '../workspace/git/plain-files.ts';
import { WorktreeFailed } from './as-owner.ts';
import { broughtProblemOf } from './brought-attributes.ts';
import { type ChangedPath, changedPaths, type Entry, isBlob, isSafeName } from './changed-paths.ts';
import { endBranch } from './end-branch.ts';
import {
  commitOf,
  commitWork,
  type Git,
  gitIn,
  isAncestor,
  leftMessage,
  repositoryOf,
} from './git.ts';
import { mergedCommit } from './merged-commit.ts';
import { worktreeProblemText } from './worktree-problem.ts';

/** What is to become of a workspace: it has the one commit, and gets the other. */
export interface ApplyPlan {
  readonly goalId: string;
  readonly branch: string;
  readonly workspace: { readonly name: string; readonly path: string };
  readonly from: string;
  readonly to: string;
}

const MOST_BYTES = 100 * 1024 * 1024;
const NAMED = 50;

interface Why {
  readonly problem: string;
  readonly files?: readonly string[];
  readonly field?: string;
}

const refused = (what: string, { problem, files = [], field = 'workspace' }: Why): Refusal =>
  new Refusal('cannot_apply', what, {
    field,
    problem,
    ...(files.length === 0 ? {} : { files: files.slice(0, NAMED), total: files.length }),
  });

/** A repository that git can't read, or may not write to, is for a person to look at. */
export const refusedByGit = (
  branch: string,
  { name, path }: ApplyPlan['workspace'],
  error: Error,
): Refusal =>
  refused(
    `Git can't bring ${branch} into ${name}: ${error.message}. Look at the repository in ${path}.`,
    { problem: 'git' },
  );

const some = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .join(', ')
    .concat(names.length > 5 ? ` and ${names.length - 5} more` : '');

/**
 * What bringing a goal's branch into its workspace would do; it changes nothing there. What the goal
 * left uncommitted is put on its branch first.
 *
 * @param endOf see AppliesOnHost
 * @returns the commit that is checked out there, if it has all of it
 * @throws Refusal cannot_apply, with the files and the way out
 */
export async function planApply(
  ground: ApplyGround,
  endOf: AppliesOnHost['endOf'],
): Promise<ApplyPlan | string> {
  const { goalId, branch, workspace } = ground;
  const { path, name } = workspace;
  const problem = await worktreeProblemOf(path);
  if (problem !== null) {
    throw refused(`${name} ${worktreeProblemText(problem)}, and merge ${branch} by hand.`, {
      problem,
    });
  }
  const git = await gitIn(path);
  await assertSettled(git, name);
  const from = await commitOf(git, 'HEAD');
  const work = await tipOf(git, ground, { from, endOf });
  const plan = { goalId, branch, workspace };
  if (await isAncestor(git, work, from)) return from;
  const to = (await isAncestor(git, from, work)) ? work : await mergeOf(git, ground, from, work);
  const changes = await changedPaths(await repositoryOf(git), from, to);
  await assertFree(git, { ...plan, from, to }, changes);
  await assertAsGitPuts(git, plan, to, changes);
  // Nothing moves before the index is known to follow: another git may be at it, or have left it half merged.
  await git(...followBy(from, to), '-n');
  return { ...plan, from, to };
}

const followBy = (from: string, to: string) => ['read-tree', '-m', '-i', from, to] as const;

const UNDER_WAY = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
  // Picks and reverts that are left to do, once the one that conflicted is committed.
  'sequencer',
];

async function assertSettled(git: Git, name: string): Promise<void> {
  const folder = await git('rev-parse', '--path-format=absolute', '--git-dir');
  for (const what of UNDER_WAY) {
    if ((await lookAt(join(folder, what))) === null) continue;
    throw refused(
      `In ${name} git is in the middle of something (${what}): end it or abort it there, and try again.`,
      { problem: 'under_way' },
    );
  }
}

/** The goal's tree goes with its clearing; by then all is on the branch. */
async function tipOf(
  git: Git,
  ground: ApplyGround,
  { from, endOf }: { readonly from: string; readonly endOf: AppliesOnHost['endOf'] },
): Promise<string> {
  const { goalId, branch, treePath } = ground;
  if (treePath !== '' && (await lookAt(treePath)) !== null) {
    const end = await endOf(goalId);
    const tree = { goalId, path: treePath, branch, base: ground.base ?? from };
    const { result, leftOut } =
      end === null ? await commitWork(tree, leftMessage(goalId)) : await endBranch(tree, end);
    if (leftOut.length === 0) return result.commit;
    throw refused(
      `No commit can hold some of what the goal wrote (${some(leftOut)}): it can't be read, is above 100 MB, lies in a submodule, or its name is no UTF-8. Message the goal to rename or remove it, or take it from ${treePath} by hand.`,
      { problem: 'left_out', files: leftOut, field: 'goalId' },
    );
  }
  const tip = await git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  if (tip !== '' && (treePath === '' || tip !== ground.base)) return tip;
  if (tip !== '') {
    const gone = `The worktree of ${goalId} is gone from ${treePath}, and nothing of it is on ${branch}`;
    throw refused(`${gone}: nothing is left to bring in.`, { problem: 'no_branch' });
  }
  throw refused(`${ground.workspace.name} has no branch ${branch}: nothing is left to bring in.`, {
    problem: 'no_branch',
  });
}

async function mergeOf(
  git: Git,
  { goalId, branch, workspace, base }: ApplyGround,
  onto: string,
  work: string,
): Promise<string> {
  const message = `Merge branch '${branch}'\n\nGoal-Id: ${goalId}`;
  const merged = await mergedCommit(await repositoryOf(git), { onto, work, message });
  if (merged.kind === 'merged') return merged.commit;
  const byHand = (flag = '') =>
    `run "git merge ${flag}${branch}" in ${workspace.path} and settle it there`;
  const apart =
    onto === base
      ? `${branch} has not the commit any more that the goal began with`
      : `${workspace.name} went on since the goal began`;
  if (merged.kind === 'conflict') {
    throw refused(
      `${apart}, and both changed ${some(merged.files)}: ${byHand()}, or message the goal to take the newer commits in.`,
      { problem: 'conflict', files: merged.files },
    );
  }
  const isRelated = await git('merge-base', onto, work).catch(() => '');
  if (isRelated === '') {
    throw refused(
      `${branch} and what is checked out in ${workspace.name} have no commit in common, as one of them was amended or begun anew: ${byHand('--allow-unrelated-histories ')}.`,
      { problem: 'unable' },
    );
  }
  throw refused(
    `${apart}, and git does not merge ${branch} into it ("${merged.why}"; it takes git 2.38 or newer): ${byHand()}.`,
    { problem: 'unable' },
  );
}

/** @throws Refusal where something uncommitted is in the way, or a name leads elsewhere */
async function assertFree(
  git: Git,
  { workspace, branch }: ApplyPlan,
  changes: readonly ChangedPath[],
): Promise<void> {
  const unsafe = changes.filter(({ path }) => !isSafeName(path)).map(({ path }) => path);
  if (unsafe.length > 0) {
    throw refused(
      `${branch} names files that lead elsewhere: ${some(unsafe)}. Look at it by hand.`,
      {
        problem: 'unsafe_names',
        files: unsafe,
      },
    );
  }
  const links = changes.filter(({ was, is }) => [was, is].some((one) => one && !isBlob(one)));
  if (links.length > 0) {
    const files = links.map(({ path }) => path);
    throw refused(
      `${branch} moves submodules (${some(files)}), which only git itself can do: run "git merge ${branch}" in ${workspace.path}.`,
      { problem: 'submodules', files },
    );
  }
  const staged = await stagedIn(git);
  const gone = new Set(changes.filter(({ is }) => is === null).map(({ path }) => path));
  const dirty = new Set<string>();
  for (const change of changes) {
    if (!isAsStaged(change, staged)) dirty.add(change.path);
    for (const path of await inTheWay(workspace.path, change, gone)) dirty.add(path);
  }
  if (dirty.size === 0) return;
  const files = [...dirty].sort();
  throw refused(
    `${workspace.name} has changes that are not committed where ${branch} writes: ${some(files)}. Commit or stash them there, and try again.`,
    { problem: 'uncommitted', files },
  );
}

/** @throws Refusal where git would take what is placed for something else */
async function assertAsGitPuts(
  git: Git,
  { branch, workspace }: Omit<ApplyPlan, 'from' | 'to'>,
  to: string,
  changes: readonly ChangedPath[],
): Promise<void> {
  const paths = changes.flatMap(({ path, is }) => (is === null ? [] : [path]));
  const problem = await broughtProblemOf((await repositoryOf(git)).folder, to, paths);
  if (problem === null) return;
  const by = `What ${branch} brings into ${workspace.name}`;
  throw refused(`${by} ${worktreeProblemText(problem)}, and merge it by hand.`, { problem });
}

async function stagedIn(git: Git): Promise<ReadonlyMap<string, Entry>> {
  const lines = (await git('ls-files', '-s', '-z')).split('\0');
  const staged = new Map<string, Entry>();
  for (const line of lines) {
    const [, mode = '', object = '', stage, path = ''] =
      /^(\d{6}) ([0-9a-f]+) (\d)\t(.+)$/s.exec(line) ?? [];
    if (path !== '') staged.set(path, { mode, object: stage === '0' ? object : '' });
  }
  return staged;
}

function isAsStaged({ path, was, is }: ChangedPath, staged: ReadonlyMap<string, Entry>): boolean {
  const now = staged.get(path) ?? null;
  return isSame(now, was) || isSame(now, is);
}

const isSame = (one: Entry | null, other: Entry | null): boolean =>
  one?.mode === other?.mode && one?.object === other?.object;

const blobOf = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

const entryOf = (found: FileContent): Entry => ({
  mode: gitMode(found),
  object: blobOf(found.content),
});

/** What lies there that the branch would overwrite, or could not be placed over. */
async function inTheWay(
  root: string,
  { path, was, is }: ChangedPath,
  gone: ReadonlySet<string>,
): Promise<string[]> {
  for (let above = dirname(path); is !== null && above !== '.'; above = dirname(above)) {
    const stats = await lstat(join(root, above)).catch(() => null);
    if (stats !== null && !stats.isDirectory() && !gone.has(above)) return [above];
  }
  const stats = await lstat(join(root, path)).catch(() => null);
  if (stats?.isDirectory()) {
    if (is === null) return was === null ? [] : [path];
    const held = await readdir(join(root, path), { recursive: true, withFileTypes: true });
    return held
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((name) => !gone.has(name));
  }
  const found = await tryEntry(root, path, MOST_BYTES);
  if (found === 'unread') return [path];
  if (found === 'nothing') return stats === null && (was === null || is === null) ? [] : [path];
  const now = entryOf(found);
  return isSame(now, was) || isSame(now, is) ? [] : [path];
}

interface Hands {
  readonly effects: Pick<EffectsPort, 'placeEntry'>;
  readonly signal: AbortSignal;
}

/** Whether the branch of the workspace moved already, so that its files have to follow. */
export async function isBegun({ workspace, from }: ApplyPlan): Promise<boolean> {
  const git = await gitIn(workspace.path);
  return (await commitOf(git, 'HEAD')) !== from;
}

/**
 * Does what was planned, or what is left of it. The branch of the workspace moves at once or not at
 * all; its files and index follow, and whoever finds the plan goes on with it.
 *
 * @throws Refusal: nothing was changed
 */
export async function carryOutPlan(plan: ApplyPlan, hands: Hands): Promise<AppliedBranch> {
  const { goalId, branch, workspace, from, to } = plan;
  const git = await gitIn(workspace.path);
  const place = await repositoryOf(git);
  const changes = await changedPaths(place, from, to);
  const head = await commitOf(git, 'HEAD');
  if (head === from) await moveHead(git, plan);
  else if (!(await isAncestor(git, to, head))) throw moved(workspace.name);
  const isPast = head !== from && head !== to;
  const left = await placeAll(
    place,
    plan,
    changes,
    isPast ? { ...hands, effects: TOO_LATE } : hands,
  );
  if (!isPast) {
    await git(...followBy(from, to));
    // Times of files are written down, so that the next "git status" reads none of them.
    await git('update-index', '-q', '--refresh').catch(() => '');
  }
  const done = { goalId, branch, workspace: workspace.name, from, commit: to };
  return { ...done, files: changes.length, isNew: true, left };
}

async function moveHead(git: Git, { branch, workspace, from, to }: ApplyPlan): Promise<void> {
  const log = `goalkeeper apply ${branch}`;
  await git('update-ref', '-m', log, 'HEAD', to, from).catch(async (error: Error) => {
    const head = await commitOf(git, 'HEAD').catch(() => '');
    throw head === from ? refusedByGit(branch, workspace, error) : moved(workspace.name);
  });
}

const moved = (name: string): Refusal =>
  refused(`${name} got another commit meanwhile: nothing was changed. Try again.`, {
    problem: 'moved',
  });

/** Somebody committed on top before the files had followed: theirs are left as they are. */
const TOO_LATE: Hands['effects'] = {
  placeEntry: async () => ({ kind: 'kept', why: 'another commit came before it was written' }),
};

/** Contents that are held at once. */
const BATCH = 20;

async function placeAll(
  place: { readonly folder: string },
  { workspace }: ApplyPlan,
  changes: readonly ChangedPath[],
  { effects, signal }: Hands,
): Promise<AppliedBranch['left']> {
  const left: AppliedBranch['left'] = [];
  const root = workspace.path;
  const give = async (change: ChangedPath, content: Buffer) => {
    if (signal.aborted) throw new WorktreeFailed('it was cut off, and goes on by itself');
    const why = await giveEntry(root, change, content, effects);
    if (why !== null) left.push({ path: change.path, why });
  };
  // A file may take the place of a folder, and a folder that of a file.
  for (const change of changes) if (change.is === null) await give(change, Buffer.alloc(0));
  const written = changes.flatMap((change) =>
    change.is === null ? [] : [{ change, object: change.is.object }],
  );
  for (let at = 0; at < written.length; at += BATCH) {
    const batch = written.slice(at, at + BATCH);
    const contents = await readObjects(
      place,
      batch.map(({ object }) => object),
    );
    for (const [index, { change }] of batch.entries()) {
      await give(change, contents[index] ?? Buffer.alloc(0));
    }
  }
  return left;
}

const EDITED = 'somebody edited it while this was under way';

/** @returns why the path stays as it is; null = it is as the branch has it */
async function giveEntry(
  root: string,
  { path, was, is }: ChangedPath,
  content: Buffer,
  effects: Hands['effects'],
): Promise<string | null> {
  const stats = await lstat(join(root, path)).catch(() => null);
  const isThere = stats !== null && !stats.isDirectory();
  const found = isThere ? await tryEntry(root, path, MOST_BYTES) : 'nothing';
  const now = typeof found === 'string' ? null : entryOf(found);
  if (isSame(now, is) && found !== 'unread' && (isThere || is === null)) return null;
  if (found === 'unread' || !isSame(now, was)) return EDITED;
  const stamp = isThere ? `${stats.ino} ${stats.ctimeMs} ${stats.mtimeMs} ${stats.size}` : null;
  const entry = is === null ? null : placedAs(is, content, isThere ? stats.mode : null);
  const outcome = await effects.placeEntry({ root, path, entry, was: stamp });
  return outcome.kind === 'kept' ? outcome.why : null;
}

/** Rights of a file stay as its owner gave them, but for whether it runs. */
function placedAs({ mode }: Entry, content: Buffer, present: number | null) {
  if (mode === '120000') return { kind: 'link', mode: 0o755, content } as const;
  const rights = present === null ? 0o644 : present & 0o666;
  const runs = mode === '100755' ? (rights & 0o444) >> 2 : 0;
  return { kind: 'file', mode: rights | runs, content } as const;
}
