import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { CriterionEvidence } from '../../contract/evidence.ts';
import type { CanaryFinding } from './canaries/finding.ts';
import type { Change } from './changes.ts';
import type { Provable } from './check.ts';
import { checkOn, type Proving, type Trial, treeWith } from './search.ts';

/** What only the workspace shows supports a claim. */
export const supportedBy = (
  criteria: readonly CriterionEvidence[],
  why: string,
): CriterionEvidence[] =>
  criteria.map((one) =>
    one.state === 'met' && one.isHostChecked
      ? { ...one, isHostChecked: false, reason: `${one.reason}; there is no proof run: ${why}` }
      : one,
  );

/** Runs of the model have no proof run. */
export function withoutProofRun(
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

/** The goal itself made what no proof can have: that is put right, and no reason to ask a person. */
export const tooLargeFor = (
  criteria: readonly CriterionEvidence[],
  path: string,
): CriterionEvidence[] =>
  criteria.map((one) => ({
    ...one,
    state: 'unmet',
    reason: `${path} is too large for a proof run, or can't be read`,
    remedy: `make ${path} smaller, or remove it; then call attempt_completion.`,
  }));

/** What was proven is not what would be delivered. */
export const movedBy = (criteria: readonly CriterionEvidence[]): CriterionEvidence[] =>
  criteria.map((one) => ({ ...one, state: 'unmet', reason: 'files changed while it was proven' }));

/** What speaks against a check that passes, where nobody reviews the work. */
interface Trust {
  /** The goal made files that judge it. */
  readonly selfChecked: boolean;
  readonly heard: ReadonlyMap<string, CanaryFinding>;
}

/**
 * The criteria after a proof that holds. One that could not be run before the work began is looked
 * at again on the original, now that the place is known to be fit for it.
 */
export async function provenBy(
  proving: Proving,
  criteria: readonly CriterionEvidence[],
  { proven }: Trial,
  taken: readonly Change[],
  { selfChecked, heard }: Trust,
): Promise<CriterionEvidence[]> {
  const isReviewed = proving.gate.brief.criteria.some(({ spec }) => spec.kind === 'review');
  const isDeaf = [...heard.values()].some(({ state }) => state === 'deaf');
  const isUnjudged = (selfChecked || isDeaf) && !isReviewed;
  const packages = taken.filter(({ kind }) => kind === 'packages');
  const found: CriterionEvidence[] = [];
  for (const one of criteria) {
    const check = proving.checks.find(({ criterionId }) => criterionId === one.criterionId);
    if (check === undefined) {
      found.push(isUnjudged ? { ...one, isHostChecked: false } : one);
      continue;
    }
    const finding = heard.get(one.criterionId);
    const ran = [...(proven.get(one.criterionId)?.receipts ?? []), ...(finding?.receipts ?? [])];
    const receipts = [...one.receipts, ...ran];
    const baseline = one.baseline === 'not_run' ? await lookBack(proving, check, packages) : null;
    const own = { ...one, receipts, ...(baseline !== null && { baseline }) };
    const doubts = [
      ...(selfChecked ? [OWN_JUDGE] : []),
      ...(finding?.state === 'deaf' ? [finding.reason] : []),
    ];
    const reason = [own.reason, ...doubts].join('; ');
    found.push(isUnjudged ? { ...own, isHostChecked: false, reason } : own);
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

/** The original notices what the work lets pass. */
export const bentBy = (
  criteria: readonly CriterionEvidence[],
  heard: ReadonlyMap<string, CanaryFinding>,
): CriterionEvidence[] =>
  criteria.map((one) => {
    const finding = heard.get(one.criterionId);
    if (finding?.state !== 'bent') return one;
    const receipts = [...one.receipts, ...finding.receipts];
    return { ...one, receipts, state: 'unmet', reason: finding.reason, remedy: NOT_THE_JUDGE };
  });

const NOT_THE_JUDGE =
  'the sources may not change what judges them: assertions, the test runner, its report or the ' +
  'exit code of its process. Take that out and call attempt_completion.';

export const unfeltBy = (
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

export function refusedBy(
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
