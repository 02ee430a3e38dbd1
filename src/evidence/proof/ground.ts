import { join } from 'node:path';
import type { Scope, ScopeNotice } from '../../../schema/scope.ts';
import { blobId } from '../../checkpoints/git-objects.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import { isAboutTheStore, type StorePlace } from '../../checkpoints/store-git.ts';
import type { StoredTree } from '../../checkpoints/stored-tree.ts';
import { readEach } from '../../checkpoints/tree.ts';
import { BaseRefused } from '../../contract/base.ts';
import type { GoalBrief, StoredBaseline } from '../../contract/goal-brief.ts';
import type { Original } from '../../contract/original.ts';
import { isCode } from '../../proof/scope/code-files.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { scopeNotices } from '../../proof/scope/scope-notices.ts';
import { readDependencies } from '../../proof-place/dependencies.ts';
import {
  keepBaseOf,
  keepOriginal,
  originalStore,
  readOriginal,
} from '../../proof-place/original.ts';
import { keepPackageList } from '../../proof-place/package-list.ts';
import { repositoryFacts } from '../../proof-place/repository-facts.ts';
import { GitSilent } from '../../workspace/git/run-git.ts';
import { contentOfFile } from '../../workspace/small-file.ts';
import type { BaselineRun } from '../baseline-run.ts';
import { ignoredFiles } from './delivered-files.ts';
import { toldScope } from './told-scope.ts';

/** What the goal's proof is measured against, and the tree that was kept just now. */
export interface KeptGround {
  /** Undefined where the workspace alone is looked at. */
  readonly proof: StoredBaseline['proof'];
  readonly tree: StoredTree | null;
}

/**
 * Keeps what the goal's proof is measured against, before its first write. A second run finds the
 * same, because nothing of the goal is written before the baseline is recorded.
 */
export async function proofGround({
  ports,
  brief,
}: Pick<BaselineRun, 'ports' | 'brief'>): Promise<KeptGround> {
  if (brief.policy.proof === 'workspace') return { proof: undefined, tree: null };
  const known = brief.baseline?.proof;
  if (known !== undefined) return { proof: known, tree: null };
  if (brief.baseline !== null) return without('it was asked for after the goal had begun');
  const { goalId, workspace } = brief;
  try {
    const { original, start } = await keep(ports.home, brief);
    const tree = await readOriginal(ports.home, goalId, original);
    const scope = await scopeOf(brief, originalStore(ports.home, goalId), tree);
    const dependencies = await readDependencies(workspace.path, start ?? tree);
    await keepPackageList(ports.home, goalId, workspace.path, start ?? tree);
    const notices = await noticesOf(brief, scope, tree);
    return { proof: { original, scope, dependencies, notices }, tree };
  } catch (error) {
    if (isAboutTheTree(error)) return without(error.message.slice(0, 500));
    throw error;
  }
}

async function keep(
  home: string,
  { goalId, workspace, scope }: GoalBrief,
): Promise<{ original: Original; start: StoredTree | null }> {
  const at = { home, goalId, workspace: workspace.path };
  if (scope?.base !== undefined) return await keepBaseOf(scope.base, at);
  return { original: await keepOriginal(home, goalId, workspace.path), start: null };
}

const without = (reason: string): KeptGround => ({ proof: { reason }, tree: null });

const isAboutTheTree = (error: unknown): error is Error =>
  error instanceof TooLarge ||
  isAboutTheStore(error) ||
  error instanceof GitSilent ||
  error instanceof BaseRefused;

/** Told from the original, whose files may not be those of the workspace. */
async function scopeOf(
  { scope, criteria, workspace }: GoalBrief,
  place: StorePlace,
  { entries }: StoredTree,
): Promise<Scope> {
  const content = (path: string) => contentOfFile(join(workspace.path, path));
  const isSame = (path: string, found: Buffer | null) =>
    found !== null && blobId(found) === entries.get(path)?.object;
  const texts = scope?.base ? await textsOf(place, entries) : null;
  const read = (path: string) => {
    if (entries.get(path)?.kind !== 'file') return null;
    if (texts !== null) return texts.get(path) ?? null;
    const found = content(path);
    return isSame(path, found) ? String(found) : null;
  };
  return toldScope(scope, criteria, { paths: [...entries.keys()], read });
}

/** What tells a scope: code, manifests and settings. */
export async function textsOf(
  place: StorePlace,
  entries: StoredTree['entries'],
): Promise<ReadonlyMap<string, string>> {
  const files = [...entries].filter(
    ([path]) =>
      isCode(path) || /[a-z]+file$|\.(?:json|toml|xml|cfg|gradle|kts|mod|txt)$/i.test(path),
  );
  const texts = new Map<string, string>();
  for await (const [path, content] of readEach(place, files)) texts.set(path, String(content));
  return texts;
}

/** What to tell of the level that can be reached. */
async function noticesOf(
  { workspace, criteria }: GoalBrief,
  scope: Scope,
  { entries, leftOut, unread }: StoredTree,
): Promise<ScopeNotice[]> {
  const files = [...entries.keys()].filter(scopeTest(scope)).length;
  const ignored = await ignoredFiles(workspace.path, criteria, (path) => entries.has(path));
  const known = { scope, files, total: entries.size, leftOut, unread, ignored };
  return scopeNotices({ ...known, ...(await repositoryFacts(workspace.path)) });
}
