import type { GoalProof } from '../../../schema/goal-proof.ts';
import type { ProofBase } from '../../../schema/proof-bundle.ts';
import type { ShownChange } from '../../../schema/proof-change.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import { isAboutTheStore } from '../../checkpoints/store-git.ts';
import type { CriterionEvidence, Evidence } from '../../contract/evidence.ts';
import type { ProofGround } from '../../contract/original.ts';
import { declinedChanges } from '../../goal/approvals/approvals.ts';
import { whyTooLittleFelt } from '../../proof/felt-changes.ts';
import { askedFor, commandsOf, type ProofParts, partsOf } from '../../proof/proof-parts.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { withComparison } from '../../proof-place/original.ts';
import { packageChanges } from '../../proof-place/package-list.ts';
import { type GateRun, hostRunOf } from '../criterion-check.ts';
import { judgeSealed } from '../sealed/judge.ts';
import { allowedAdditions } from './allowed-additions.ts';
import { baseOf } from './base.ts';
import { brokenByRest } from './broken-by-rest.ts';
import { findDeaf } from './canaries/find-deaf.ts';
import { type Change, nameOf, ofChanges, shownChanges } from './changes.ts';
import { provable } from './check.ts';
import {
  bentBy,
  movedBy,
  provenBy,
  refusedBy,
  supportedBy,
  tooLargeFor,
  unfeltBy,
  withoutProofRun,
} from './criteria-after.ts';
import {
  lookAtBuilt,
  type Undelivered,
  undeliveredFiles,
  withoutFiles,
} from './delivered-files.ts';
import { contentsOf, differences } from './differences.ts';
import { lookWhatIsFelt } from './felt.ts';
import { proofOf } from './goal-proof.ts';
import { lostIn } from './lost-tests.ts';
import { rewritesBy } from './rewritten.ts';
import { fewestNeeded, type Proving, type Trial, treeWith, tryChanges } from './search.ts';
import { keptPackages } from './setup.ts';
import { planSetups, setupRulesOf } from './setup-plans.ts';

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
    return asTheyAre(supportedBy(criteria, 'the goal is judged by its workspace alone'));
  }
  const ground = brief.baseline?.proof;
  if (ground === undefined || 'reason' in ground) {
    return asTheyAre(supportedBy(criteria, ground?.reason ?? 'the original was not kept'));
  }
  const found = withoutProofRun(brief.criteria, criteria);
  if (!criteria.every(isHeld)) return asTheyAre(found);
  try {
    return await proveDelivered(gate, ground, found);
  } catch (error) {
    if (isAboutTheStore(error) || error instanceof TooLarge) {
      return asTheyAre(supportedBy(criteria, error.message));
    }
    throw error;
  }
}

/** A person is asked when everything else holds, so the proof comes first. */
const isHeld = ({ state, person }: CriterionEvidence): boolean =>
  state === 'met' || person === 'needed';

/** Proves the workspace as it is, and looks afterwards whether it still is. */
async function proveDelivered(
  gate: GateRun,
  ground: ProofGround,
  criteria: readonly CriterionEvidence[],
): Promise<Judged> {
  const { home } = gate.ports;
  const workspace = gate.brief.workspace.path;
  const place = { home, goalId: gate.input.goalId, workspace, head: gate.head };
  return await withComparison(place, ground.original, async (trees, lookAgain) => {
    const isWork = scopeTest(ground.scope);
    const unproven = trees.unseen.find((path) => path.endsWith('/') || isWork(path));
    if (unproven !== undefined) return asTheyAre(tooLargeFor(criteria, unproven));
    const lacking = await undeliveredFiles(gate, ground, trees);
    const unmade = lacking.filter(({ builds }) => builds.length === 0);
    if (unmade.length > 0) return asTheyAre(withoutFiles(criteria, unmade));
    const setup = setupRulesOf(gate.brief);
    const kept = await keptPackages(home, treeWith({ trees, packages: [], setup }, []));
    const commands = commandsOf(gate.brief.criteria);
    const { packages, changes } = await differences(workspace, ground, trees, kept, commands);
    const checks = provable(gate.brief.criteria);
    const proving = { gate, checks, trees, packages, setup, lacking };
    const judged = await prove(proving, ground, changes, criteria);
    const delivered = await differences(workspace, ground, await lookAgain(), kept, null);
    const isAsProven = contentsOf(delivered.changes) === contentsOf(changes);
    return isAsProven ? judged : asTheyAre(movedBy(criteria));
  });
}

/** Nothing is asked of a person. */
const asTheyAre = (criteria: readonly CriterionEvidence[]): Judged => ({ criteria, weakened: [] });

async function prove(
  proving: Proving & { readonly lacking: readonly Undelivered[] },
  ground: ProofGround,
  changes: readonly Change[],
  criteria: readonly CriterionEvidence[],
): Promise<Judged> {
  const { brief } = proving.gate;
  const { scope } = ground;
  const accepted = brief.baseline?.accepted ?? {};
  const additions = await allowedAdditions(hostRunOf(proving.gate), treeWith(proving, []), changes);
  const known = { ...accepted, ...additions };
  const rules = {
    scope,
    criteria: brief.criteria,
    accepted: known,
    original: proving.trees.original.entries.keys(),
    ...ofChanges,
  };
  const parts = partsOf(changes, rules);
  const { trial, taken, withAsked } = await tryWork(proving, parts);
  if (trial.failed !== null) return await askForMore(proving, scope, parts, trial, criteria);
  const held = await lookAtBuilt(proving, taken, proving.lacking, criteria);
  if (!held.every(isHeld)) return asTheyAre(held);
  const lost = await lostIn(proving, trial, taken, accepted);
  const rewritten = await rewritesBy(proving, trial, scope, accepted);
  const asked = [...lost, ...rewritten, ...(await brokenByRest(proving, taken, changes, accepted))];
  if (asked.length > 0) {
    return await ask(proving, [...held, ...(await judgeSealed(proving, scope, taken))], asked);
  }
  const felt = await lookWhatIsFelt(proving, taken, trial);
  const tooLittle = whyTooLittleFelt(felt, brief.policy.felt?.share ?? 0);
  if (tooLittle !== null) return asTheyAre(unfeltBy(proving, held, tooLittle));
  const heard = await findDeaf(proving, taken, trial, scope);
  if ([...heard.values()].some(({ state }) => state === 'bent')) {
    return asTheyAre(bentBy(held, heard));
  }
  const selfChecked = taken.length > parts.product.length;
  const sealed = await judgeSealed(proving, scope, taken);
  const delivered = withAsked ?? { trial, taken };
  const found = { scope, accepted, ...delivered, changes, sealed, selfChecked, felt, heard };
  const isProven = sealed.every(({ state }) => state === 'met');
  const proof = isProven ? await proofOf(proving, found) : null;
  await keepFinding(proving, [], proof, isProven ? await baseOf(proving) : undefined);
  const trust = { selfChecked, heard };
  const proven = await provenBy(proving, held, delivered.trial, delivered.taken, trust);
  return asTheyAre([...proven, ...sealed]);
}

/** The work alone fails: the fewest changes beyond the scope that it needs are a question. */
async function askForMore(
  proving: Proving,
  scope: ProofGround['scope'],
  { work, beyond }: ProofParts<Change>,
  trial: Trial,
  criteria: readonly CriterionEvidence[],
): Promise<Judged> {
  const all = beyond.length === 0 ? trial : await tryChanges(proving, [...work, ...beyond], 'all');
  const adding = await addingPackages(proving, [...work, ...beyond]);
  if (all.failed !== null && adding.length === 0) return asTheyAre(refusedBy(criteria, all));
  const fewest = all.failed !== null ? adding : await fewestNeeded(proving, work, beyond);
  const needed = withoutInstalled(fewest, adding);
  const ids = proving.checks.map(({ criterionId }) => criterionId);
  const { brief, input, ports } = proving.gate;
  const changed = (at: string) =>
    packageChanges(ports.home, input.goalId, brief.workspace.path, at);
  const sealed = await judgeSealed(proving, scope, [...work, ...needed]);
  return await ask(
    proving,
    [...criteria, ...sealed],
    await shownChanges(proving.trees.place, ids, needed, changed),
  );
}

/** What asks for packages is the question, not the folder into which they were installed. */
function withoutInstalled(needed: readonly Change[], adding: readonly Change[]): readonly Change[] {
  const own = needed.filter(({ kind }) => kind !== 'packages');
  if (adding.length === 0 || own.length === needed.length) return needed;
  return [...own, ...adding.filter((one) => !own.includes(one))];
}

/** Changes that ask for packages which nobody allowed: without them no run tells what would hold. */
async function addingPackages(
  proving: Proving,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const plans = await planSetups(treeWith(proving, changes));
  const by = new Set(
    plans.flatMap(({ missing }) => (missing.packages.length > 0 ? missing.by : [])),
  );
  return changes.filter((change) => by.has(nameOf(change)));
}

interface Tried {
  readonly trial: Trial;
  readonly taken: readonly Change[];
}

/**
 * Files of the work that judge it by their names are left to the original, if the rest passes
 * without them. Those that a criterion asks for are delivered by what meets it, so that the rest has
 * to pass with them as well.
 */
async function tryWork(
  proving: Proving,
  { product, work }: ProofParts<Change>,
): Promise<Tried & { readonly withAsked?: Tried }> {
  if (product.length < work.length) {
    const trial = await tryChanges(proving, product, 'product');
    const asked = new Set(askedFor(proving.gate.brief.criteria));
    const isTaken = new Set(product);
    const taken = work.filter((change) => isTaken.has(change) || asked.has(nameOf(change)));
    if (trial.failed === null && taken.length === product.length) return { trial, taken: product };
    if (trial.failed === null) {
      const withAsked = { trial: await tryChanges(proving, taken, 'asked'), taken };
      return withAsked.trial.failed === null ? { trial, taken: product, withAsked } : withAsked;
    }
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
