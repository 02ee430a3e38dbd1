import type { LedgerRow } from '../../../schema/ledger.ts';
import { smallestSet } from '../../proof/smallest-set.ts';
import type { Comparison } from '../../proof-place/original.ts';
import { withChanges } from '../../proof-place/tree-changes.ts';
import { type GateRun, hostRunOf } from '../criterion-check.ts';
import type { Change } from './changes.ts';
import { checkInPlace, inputsOf, type Manner, type ProofOutcome, type Provable } from './check.ts';
import type { ProofTree, SetupRules } from './proof-tree.ts';

/** Runs that look for the fewest changes beyond the scope; then all of them are asked for. */
const MOST_RUNS = 8;

/** What the proof runs of a gate work with. */
export interface Proving {
  readonly gate: GateRun;
  readonly checks: readonly Provable[];
  readonly trees: Comparison;
  /** Installed packages that are as they were at the start. */
  readonly packages: ProofTree['packages'];
  readonly setup?: SetupRules;
}

/** How the criteria end on one tree. */
export interface Trial {
  /** By criterion, in the order of the runs. */
  readonly proven: ReadonlyMap<string, ProofOutcome>;
  /** The first check that does not hold; later ones did not run. */
  readonly failed: { readonly criterionId: string; readonly reason: string } | null;
}

/** The original with these changes, and nothing else. */
export function treeWith(
  { trees, packages, setup }: Pick<Proving, 'trees' | 'packages' | 'setup'>,
  changes: readonly Change[],
): ProofTree {
  const files = changes.flatMap((change) => (change.kind === 'file' ? [change.file] : []));
  const folders = changes.flatMap((change) => (change.kind === 'packages' ? [change.folder] : []));
  const entries = withChanges(trees.original, files);
  const original = trees.original.entries;
  const tree = { store: trees.place, entries, original, packages: [...packages, ...folders] };
  return setup === undefined ? tree : { ...tree, setup };
}

/** Runs the checks on the original with these changes, and ends at the first that does not hold. */
export async function tryChanges(
  proving: Proving,
  changes: readonly Change[],
  label: string,
): Promise<Trial> {
  const { gate, checks } = proving;
  const tree = treeWith(proving, changes);
  const proven = new Map<string, ProofOutcome>();
  for (const check of checks) {
    const { criterionId } = check;
    const ran = await checkOn(gate, check, tree, label);
    proven.set(criterionId, ran);
    if (!ran.isMet) return { proven, failed: { criterionId, reason: ran.reason } };
  }
  return { proven, failed: null };
}

export async function checkOn(
  gate: GateRun,
  check: Provable,
  tree: ProofTree,
  label: string,
  manner: Manner = 'whole',
) {
  const own = hostRunOf(gate);
  const host = { ...own, prefix: `${own.prefix}.${label}` };
  const { checkers = [], errors } = gate.brief.baseline?.seen?.[check.criterionId] ?? {};
  const counting = {
    ...(checkers.length > 0 ? { checkers } : {}),
    ...(check.spec.kind === 'diagnostics' && check.spec.onlyNew === true ? { known: errors } : {}),
  };
  return await checkInPlace(host, gate.input.goalId, check, tree, { ...counting, manner });
}

/**
 * The fewest of these changes with which the checks hold. A run that the ledger has already, with
 * the same inputs, is not repeated: a gate that died goes on where it was, and an open question is
 * found again at once. What is found is only asked for, so the runs are plain.
 */
export async function fewestNeeded(
  proving: Proving,
  work: readonly Change[],
  beyond: readonly Change[],
): Promise<readonly Change[]> {
  const known = knownOutcomes(proving.gate.receipts);
  let runs = 0;
  const isEnough = (some: readonly Change[]) =>
    holdsWith(proving, [...work, ...some], `search${++runs}`, known);
  return await smallestSet(beyond, isEnough, MOST_RUNS);
}

/** Whether all checks hold, run plainly, or as the ledger knows it. */
export async function holdsWith(
  proving: Proving,
  changes: readonly Change[],
  label: string,
  known: ReadonlyMap<string, boolean> = new Map(),
): Promise<boolean> {
  const tree = treeWith(proving, changes);
  for (const check of proving.checks) {
    const before = knownOf(known, check, tree);
    const isMet = before ?? (await checkOn(proving.gate, check, tree, label, 'plain')).isMet;
    if (!isMet) return false;
  }
  return true;
}

/** Undefined where a run is missing that could still hold. */
function knownOf(
  known: ReadonlyMap<string, boolean>,
  { spec, behind }: Provable,
  tree: ProofTree,
): boolean | undefined {
  const specs = behind === undefined ? [spec] : [spec, behind];
  const ends = specs.map((one) => known.get(inputsOf(one, tree)));
  return ends.includes(true) ? true : ends.includes(undefined) ? undefined : false;
}

/** By inputs, as the newest run of each ended. */
function knownOutcomes(rows: readonly LedgerRow[]): ReadonlyMap<string, boolean> {
  const known = new Map<string, boolean>();
  for (const { receipt, outcome } of rows) {
    const inputs = receipt?.proof?.inputs;
    if (inputs !== undefined) known.set(inputs, outcome === 'succeeded');
  }
  return known;
}
