import type { ShownChange } from '../../../schema/basis-change.ts';
import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Scope } from '../../../schema/scope.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import { StoreFailed } from '../../checkpoints/store-git.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import type { Lent } from '../../contract/effects.ts';
import type { CriterionEvidence } from '../../contract/evidence.ts';
import type { ProofGround } from '../../contract/original.ts';
import { declinedChanges } from '../../goal/approvals/approvals.ts';
import { normalisePath } from '../../proof/evidence.ts';
import { renderDiff } from '../../proof/line-diff.ts';
import { isInScope } from '../../proof/scope/scope.ts';
import { smallestSet } from '../../proof/smallest-set.ts';
import { lendUnchanged } from '../../proof-place/dependencies.ts';
import { type Comparison, withComparison } from '../../proof-place/original.ts';
import { type TreeChange, withChanges } from '../../proof-place/tree-changes.ts';
import { type Judged, judgeBasis } from '../basis/judge.ts';
import { type CriterionOf, type GateRun, hostRunOf } from '../criterion-check.ts';
import { runProof } from './run.ts';

/** Runs that look for the fewest changes beyond the scope; then all of them are asked for. */
const MOST_RUNS = 8;

/**
 * Proves what holds in the workspace: the original tree with the goal's changes in scope, and
 * nothing else, has to pass as well. Where it doesn't, the fewest changes beyond the scope with
 * which it does are a question to a person.
 */
export async function judgeProof(
  gate: GateRun,
  criteria: readonly CriterionEvidence[],
): Promise<Judged> {
  const { brief } = gate;
  if (brief.policy.proof !== 'scope') return await judgeBasis(gate, criteria);
  const proof = brief.baseline?.proof;
  if (proof === undefined || 'reason' in proof) {
    return supportedBy(criteria, proof?.reason ?? 'the original was not kept');
  }
  const supporting = new Set(
    brief.criteria
      .filter((one) => supportsOnly(one, proof.scope))
      .map(({ criterionId }) => criterionId),
  );
  const found = criteria.map((one) =>
    supporting.has(one.criterionId) ? { ...one, isHostChecked: false } : one,
  );
  const checks = brief.criteria.filter(isProven);
  if (checks.length === 0 || criteria.some(({ state }) => state !== 'met')) {
    return { criteria: found, weakened: [] };
  }
  try {
    return await proveIn({ gate, checks, proof }, found);
  } catch (error) {
    if (error instanceof StoreFailed || error instanceof TooLarge) {
      return supportedBy(criteria, error.message);
    }
    throw error;
  }
}

type Command = CriterionOf<'command'>;

const isProven = (criterion: TrackedCriterion): criterion is Command =>
  criterion.spec.kind === 'command' && criterion.spec.check !== 'receipt';

/** Runs of the model, checkers in the workspace and files beyond the scope have no proof run. */
function supportsOnly({ spec }: TrackedCriterion, scope: Scope): boolean {
  switch (spec.kind) {
    case 'command':
      return spec.check === 'receipt';
    case 'file':
      return !isInScope(scope, normalisePath(spec.path));
    case 'diagnostics':
      return true;
    // None of these proves anything by itself.
    case 'git':
    case 'review':
    case 'approval':
      return false;
  }
}

/** What only the workspace shows supports a claim. */
const supportedBy = (criteria: readonly CriterionEvidence[], why: string): Judged => ({
  criteria: criteria.map((one) => {
    const reason = `${one.reason}; there is no proof run: ${why}`;
    return { ...one, isHostChecked: false, reason };
  }),
  weakened: [],
});

interface Proving {
  readonly gate: GateRun;
  readonly checks: readonly Command[];
  readonly proof: ProofGround;
}

async function proveIn(proving: Proving, criteria: readonly CriterionEvidence[]): Promise<Judged> {
  const { gate, proof } = proving;
  const workspace = gate.brief.workspace.path;
  const ground = { home: gate.ports.home, goalId: gate.input.goalId, workspace };
  const found = await lendUnchanged(workspace, proof.dependencies);
  const changed = 'changed' in found ? found.changed : null;
  const lent = 'lent' in found ? found.lent : [];
  const { judged, proven } = await withComparison(ground, proof.original, async (trees) => {
    if (trees.unseen.length > 0) throw new TooLarge(`${trees.unseen[0]} could not be kept`);
    const judged = await prove({ ...proving, trees, lent, changed }, criteria);
    return { judged, proven: contentsOf(trees.changes) };
  });
  const delivered = await withComparison(ground, proof.original, async (trees) =>
    contentsOf(trees.changes),
  );
  const after = await lendUnchanged(workspace, proof.dependencies);
  const isSame = delivered === proven && 'changed' in after === (changed !== null);
  return isSame ? judged : { criteria: moved(criteria), weakened: [] };
}

const contentsOf = (changes: readonly TreeChange[]): string =>
  JSON.stringify(changes.map((change) => [change.path, contentOf(change)]));

/** What was proven is not what would be delivered. */
const moved = (criteria: readonly CriterionEvidence[]): CriterionEvidence[] =>
  criteria.map((one) => ({ ...one, state: 'unmet', reason: 'files changed while it was proven' }));

interface Search extends Proving {
  readonly trees: Comparison;
  readonly lent: readonly Lent[];
  /** A folder of installed packages that is not as it was; null = all are. */
  readonly changed: string | null;
}

async function prove(search: Search, criteria: readonly CriterionEvidence[]): Promise<Judged> {
  const { gate, proof, trees } = search;
  const accepted = gate.brief.baseline?.accepted ?? {};
  const isWork = (change: TreeChange) =>
    isInScope(proof.scope, change.path) || accepted[change.path] === contentOf(change);
  const work = trees.changes.filter(isWork);
  const beyond = trees.changes.filter((change) => !isWork(change));
  let runs = 0;
  const run = (changes: readonly TreeChange[]) => {
    runs += 1;
    return runAll(search, changes, `proof${runs}`);
  };
  const alone = await run(work);
  if (alone.failed === null) {
    await gate.ports.basis.keepChanges(gate.attempt.fence, gate.input.turn, []);
    return { criteria: provenBy(criteria, alone), weakened: [] };
  }
  const all = beyond.length === 0 ? alone : await run([...work, ...beyond]);
  if (all.failed !== null) return { criteria: provenBy(criteria, all), weakened: [] };
  const isEnough = async (some: readonly TreeChange[]) =>
    (await run([...work, ...some])).failed === null;
  const needed = await smallestSet(beyond, isEnough, MOST_RUNS);
  const shown = await shownChanges(search, needed);
  await gate.ports.basis.keepChanges(gate.attempt.fence, gate.input.turn, shown);
  return {
    criteria,
    weakened: shown.map(({ name }) => name),
    ...(await declinedOf(gate, shown)),
  };
}

interface Proven {
  /** Receipts of the runs, by criterion. */
  readonly receipts: ReadonlyMap<string, readonly number[]>;
  readonly failed: { readonly criterionId: string; readonly reason: string } | null;
}

/** Ends at the first check that does not hold. */
async function runAll(
  { gate, checks, trees, lent, changed }: Search,
  changes: readonly TreeChange[],
  label: string,
): Promise<Proven> {
  const receipts = new Map<string, readonly number[]>();
  const own = hostRunOf(gate);
  const host = { ...own, prefix: `${own.prefix}.${label}` };
  const original = trees.original.entries;
  const tree = {
    store: trees.place,
    entries: withChanges(trees.original, changes),
    lent,
    original,
  };
  for (const { criterionId, spec } of checks) {
    const ran = await runProof(host, gate.input.goalId, { criterionId, spec }, tree);
    gate.signal.throwIfAborted();
    receipts.set(criterionId, ran.receipts);
    if (ran.last.isMet) continue;
    const hint =
      changed === null
        ? ''
        : `\nThe installed packages in ${changed} changed since the start, so it ran without any.`;
    return { receipts, failed: { criterionId, reason: `${ran.reason}${hint}` } };
  }
  return { receipts, failed: null };
}

function provenBy(
  criteria: readonly CriterionEvidence[],
  { receipts, failed }: Proven,
): CriterionEvidence[] {
  return criteria.map((one) => {
    const own = receipts.get(one.criterionId) ?? [];
    const cited = { ...one, receipts: [...one.receipts, ...own] };
    if (failed?.criterionId !== one.criterionId) return cited;
    return { ...cited, state: 'unmet', reason: failed.reason, remedy: OUT_OF_PLACE };
  });
}

const OUT_OF_PLACE =
  'the host runs it on the files as they were at the start with the changed ones: what git ' +
  'ignores, what was built and what was installed meanwhile is not there. Make it pass from the ' +
  'sources alone, then call attempt_completion.';

/** Tells contents and modes apart; null = the file is gone. */
const contentOf = ({ now }: TreeChange): string | null =>
  now === null ? null : `${now.kind}:${now.object}:${now.mode.toString(8)}`;

async function shownChanges(
  { checks, trees }: Search,
  changes: readonly TreeChange[],
): Promise<ShownChange[]> {
  const criterionIds = checks.map(({ criterionId }) => criterionId);
  const textOf = async (entry: TreeChange['now']): Promise<string | null> =>
    entry === null ? null : String((await readObjects(trees.place, [entry.object]))[0]);
  return await Promise.all(
    changes.map(async (change) => {
      const { path, before, now } = change;
      return {
        name: path,
        kind: 'beyond_scope' as const,
        criterionIds,
        before: before === null ? null : contentOf({ ...change, now: before }),
        now: contentOf(change),
        diff: renderDiff(await textOf(before), await textOf(now)),
      };
    }),
  );
}

async function declinedOf(
  { ports, input }: GateRun,
  changes: readonly ShownChange[],
): Promise<Pick<Judged, 'declined'>> {
  if (changes.length === 0) return {};
  const present = Object.fromEntries(changes.map(({ name, now }) => [name, now]));
  const declined = declinedChanges(present, await ports.journal.decidedApprovals(input.goalId));
  return declined.length === 0 ? {} : { declined };
}
