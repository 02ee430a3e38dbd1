import type { SealedCriterion } from '../../../schema/criteria.ts';
import type { Scope } from '../../../schema/scope.ts';
import type { CriterionEvidence } from '../../contract/evidence.ts';
import type { KeptSealedRun, SealedContent } from '../../contract/sealed.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { MOST_JUDGED } from '../../proof/sealed/told.ts';
import { type CriterionOf, type GateRun, hostRunOf } from '../criterion-check.ts';
import type { Change } from '../proof/changes.ts';
import type { ProofTree } from '../proof/proof-tree.ts';
import { type Proving, treeWith } from '../proof/search.ts';
import { recorded, timesJudged } from './record.ts';
import { inputsOfReview, reviewSealed } from './review.ts';
import { inputsOfSealed, runSealed, type SealedOutcome } from './run.ts';

type Sealed = CriterionOf<'sealed'>;

/** What the model may know: nothing of a reason, an output or a path. */
interface Told extends Pick<SealedOutcome, 'state' | 'hint'> {
  readonly receipts: readonly number[];
  readonly baseline?: 'met' | 'unmet';
}

/**
 * Judges the sealed criteria on the original with these changes, after all others hold there.
 * Commands come first; a review pays a model and begins only when they hold.
 */
export async function judgeSealed(
  proving: Proving,
  scope: Scope,
  taken: readonly Change[],
): Promise<CriterionEvidence[]> {
  const { gate } = proving;
  const criteria = sealedOf(gate);
  if (criteria.length === 0) return [];
  const known = await gate.ports.sealed.runs(gate.input.goalId);
  const found: CriterionEvidence[] = [];
  for (const checks of ['command', 'review'] as const) {
    const mayJudge = found.every(({ state }) => state === 'met');
    for (const criterion of criteria.filter(({ spec }) => spec.checks === checks)) {
      const told = mayJudge
        ? await judgeOne({ proving, scope, taken, known }, criterion)
        : ('postponed' as const);
      found.push(evidenceOf(gate, criterion, told));
      gate.signal.throwIfAborted();
    }
  }
  return found;
}

export const sealedOf = ({ brief }: Pick<GateRun, 'brief'>): Sealed[] =>
  brief.criteria.filter((one): one is Sealed & typeof one => one.spec.kind === 'sealed');

/** Sealed criteria that nothing was judged of, as something else does not hold. */
export const postponedSealed = (gate: GateRun, found: readonly CriterionEvidence[]) =>
  sealedOf(gate)
    .filter(({ criterionId }) => found.every((one) => one.criterionId !== criterionId))
    .map((criterion) => evidenceOf(gate, criterion, 'postponed'));

interface Judging {
  readonly proving: Proving;
  readonly scope: Scope;
  readonly taken: readonly Change[];
  readonly known: readonly KeptSealedRun[];
}

async function judgeOne(judging: Judging, criterion: Sealed): Promise<Told | 'used up'> {
  const { proving, scope, taken, known } = judging;
  const { gate } = proving;
  const { criterionId, spec } = criterion;
  const content = await gate.ports.sealed.open(spec.sealedId);
  const problem =
    'problem' in content
      ? content.problem
      : whyNotIn(gate.ports.sealed.whyNot, scope, treeWith(proving, taken), content);
  if ('problem' in content || problem !== null) {
    return await judgeBy(judging, criterion, '', async () => notRun(problem ?? ''));
  }
  const inputs = inputsOf(judging, spec, content);
  const before = known.findLast(
    (run) => run.criterionId === criterionId && run.inputs === inputs && run.origin === 'gate',
  );
  // The same files say the same again, and a model that claims again learns nothing.
  const isKnown = before !== undefined && before.state !== 'not_run';
  if (!isKnown && timesJudged(gate.receipts, criterionId) >= MOST_JUDGED) {
    return 'used up';
  }
  const told: Told = isKnown
    ? { state: before.state, hint: before.hint ?? null, receipts: [before.receipt] }
    : await judgeAnew(judging, criterion, content, inputs);
  const isBlank = (gate.brief.baseline?.states[criterionId] ?? 'not_run') === 'not_run';
  if (told.state !== 'met' || !isBlank || content.check.kind === 'review') return told;
  return { ...told, baseline: await lookBack(judging, criterion, content) };
}

const inputsOf = (
  { proving, taken }: Judging,
  { sealedId }: SealedCriterion,
  { check }: SealedContent,
): string =>
  check.kind === 'command'
    ? inputsOfSealed(sealedId, check, treeWith(proving, taken))
    : inputsOfReview(sealedId, treeWith(proving, taken));

async function judgeAnew(
  judging: Judging,
  criterion: Sealed,
  content: SealedContent,
  inputs: string,
): Promise<Told> {
  const { proving, taken, known } = judging;
  const { gate } = proving;
  const { criterionId } = criterion;
  const host = hostRunOf(gate);
  const { check, files } = content;
  const tree = treeWith(proving, taken);
  const original = reportOnOriginal(known, criterionId);
  return await judgeBy(judging, criterion, inputs, async () =>
    check.kind === 'command'
      ? await runSealed(host, gate.input.goalId, criterion, { check, files, tree, original })
      : await reviewSealed(gate, criterionId, { check, files }),
  );
}

async function judgeBy(
  { proving: { gate } }: Judging,
  criterion: Sealed,
  inputs: string,
  judge: () => Promise<SealedOutcome>,
): Promise<Told> {
  const host = { ...hostRunOf(gate), origin: 'gate' as const };
  const { state, hint, receipt } = await recorded(host, criterion, inputs, judge);
  return { state, hint, receipts: [receipt] };
}

export const notRun = (reason: string): SealedOutcome => ({
  ...{ state: 'not_run', reason, hint: null, report: null, runs: [] },
});

const reportOnOriginal = (known: readonly KeptSealedRun[], criterionId: string) =>
  known.findLast((run) => run.criterionId === criterionId && run.origin === 'baseline')?.report ??
  null;

/** One that could not run before the work began is looked at on the original now. */
async function lookBack(
  { proving }: Judging,
  criterion: Sealed,
  { check, files }: SealedContent,
): Promise<'met' | 'unmet'> {
  const { gate } = proving;
  if (check.kind !== 'command') return 'unmet';
  const host = { ...hostRunOf(gate), origin: 'baseline' as const };
  const own = { ...host, prefix: `${host.prefix}.original` };
  const tree = treeWith(proving, []);
  const { state } = await recorded(own, criterion, '', () =>
    runSealed(own, gate.input.goalId, criterion, { check, files, tree, original: null }),
  );
  return state === 'met' ? 'met' : 'unmet';
}

/** Why a sealed check can't run beside this tree; for people. */
export function whyNotIn(
  whyNotHere: string | null,
  scope: Pick<Scope, 'change' | 'keep'>,
  { packages }: Pick<ProofTree, 'packages'>,
  { check, files }: SealedContent,
): string | null {
  if (check.kind === 'review') return null;
  if (whyNotHere !== null) return whyNotHere;
  const isWork = scopeTest(scope);
  const work = files.find(({ path }) => isWork(path));
  if (work !== undefined) return `${work.path} is a name that the goal may change by its scope`;
  const lent = files.find(({ path }) =>
    packages.some(({ lent: { at } }) => path === at || path.startsWith(`${at}/`)),
  );
  return lent === undefined ? null : `${lent.path} lies in installed packages`;
}

/** Everything that goes on from here may reach the model. */
function evidenceOf(
  { brief }: GateRun,
  { criterionId, spec }: Sealed,
  told: Told | 'postponed' | 'used up',
): CriterionEvidence {
  const baseline = brief.baseline?.states[criterionId] ?? 'not_run';
  const isHostChecked = spec.checks === 'command';
  const own = { criterionId, baseline, isHostChecked, receipts: [] };
  if (told === 'postponed') {
    return { ...own, state: 'unmet', reason: 'not looked at yet', remedy: AFTER_THE_OTHERS };
  }
  if (told === 'used up') return { ...own, state: 'unmet', reason: USED_UP, remedy: NOBODYS_FAULT };
  const { state, hint, receipts } = told;
  const seen = { ...own, receipts, ...(told.baseline && { baseline: told.baseline }) };
  if (state === 'met') return { ...seen, state, reason: 'met' };
  if (state === 'not_run')
    return { ...seen, state: 'unmet', reason: UNABLE, remedy: NOBODYS_FAULT };
  return { ...seen, state, reason: hint ?? 'what the host checks does not hold', remedy: REMEDY };
}

const AFTER_THE_OTHERS = 'the host checks it as soon as all others hold in the proof.';
export const UNABLE = 'the host could not check it';
const USED_UP = `it judged ${MOST_JUDGED} versions of the work, and judges no more`;
const NOBODYS_FAULT =
  'nothing that you change helps: call report_blocker with kind "external", so that a person looks.';
const REMEDY =
  'nobody can show you the check: do what the objective and its description ask for in all cases, ' +
  'then call attempt_completion.';
