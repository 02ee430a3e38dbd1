import { join, posix } from 'node:path';
import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { TreeEntry } from '../../checkpoints/stored-tree.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import type { CriterionEvidence } from '../../contract/evidence.ts';
import type { ProofGround } from '../../contract/original.ts';
import { statsOf } from '../../process/stats-of.ts';
import type { ScopeFacts } from '../../proof/scope/scope-notices.ts';
import type { Comparison } from '../../proof-place/original.ts';
import { withChanges } from '../../proof-place/tree-changes.ts';
import { treeId } from '../../proof-place/tree-id.ts';
import { ignoredAround } from '../../workspace/git/ignored-around.ts';
import { ignoringRule } from '../../workspace/git/ignoring-rule.ts';
import { submoduleAround } from '../../workspace/git/submodule-around.ts';
import { resolvedName } from '../../workspace/paths.ts';
import { runAfterSetup } from '../clean.ts';
import { type GateRun, hostRunOf } from '../criterion-check.ts';
import {
  type FileLook,
  type FileSpec,
  lookAtFile,
  lookForIt,
  lookInside,
} from '../look-at-file.ts';
import { buildsOf } from './behind.ts';
import type { Change } from './changes.ts';
import { inputsOf } from './check.ts';
import { inPlace } from './place.ts';
import { type Proving, treeWith } from './search.ts';
import { afterSetup } from './setup.ts';

/** A criterion that asks for a file which is in no tree: only a build could make it there. */
export interface Undelivered {
  readonly criterionId: string;
  readonly spec: FileSpec;
  /** Why it is in none, for people. */
  readonly reason: string;
  /** The commands of the criteria before it. */
  readonly builds: readonly string[];
}

/** Criteria of this kind hold by something that is there. */
export const asksForFile = (spec: Criterion): spec is FileSpec =>
  spec.kind === 'file' && (spec.exists === true || spec.matches !== undefined);

/**
 * The criteria that hold by a file of the workspace which is not delivered: it is neither of the
 * original nor a change that git would keep. Without a repository, the workspace itself is what is
 * delivered.
 */
export async function undeliveredFiles(
  { brief }: Pick<GateRun, 'brief'>,
  { original }: Pick<ProofGround, 'original'>,
  trees: Comparison,
): Promise<Undelivered[]> {
  const { criteria, workspace } = brief;
  const asking = criteria.flatMap(({ criterionId, spec }, index) =>
    asksForFile(spec) ? [{ criterionId, spec, index }] : [],
  );
  if (asking.length === 0 || !(await isOfRepository(workspace.path, original))) return [];
  const entries = withChanges(trees.original, trees.changes);
  const found: Undelivered[] = [];
  for (const { criterionId, spec, index } of asking) {
    const path = resolvedName(workspace.path, spec.path) ?? pathIn(workspace.path, spec);
    const isUnkept = [...original.leftOut, ...trees.present.leftOut].includes(path);
    if (isUnkept) continue;
    const wanted = { ...spec, path: pathIn(workspace.path, spec) };
    const builds = buildsOf(criteria.slice(0, index).map((one) => one.spec));
    const isInTree = (await lookInTree(trees.place, entries, wanted)).holds;
    const link = isInTree ? await unkeptIn(workspace, original, path, trees.changes) : null;
    if (isInTree && link === null) continue;
    const reason =
      link === null
        ? whyUndelivered(path, await ignoringRule(workspace.path, path))
        : `${path} lies in the submodule ${link}, of which a worktree and its commits hold nothing`;
    found.push({ criterionId, spec, builds, reason });
  }
  return found;
}

/** As a look at the workspace finds it, relative to it. */
const pathIn = (workspace: string, { path }: Pick<FileSpec, 'path'>): string =>
  posix.relative(
    '/',
    posix.resolve('/', posix.isAbsolute(path) ? posix.relative(workspace, path) : path),
  );

/**
 * The submodule in which a path was written, where nobody keeps that: a worktree's goes with it, and
 * in the folder of one that is not checked out there is no repository.
 */
async function unkeptIn(
  { path: workspace, branch }: GateRun['brief']['workspace'],
  { head = null }: ProofGround['original'],
  path: string,
  changes: Comparison['changes'],
): Promise<string | null> {
  const isWithin = (one: Comparison['changes'][number]) =>
    one.path === path || one.path.startsWith(`${path}/`);
  if (head === null || !changes.some(isWithin)) return null;
  const link = await submoduleAround(workspace, path, [head, 'HEAD']);
  if (link === null) return null;
  const isKept = branch == null && statsOf(join(workspace, link, '.git')) !== undefined;
  return isKept ? null : link;
}

/** Whoever takes the repository away does not make the workspace what is delivered. */
const isOfRepository = async (
  workspace: string,
  { head }: ProofGround['original'],
): Promise<boolean> => (head ?? null) !== null || (await ignoredAround(workspace)) !== null;

const whyUndelivered = (path: string, rule: string | null): string =>
  rule === null
    ? `${path} is in no commit and in no proof: git ignored it when the goal began, or keeps no such thing (an empty folder, node_modules)`
    : `${path} is ignored by git (${rule}): it is in no commit and in no proof`;

const MOST_LINKS = 40;

type Entries = ReadonlyMap<string, TreeEntry>;

async function lookInTree(place: StorePlace, entries: Entries, spec: FileSpec): Promise<FileLook> {
  const relative = await resolveInTree(place, entries, spec.path);
  const entry = relative === null ? undefined : entries.get(relative);
  const isFolder = () =>
    relative === '' || [...entries.keys()].some((path) => path.startsWith(`${relative}/`));
  const kind = entry !== undefined ? 'file' : relative !== null && isFolder() ? 'folder' : 'absent';
  const lying = { relative: relative ?? spec.path, kind } as const;
  if (spec.matches === undefined) return lookForIt(lying, spec.type ?? 'file');
  return await lookInside(lying, spec.matches, async () => {
    return entry === undefined ? null : ((await readObjects(place, [entry.object]))[0] ?? null);
  });
}

/** Where links of the tree lead; null: out of it, or in a circle. */
async function resolveInTree(
  place: StorePlace,
  entries: Entries,
  path: string,
): Promise<string | null> {
  const open = path.split('/');
  let at = '.';
  for (let links = 0; open.length > 0; ) {
    const next = posix.join(at, open.shift() ?? '');
    if (next.startsWith('..') || posix.isAbsolute(next)) return null;
    const entry = entries.get(next);
    if (entry?.kind !== 'link') {
      at = next;
      continue;
    }
    links += 1;
    const target = String((await readObjects(place, [entry.object]))[0]);
    if (links > MOST_LINKS || posix.isAbsolute(target)) return null;
    open.unshift(...target.split('/'));
  }
  return at === '.' ? '' : at;
}

/** Nothing makes these: the goal is told what to do instead. */
export function withoutFiles(
  criteria: readonly CriterionEvidence[],
  lacking: readonly Undelivered[],
): CriterionEvidence[] {
  return criteria.map((one) => {
    const found = lacking.find(({ criterionId }) => criterionId === one.criterionId);
    if (found === undefined) return one;
    return { ...one, state: 'unmet', reason: found.reason, remedy: KEPT_OR_BUILT };
  });
}

const KEPT_OR_BUILT =
  'a criterion is judged by what is delivered. Take back what made git ignore it, if the goal did; ' +
  'if not, call dispute_criterion or ask_user: it takes a file that git keeps, or a command in a ' +
  'criterion before it that makes this one.';

/**
 * Looks for files that are built where the proof ran, behind the commands of the criteria before:
 * what these make of the original as well shows nothing of the work.
 */
export async function lookAtBuilt(
  proving: Proving,
  taken: readonly Change[],
  lacking: readonly Undelivered[],
  criteria: readonly CriterionEvidence[],
): Promise<CriterionEvidence[]> {
  const found = new Map<string, Partial<CriterionEvidence>>();
  for (const one of lacking) {
    const now = await lookBehind(proving, one, taken, 'built');
    if (!now.holds) {
      const reason = `${one.reason}; in the proof run ${now.reason}`;
      found.set(one.criterionId, { state: 'unmet', reason, remedy: KEPT_OR_BUILT });
      continue;
    }
    const before = await lookBehind(proving, one, [], 'built-before');
    const reason = `${now.reason} in the proof run, as the commands before it make it`;
    const { receipts } = now;
    found.set(one.criterionId, { reason, receipts, ...(before.holds && { baseline: 'met' }) });
  }
  return criteria.map((one) => ({ ...one, ...found.get(one.criterionId) }));
}

async function lookBehind(
  proving: Proving,
  { criterionId, spec, builds }: Undelivered,
  changes: readonly Change[],
  label: string,
): Promise<FileLook & { readonly receipts: readonly number[] }> {
  const { gate } = proving;
  const own = hostRunOf(gate);
  const tree = treeWith(proving, changes);
  const command = { kind: 'command', command: builds.join(' && ') } as const;
  const proof = { tree: treeId(tree.entries), inputs: inputsOf(command, tree) };
  const host = { ...own, proof, prefix: `${own.prefix}.${label}` };
  const path = pathIn(gate.brief.workspace.path, spec);
  const look = await inPlace(host, gate.input.goalId, tree, async (place) => {
    const running = { criterionId, spec: command };
    const ran = afterSetup(place, await runAfterSetup(host, running, place, 'the proof run'));
    const { receipts } = ran;
    if (!ran.last.isMet) return { holds: false, reason: ran.reason, receipts };
    return { ...(await lookAtFile(place.checkout, { ...spec, path }, undefined)), receipts };
  });
  gate.signal.throwIfAborted();
  return look;
}

/**
 * What criteria ask for although git ignores it, before the work begins.
 *
 * @param has whether a path is in the tree that the goal begins with
 */
export async function ignoredFiles(
  workspace: string,
  criteria: readonly Pick<TrackedCriterion, 'spec'>[],
  has: (path: string) => boolean,
): Promise<ScopeFacts['ignored']> {
  const found: ScopeFacts['ignored'][number][] = [];
  if (!criteria.some(({ spec }) => asksForFile(spec))) return found;
  if ((await ignoredAround(workspace)) === null) return found;
  for (const [index, { spec }] of criteria.entries()) {
    const path = asksForFile(spec) ? pathIn(workspace, spec) : '';
    const rule = path === '' || has(path) ? null : await ignoringRule(workspace, path);
    if (rule === null) continue;
    const isBuilt = buildsOf(criteria.slice(0, index).map((one) => one.spec)).length > 0;
    found.push({ path, rule, isBuilt });
  }
  return found;
}
