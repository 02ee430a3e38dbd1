import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from '../../../schema/scope.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import { StoreFailed } from '../../checkpoints/store-git.ts';
import type { StoredTree, TreeEntry } from '../../checkpoints/tree.ts';
import type { GoalBrief, StoredBaseline } from '../../contract/goal-brief.ts';
import { scopeOfCaller, scopeOfHost } from '../../proof/proof-parts.ts';
import { inferScope } from '../../proof/scope/infer-scope.ts';
import { readDependencies } from '../../proof-place/dependencies.ts';
import { keepOriginal, readOriginal } from '../../proof-place/original.ts';
import { GitSilent } from '../../workspace/git/run-git.ts';
import type { BaselineRun } from '../baseline-run.ts';

/** Larger files say nothing about what the product is. */
const MOST_READ_BYTES = 256 * 1024;

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
    const original = await keepOriginal(ports.home, goalId, workspace.path);
    const tree = await readOriginal(ports.home, goalId, original);
    const scope = scopeOf(brief, tree);
    const dependencies = await readDependencies(workspace.path, tree);
    return { proof: { original, scope, dependencies }, tree };
  } catch (error) {
    if (isAboutTheTree(error)) return without(error.message.slice(0, 500));
    throw error;
  }
}

const without = (reason: string): KeptGround => ({ proof: { reason }, tree: null });

const isAboutTheTree = (error: unknown): error is Error =>
  error instanceof TooLarge || error instanceof StoreFailed || error instanceof GitSilent;

function scopeOf({ scope, criteria, workspace }: GoalBrief, { entries }: StoredTree): Scope {
  if (scope) return scopeOfCaller(scope, criteria);
  const commands = criteria.flatMap(({ spec }) => (spec.kind === 'command' ? [spec.command] : []));
  const read = (path: string) => textOf(join(workspace.path, path), entries.get(path));
  return scopeOfHost(inferScope({ paths: [...entries.keys()], read, commands }), criteria);
}

/** Null unless the file is the one of the tree. */
function textOf(path: string, entry: TreeEntry | undefined): string | null {
  if (entry?.kind !== 'file') return null;
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MOST_READ_BYTES) return null;
    const content = readFileSync(file);
    return blobId(content) === entry.object ? content.toString('utf8') : null;
  } finally {
    closeSync(file);
  }
}

const blobId = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.byteLength}\0`).update(content).digest('hex');
