import type { TrackedCriterion } from '../../schema/criteria.ts';
import { matchesPath } from '../../schema/glob.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import type { Scope } from '../../schema/scope.ts';
import type { CriterionEvidence } from '../contract/evidence.ts';
import type { ProofGround } from '../contract/original.ts';
import type { CriterionBaseline } from '../contract/proofs.ts';
import { type Change, contentOf, nameOf } from '../evidence/proof/changes.ts';
import { checkInPlace, provable } from '../evidence/proof/check.ts';
import { type Judged, judgeProof } from '../evidence/proof/judge.ts';
import type { ProofTree } from '../evidence/proof/proof-tree.ts';
import { treeWith } from '../evidence/proof/search.ts';
import { isJudgeLike } from '../proof/scope/judge-like.ts';
import { readDependencies } from '../proof-place/dependencies.ts';
import { originalStore, withComparison } from '../proof-place/original.ts';
import { treeId } from '../proof-place/tree-id.ts';
import { ofPackages } from './accept.ts';
import { type Baselines, lookInTree, takeBaselines } from './baselines.ts';
import { isWorthAsking } from './criteria.ts';
import { compared, gateOf, hostOf, type Judging, rulesOf } from './gate-ground.ts';
import type { CheckRecord } from './record.ts';
import { CheckRefused } from './refused.ts';

export interface Verdict extends Judged {
  /** The criteria that counted. */
  readonly judged: readonly TrackedCriterion[];
  readonly baselines: Baselines;
  /** Asked of a person. */
  readonly asked: readonly ShownChange[];
  readonly accepted: readonly string[];
  /** All that differs from the base. */
  readonly changed: readonly string[];
  /** Folders of packages that a person's word lends. */
  readonly lent: readonly string[];
  /** Why packages were not lent: it differs from the base, and nobody accepted it. */
  readonly manifest: string | null;
}

/** Most times that lost tests and rewritten files which a person accepts lead to another look. */
const MOST_LOOKS = 3;

/** Judges what differs from the base, by the code of a goal's gate. */
export async function judgeWork(order: Judging): Promise<Verdict> {
  const { record } = order.ground;
  const changed = await changedPaths(order);
  if (changed.length === 0) throw nothingChanged(order);
  const manifest = ofPackages(changed).find((path) => !order.isAccepted(path)) ?? null;
  // Whoever vouched for the packages did not vouch for these.
  const isAccepted = (name: string) =>
    order.isAccepted(name) && (manifest === null || !name.endsWith('/'));
  return { ...(await judgeChanges({ ...order, isAccepted }, record)), changed, manifest };
}

async function judgeChanges(order: Judging, record: CheckRecord) {
  const proof = await groundOf(order);
  const folders = Object.keys(proof.dependencies).filter((at) => !at.includes('/.'));
  const lent = folders.map((at) => `${at}/`);
  const look = await lookAtChanges(order, proof);
  const keep = (taken: CriterionBaseline) => record.proofs.keepBaselines(null, [taken]);
  const host = hostOf(order.ground, 'baseline');
  const first = await takeBaselines(host, order.criteria, look.base, keep);
  const isAsked = (one: TrackedCriterion) => isWorthAsking(one, first.states[one.criterionId]);
  const judging = { ...order, criteria: order.criteria.filter(isAsked) };
  const judges = judgesAmong(look.taken, order.scope);
  const baselines = judges.length > 0 ? await lookAgain(judging, proof, first, judges) : first;
  const found = await proveWork(judging, proof, baselines, look.accepted);
  const isSteady = async (id: string) =>
    judges.length === 0 ? record.heldOnBase(id) : (await again()).states[id] === 'met';
  const again = once(() => lookAgain(judging, proof, baselines, judges));
  const told =
    found.asked.length > 0 ? found : { ...found, criteria: await steady(found.criteria, isSteady) };
  const isHeld = told.asked.length === 0 && told.criteria.every(isHolding);
  const isOfBase = isHeld && judges.length > 0 && order.order.acceptsHeld;
  const heldBy = isOfBase ? await heldOnBase(judging, proof, baselines, judges) : null;
  return { ...told, criteria: heldBy ?? told.criteria, judged: judging.criteria, baselines, lent };
}

const isHolding = ({ state, baseline }: CriterionEvidence): boolean =>
  state === 'met' && baseline !== 'unmet';

/** What failed on the base once, and held there in a later run, shows nothing of the work. */
async function steady(
  criteria: readonly CriterionEvidence[],
  heldLater: (criterionId: string) => Promise<boolean>,
): Promise<readonly CriterionEvidence[]> {
  if (criteria.some(({ state }) => state !== 'met')) return criteria;
  const found: CriterionEvidence[] = [];
  for (const one of criteria) {
    const isFlaky = one.baseline === 'unmet' && (await heldLater(one.criterionId));
    const reason = `${one.reason}; it failed on the base once, and held once`;
    found.push(isFlaky ? { ...one, baseline: 'met', reason } : one);
  }
  return found;
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** Tests that are accepted prove nothing where all held before: then those of the base have to hold. */
async function heldOnBase(
  judging: Judging,
  proof: ProofGround,
  baselines: Baselines,
  judges: readonly Change[],
): Promise<readonly CriterionEvidence[] | null> {
  const without = new Set(judges.map(nameOf));
  const isAccepted = (name: string) => judging.isAccepted(name) && !without.has(name);
  const { asked, criteria } = await proveWork({ ...judging, isAccepted }, proof, baselines, {});
  const isHeld = asked.length === 0 && criteria.every(({ state }) => state === 'met');
  if (isHeld) return null;
  const reason = 'it held before, and holds now with what was accepted alone';
  return judging.criteria.map((one) => ({
    ...evidenceOf(one, baselines.states, {}),
    ...{ state: 'unmet', reason },
  }));
}

async function changedPaths({ ground, trees: { head, original } }: Judging): Promise<string[]> {
  const { home, workspace, record } = ground;
  const place = { home, goalId: record.goalId, workspace, head };
  return await withComparison(place, original, async ({ changes, unseen }) => [
    ...changes.map(({ path }) => path),
    ...unseen,
  ]);
}

function nothingChanged({ given: { base = '', baseName = '' } }: Judging): CheckRefused {
  return new CheckRefused(
    'nothing_changed',
    `No file differs from the base (${base.slice(0, 12)}, ${baseName}).`,
    'Name an earlier commit, or the branch that the work was made from, by --base.',
  );
}

/** Lost tests and rewritten files have no names before a look: what is accepted leads to another. */
async function proveWork(
  judging: Judging,
  proof: ProofGround,
  baselines: Baselines,
  takenAs: Readonly<Record<string, string | null>>,
): Promise<Omit<Verdict, 'judged' | 'changed' | 'baselines' | 'manifest' | 'lent'>> {
  const { ground, isAccepted, criteria } = judging;
  const accepted = { ...takenAs };
  const files = await lookAtFiles(judging, proof);
  const evidence = criteria.map((one) => evidenceOf(one, baselines.states, files));
  for (let look = 1; ; look += 1) {
    const gate = gateOf(judging, { ...baselines, accepted, proof }, look);
    const { weakened, criteria: all } = await judgeProof(gate, evidence);
    const asked = weakened.length === 0 ? [] : (ground.record.finding?.changes ?? []);
    const fresh = asked.filter(({ name }) => isAccepted(name));
    for (const { name, now } of fresh) accepted[name] = now;
    if (fresh.length > 0 && look < MOST_LOOKS) continue;
    const isProven = asked.length === 0 && all.every(({ state }) => state === 'met');
    const found = isProven ? await asDelivered(judging, proof, all, accepted) : all;
    return { weakened, asked, accepted: Object.keys(accepted), criteria: found };
  }
}

/** Nothing shows that installed packages are what the base asks for: only a person's word lends them. */
async function groundOf({ ground, trees, scope, isAccepted }: Judging): Promise<ProofGround> {
  const all = await readDependencies(ground.workspace, trees.base);
  const ofAccepted = Object.entries(all).filter(([at]) => {
    const [folder = at] = Object.keys(all).filter((one) => at === one || at.startsWith(`${one}/`));
    return isAccepted(`${folder}/`);
  });
  const dependencies = Object.fromEntries(ofAccepted);
  return { original: trees.original, scope, dependencies };
}

/** The changes that a person accepted, and the trees that baselines are taken on. */
async function lookAtChanges(judging: Judging, proof: ProofGround) {
  return await compared(judging, proof, async ({ changes, packages, trees }) => {
    const taken = changes.filter((one) => judging.isAccepted(nameOf(one)));
    const given = { trees, packages, setup: rulesOf(judging) };
    const of = { goalId: judging.ground.record.goalId, scope: judging.scope };
    // The place of the comparison is gone by then, and the base is in the store.
    const store = originalStore(judging.ground.home, of.goalId);
    const base = { ...treeWith(given, []), ...of, store, keepsCaches: true };
    return {
      accepted: Object.fromEntries(taken.map((one) => [nameOf(one), contentOf(one)])),
      base,
      taken,
    };
  });
}

/**
 * With new or other tests that a person accepts, a criterion that held on the base may fail, so that
 * the work turns it; or hold, so that the work does not.
 */
async function lookAgain(
  judging: Judging,
  proof: ProofGround,
  first: Baselines,
  judges: readonly Change[],
): Promise<Baselines> {
  const states = { ...first.states };
  const reasons = { ...first.reasons };
  const host = hostOf(judging.ground, 'judged');
  await compared(judging, proof, async ({ packages, trees }) => {
    const tree = treeWith({ trees, packages, setup: rulesOf(judging) }, judges);
    for (const check of provable(judging.criteria)) {
      const { goalId } = judging.ground.record;
      const ran = await checkInPlace(host, goalId, check, tree, { manner: 'plain' });
      host.signal.throwIfAborted();
      if (ran.couldNotRun) continue;
      states[check.criterionId] = ran.isMet ? 'met' : 'unmet';
      reasons[check.criterionId] = `${ran.reason}, with what was accepted`;
    }
  });
  return { ...first, states, reasons };
}

/** Accepted changes that judge by their name, or were kept from the work; the others are work. */
const judgesAmong = (taken: readonly Change[], { keep }: Scope): Change[] =>
  taken.filter(
    (one) =>
      one.kind === 'file' &&
      (isJudgeLike(nameOf(one)) || keep.some((glob) => matchesPath(glob, nameOf(one)))),
  );

type FileStates = Readonly<Record<string, { readonly holds: boolean; readonly reason: string }>>;

async function lookAtFiles(judging: Judging, proof: ProofGround): Promise<FileStates> {
  const found: Record<string, FileStates[string]> = {};
  const files = judging.criteria.filter(({ spec }) => spec.kind === 'file');
  if (files.length === 0) return found;
  const host = hostOf(judging.ground, 'files');
  await compared(judging, proof, async ({ trees }) => {
    const { place: store, present, original } = trees;
    const tree = { store, entries: present.entries, original: original.entries, packages: [] };
    for (const { criterionId, spec } of files) {
      if (spec.kind !== 'file') continue;
      found[criterionId] = await lookInTree(host, judging.ground.record.goalId, spec, tree);
    }
  });
  return found;
}

/** Every command is taken to hold until the proof says otherwise. */
function evidenceOf(
  { criterionId, spec }: TrackedCriterion,
  states: Baselines['states'],
  files: FileStates,
): CriterionEvidence {
  const file = files[criterionId];
  return {
    criterionId,
    baseline: states[criterionId] ?? 'not_run',
    state: spec.kind === 'file' && file?.holds !== true ? 'unmet' : 'met',
    isHostChecked: true,
    reason: file?.reason ?? 'passes on the base with the work',
    receipts: [],
  };
}

/** What is delivered, with all that lies beyond the scope, has to hold as well. */
async function asDelivered(
  judging: Judging,
  proof: ProofGround,
  criteria: readonly CriterionEvidence[],
  accepted: Readonly<Record<string, string | null>>,
): Promise<readonly CriterionEvidence[]> {
  const { record } = judging.ground;
  return await compared(judging, proof, async ({ packages, trees }) => {
    const { place: store, present, original } = trees;
    if (treeId(present.entries) === record.finding?.proof?.tree) return criteria;
    const tree: ProofTree = {
      ...{ store, entries: present.entries, original: original.entries, packages },
      // What asks for other packages was asked about.
      setup: { ...rulesOf(judging), accepted, others: 'original' },
    };
    const host = hostOf(judging.ground, 'check.delivered');
    for (const check of provable(judging.criteria)) {
      const ran = await checkInPlace(host, record.goalId, check, tree, { manner: 'plain' });
      host.signal.throwIfAborted();
      if (ran.isMet) continue;
      const reason = `it holds by the work alone, and fails as delivered, with what lies beyond its scope: ${ran.reason}`;
      return criteria.map((one) =>
        one.criterionId === check.criterionId ? { ...one, state: 'unmet', reason } : one,
      );
    }
    return criteria;
  });
}
