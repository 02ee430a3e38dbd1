import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { GoalProof } from '../../../schema/goal-proof.ts';
import type { ProofBase } from '../../../schema/proof-bundle.ts';
import type { ShownChange } from '../../../schema/proof-change.ts';
import type { Scope } from '../../../schema/scope.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import { StoreFailed } from '../../checkpoints/store-git.ts';
import type { CriterionEvidence, Evidence } from '../../contract/evidence.ts';
import type { ProofGround } from '../../contract/original.ts';
import { declinedChanges } from '../../goal/approvals/approvals.ts';
import { type FeltChanges, whyTooLittleFelt } from '../../proof/felt-changes.ts';
import { type ProofParts, partsOf } from '../../proof/proof-parts.ts';
import { lostTests } from '../../proof/test-report.ts';
import { compareDependencies } from '../../proof-place/dependencies.ts';
import { type Comparison, withComparison } from '../../proof-place/original.ts';
import { treeId } from '../../proof-place/tree-id.ts';
import type { GateRun } from '../criterion-check.ts';
import { baseOf } from './base.ts';
import {
  type Change,
  contentOf,
  fileChanges,
  isDeliverable,
  nameOf,
  packagesChange,
  provenFiles,
  shownChanges,
} from './changes.ts';
import { type Provable, provable } from './check.ts';
import { lookWhatIsFelt } from './felt.ts';
import { checkOn, fewestNeeded, type Proving, type Trial, treeWith, tryChanges } from './search.ts';
import { shadowsIn } from './shadows.ts';
import { specHash } from './spec-hash.ts';

export type Judged = Pick<Evidence, 'criteria' | 'weakened' | 'declined'>;

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
  if (brief.policy.proof === 'workspace') {
    return supportedBy(criteria, 'the goal is judged by its workspace alone');
  }
  const ground = brief.baseline?.proof;
  if (ground === undefined || 'reason' in ground) {
    return supportedBy(criteria, ground?.reason ?? 'the original was not kept');
  }
  const found = withoutProofRun(brief.criteria, criteria);
  if (!criteria.every(isHeld)) return { criteria: found, weakened: [] };
  try {
    return await proveDelivered(gate, ground, found);
  } catch (error) {
    if (error instanceof StoreFailed || error instanceof TooLarge) {
      return supportedBy(criteria, error.message);
    }
    throw error;
  }
}

/** A person is asked when everything else holds, so the proof comes first. */
const isHeld = ({ state, person }: CriterionEvidence): boolean =>
  state === 'met' || person === 'needed';

/** What only the workspace shows supports a claim. */
const supportedBy = (criteria: readonly CriterionEvidence[], why: string): Judged => ({
  criteria: criteria.map((one) =>
    one.state === 'met' && one.isHostChecked
      ? { ...one, isHostChecked: false, reason: `${one.reason}; there is no proof run: ${why}` }
      : one,
  ),
  weakened: [],
});

/** Runs of the model have no proof run. */
function withoutProofRun(
  specs: readonly TrackedCriterion[],
  criteria: readonly CriterionEvidence[],
): CriterionEvidence[] {
  const isReceipt = ({ spec }: TrackedCriterion) =>
    spec.kind === 'command' && spec.check === 'receipt';
  const open = new Set(specs.filter(isReceipt).map(({ criterionId }) => criterionId));
  return criteria.map((one) =>
    one.state === 'met' && open.has(one.criterionId) ? { ...one, isHostChecked: false } : one,
  );
}

/** Proves the workspace as it is, and looks afterwards whether it still is. */
async function proveDelivered(
  gate: GateRun,
  ground: ProofGround,
  criteria: readonly CriterionEvidence[],
): Promise<Judged> {
  const { home } = gate.ports;
  const workspace = gate.brief.workspace.path;
  const place = { home, goalId: gate.input.goalId, workspace };
  const { judged, proven } = await withComparison(place, ground.original, async (trees) => {
    if (trees.unseen.length > 0) throw new TooLarge(`${trees.unseen[0]} could not be kept`);
    const { packages, changes } = await differences(workspace, ground, trees);
    const checks = provable(gate.brief.criteria);
    const proving = { gate, checks, trees, packages };
    const judged = await prove(proving, ground, changes, criteria);
    return { judged, proven: contentsOf(changes) };
  });
  const delivered = await withComparison(place, ground.original, async (trees) =>
    contentsOf((await differences(workspace, ground, trees)).changes),
  );
  return delivered === proven ? judged : { criteria: moved(criteria), weakened: [] };
}

/** What differs from the start, and the installed packages that don't. */
export async function differences(workspace: string, ground: ProofGround, trees: Comparison) {
  const { unchanged, changed } = await compareDependencies(
    workspace,
    ground.dependencies,
    trees.present,
  );
  const fresh = trees.changes.filter(({ before, now }) => before === null && now !== null);
  const shadows = await shadowsIn(
    fresh.map(({ path }) => path),
    { present: trees.present, packages: unchanged },
  );
  const files = await fileChanges(trees.place, trees.changes, shadows);
  return { packages: unchanged, changes: [...files, ...changed.map(packagesChange)] };
}

const contentsOf = (changes: readonly Change[]): string =>
  JSON.stringify(changes.map((change) => [nameOf(change), contentOf(change)]));

/** What was proven is not what would be delivered. */
const moved = (criteria: readonly CriterionEvidence[]): CriterionEvidence[] =>
  criteria.map((one) => ({ ...one, state: 'unmet', reason: 'files changed while it was proven' }));

async function prove(
  proving: Proving,
  { scope }: ProofGround,
  changes: readonly Change[],
  criteria: readonly CriterionEvidence[],
): Promise<Judged> {
  const { brief } = proving.gate;
  const accepted = brief.baseline?.accepted ?? {};
  const rules = { scope, criteria: brief.criteria, accepted, nameOf, contentOf, isDeliverable };
  const parts = partsOf(changes, rules);
  const { trial, taken } = await tryWork(proving, parts);
  if (trial.failed === null) {
    const lost = await lostIn(proving, trial, taken, accepted);
    if (lost.length > 0) return await ask(proving, criteria, lost);
    const selfChecked = taken.length > parts.product.length;
    const felt = await lookWhatIsFelt(proving, taken, trial);
    const tooLittle = whyTooLittleFelt(felt, brief.policy.felt?.share ?? 0);
    if (tooLittle !== null)
      return { criteria: unfeltBy(proving, criteria, tooLittle), weakened: [] };
    const found = { scope, accepted, taken, changes, trial, selfChecked, felt };
    const proof = await proofOf(proving, found);
    await keepFinding(proving, [], proof, await baseFor(proving));
    return { criteria: await provenBy(proving, criteria, trial, taken, selfChecked), weakened: [] };
  }
  const { beyond, work } = parts;
  const all = beyond.length === 0 ? trial : await tryChanges(proving, [...work, ...beyond], 'all');
  if (all.failed !== null) return { criteria: refusedBy(criteria, all), weakened: [] };
  const needed = await fewestNeeded(proving, work, beyond);
  const ids = proving.checks.map(({ criterionId }) => criterionId);
  return await ask(proving, criteria, await shownChanges(proving.trees.place, ids, needed));
}

/**
 * Files of the work that judge it by their names are left to the original, if the rest passes
 * without them.
 */
async function tryWork(
  proving: Proving,
  { product, work }: ProofParts<Change>,
): Promise<{ trial: Trial; taken: readonly Change[] }> {
  if (product.length < work.length) {
    const trial = await tryChanges(proving, product, 'product');
    if (trial.failed === null) return { trial, taken: product };
  }
  return { trial: await tryChanges(proving, work, 'work'), taken: work };
}

/** Puts changes that the proof needs to a person, unless they declined them as they are. */
async function ask(
  proving: Proving,
  criteria: readonly CriterionEvidence[],
  changes: readonly ShownChange[],
): Promise<Judged> {
  const { ports, input } = proving.gate;
  await keepFinding(proving, changes, null);
  const present = Object.fromEntries(changes.map(({ name, now }) => [name, now]));
  const declined = declinedChanges(present, await ports.journal.decidedApprovals(input.goalId));
  const weakened = changes.map(({ name }) => name);
  return { criteria, weakened, ...(declined.length === 0 ? {} : { declined }) };
}

function keepFinding(
  { gate }: Proving,
  changes: readonly ShownChange[],
  proof: GoalProof | null,
  base?: ProofBase,
): Promise<void> {
  const finding = { changes, proof, ...(base !== undefined && { base }) };
  return gate.ports.proofs.keepFinding(gate.attempt.fence, gate.input.turn, finding);
}

async function baseFor({ gate, trees }: Proving): Promise<ProofBase> {
  const ground = gate.brief.baseline?.proof;
  if (ground === undefined || 'reason' in ground) return { missing: 'the original was not kept' };
  const mask = gate.ports.secrets?.mask.text ?? ((text: string) => text);
  const workspace = gate.brief.workspace.path;
  return await baseOf({ workspace, kept: ground.original, trees, mask });
}

/** Tests that ran on the original and no longer do, unless a person accepted that. */
async function lostIn(
  { gate, checks }: Proving,
  { proven }: Trial,
  taken: readonly Change[],
  accepted: Readonly<Record<string, string | null>>,
): Promise<ShownChange[]> {
  const baselines = await gate.ports.proofs.baselines(gate.input.goalId);
  const changed = new Set(taken.map(nameOf));
  return checks.flatMap(({ criterionId, spec }) => {
    const hash = specHash(spec);
    const before = baselines.find((one) => one.criterionId === criterionId && one.spec === hash);
    const now = proven.get(criterionId)?.report ?? null;
    // Without a word of the runner now, its exit code is all there is.
    if (before === undefined || now === null) return [];
    return lostTests(before.report, now, (file) => !changed.has(file))
      .map(({ name, kind }) => ({
        ...{ name: `test:${name}`, kind, criterionIds: [criterionId] },
        ...{ before: 'passed', now: kind === 'test_skipped' ? 'skipped' : null, diff: '' },
      }))
      .filter((lost) => accepted[lost.name] !== lost.now);
  });
}

/**
 * The criteria after a proof that holds. One that could not be run before the work began is looked
 * at again on the original, now that the place is known to be fit for it.
 */
async function provenBy(
  proving: Proving,
  criteria: readonly CriterionEvidence[],
  { proven }: Trial,
  taken: readonly Change[],
  selfChecked: boolean,
): Promise<CriterionEvidence[]> {
  const isReviewed = proving.gate.brief.criteria.some(({ spec }) => spec.kind === 'review');
  const packages = taken.filter(({ kind }) => kind === 'packages');
  const found: CriterionEvidence[] = [];
  for (const one of criteria) {
    const check = proving.checks.find(({ criterionId }) => criterionId === one.criterionId);
    if (check === undefined) {
      found.push(one);
      continue;
    }
    const receipts = [...one.receipts, ...(proven.get(one.criterionId)?.receipts ?? [])];
    const baseline = one.baseline === 'not_run' ? await lookBack(proving, check, packages) : null;
    const own = { ...one, receipts, ...(baseline !== null && { baseline }) };
    const isOwnJudge = selfChecked && !isReviewed;
    found.push(
      isOwnJudge ? { ...own, isHostChecked: false, reason: `${own.reason}; ${OWN_JUDGE}` } : own,
    );
  }
  return found;
}

const OWN_JUDGE = 'the goal changed files that judge it, as its scope allows';

async function lookBack(
  proving: Proving,
  check: Provable,
  packages: readonly Change[],
): Promise<'met' | 'unmet'> {
  const ran = await checkOn(proving.gate, check, treeWith(proving, packages), 'original');
  return ran.isMet ? 'met' : 'unmet';
}

const unfeltBy = (
  { checks }: Proving,
  criteria: readonly CriterionEvidence[],
  reason: string,
): CriterionEvidence[] =>
  criteria.map((one) =>
    checks.some(({ criterionId }) => criterionId === one.criterionId)
      ? { ...one, state: 'unmet', reason, remedy: FEEL_IT }
      : one,
  );

const FEEL_IT =
  'change only what the checks ask for, or propose a criterion that the other files have to hold ' +
  'for; then call attempt_completion.';

function refusedBy(
  criteria: readonly CriterionEvidence[],
  { proven, failed }: Trial,
): CriterionEvidence[] {
  return criteria.map((one) => {
    const receipts = [...one.receipts, ...(proven.get(one.criterionId)?.receipts ?? [])];
    if (failed?.criterionId !== one.criterionId) return { ...one, receipts };
    return { ...one, receipts, state: 'unmet', reason: failed.reason, remedy: OUT_OF_PLACE };
  });
}

const OUT_OF_PLACE =
  'the host runs it on the files as they were at the start with the changed ones: what git ' +
  'ignores and what was built meanwhile is not there. Make it pass from the sources alone, then ' +
  'call attempt_completion.';

interface Proven {
  readonly scope: Scope;
  readonly accepted: Readonly<Record<string, string | null>>;
  readonly taken: readonly Change[];
  readonly changes: readonly Change[];
  readonly trial: Trial;
  readonly selfChecked: boolean;
  readonly felt: FeltChanges;
}

async function proofOf(
  proving: Proving,
  { scope, accepted, taken, changes, trial, selfChecked, felt }: Proven,
): Promise<GoalProof> {
  const { gate, checks, trees, packages } = proving;
  const baselines = await gate.ports.proofs.baselines(gate.input.goalId);
  const names = new Set(taken.map(nameOf));
  return {
    original: treeId(trees.original.entries),
    tree: treeId(treeWith(proving, taken).entries),
    scope,
    files: await provenFiles(trees.place, taken),
    accepted: taken.filter((change) => accepted[nameOf(change)] === contentOf(change)).map(nameOf),
    beyondScope: changes.map(nameOf).filter((name) => !names.has(name)),
    packages: [
      ...packages.map(({ lent }) => ({ at: lent.at, state: 'unchanged' as const })),
      ...taken.flatMap((change) =>
        change.kind === 'packages'
          ? [{ at: change.folder.lent.at, state: 'accepted' as const }]
          : [],
      ),
    ],
    criteria: checks.map(({ criterionId }) => {
      const { receipts = [], report = null, canaries } = trial.proven.get(criterionId) ?? {};
      const before = baselines.find((one) => one.criterionId === criterionId)?.report ?? null;
      const tests = { before: before?.ran ?? null, now: report?.ran ?? null };
      const { state, reason } = canaries ?? {};
      const seen =
        state === undefined || reason === undefined ? {} : { canaries: { state, reason } };
      return { criterionId, receipts: [...receipts], tests, ...seen };
    }),
    felt: { felt: [...felt.felt], unfelt: [...felt.unfelt], untried: [...felt.untried] },
    selfChecked,
  };
}
