import type { CheckResult } from '../../schema/check-result.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Scope } from '../../schema/scope.ts';
import { scopeTest } from '../proof/scope/scope.ts';
import type { ProvenCheck } from './bundle.ts';
import type { ChosenCommits, Repository } from './choose-base.ts';
import { type Conclusion, conclude } from './conclude.ts';
import { textOf } from './criteria.ts';
import type { Verdict } from './judge.ts';
import type { CheckOrder } from './order.ts';
import type { CheckRecord } from './record.ts';

export interface Ordered {
  readonly order: CheckOrder;
  readonly repository: Repository;
  readonly commits: ChosenCommits;
  /** The file that said what to check. */
  readonly terms: string | null;
  readonly startedAt: Date;
}

export interface Judged extends Ordered {
  readonly record: CheckRecord;
  readonly scope: Scope;
  readonly open: readonly TrackedCriterion[];
  readonly isAccepted: (name: string) => boolean;
  /** The host found the criteria. */
  readonly isFound: boolean;
  readonly verdict: Verdict;
}

export interface Checked {
  readonly result: CheckResult;
  /** Null unless there is a proof to sign. */
  readonly proven: ProvenCheck | null;
}

/** What was judged, as callers get it. */
export function concluded(judged: Judged): Checked {
  const { order, repository, commits, terms, startedAt, record, scope, open, verdict } = judged;
  const { isAccepted } = judged;
  const isWork = scopeTest(scope);
  const found = verdict.asked.length === 0 ? record.finding : null;
  const beyondScope = found?.proof?.beyondScope ?? verdict.changed.filter((path) => !isWork(path));
  const conclusion = conclude({
    ...{ evidence: verdict.criteria, criteria: verdict.judged, open, asked: verdict.asked },
    ...{ isAccepted, acceptsHeld: order.acceptsHeld, beyondScope, accepted: verdict.accepted },
  });
  const { status, exitCode, summary, wayOut, questions } = conclusion;
  const proof = status === 'proven' || status === 'held' ? (found?.proof ?? null) : null;
  const criteria = verdict.judged.map((one) => trackedOf(one, verdict));
  const result: CheckResult = {
    ...{ status, exitCode, summary, wayOut, repository: repository.top },
    base: { commit: commits.base, why: commits.why },
    ...{ head: commits.head, terms, scope },
    criteria: criteria.map((one) => told(one, verdict)),
    ...{ questions: [...questions], accepted: acceptedBy(judged), beyondScope: [...beyondScope] },
    ...{ isolation: record.isolation, notices: noticesOf(judged), proof, bundle: null },
    ...{ runs: record.runs, durationMs: Date.now() - startedAt.getTime() },
  };
  return { result, proven: provenOf(judged, conclusion, result, criteria) };
}

function provenOf(
  { record, commits, startedAt }: Judged,
  { status, level, summary }: Conclusion,
  { proof, accepted }: CheckResult,
  criteria: readonly TrackedCriterion[],
): ProvenCheck | null {
  const base = record.finding?.base;
  if (status !== 'proven' || proof === null || base === undefined) return null;
  const what = commits.head === null ? 'the work tree' : commits.head.slice(0, 12);
  const asked = criteria.map(textOf).join('; ');
  const objective = `Check of ${what} against ${commits.base.slice(0, 12)}: ${asked}`.slice(
    0,
    1000,
  );
  const found = { record, objective, level, summary, criteria, proof, base, accepted };
  return { ...found, startedAt: startedAt.toISOString() };
}

function trackedOf(one: TrackedCriterion, { criteria }: Verdict): TrackedCriterion {
  const evidence = criteria.find(({ criterionId }) => criterionId === one.criterionId);
  const { state = 'unmet', baseline = 'not_run', reason = '', receipts = [] } = evidence ?? {};
  return { ...one, state, baseline, reason, receipts: [...receipts] };
}

function acceptedBy({ open, verdict, isAccepted }: Judged): string[] {
  const criteria = [...verdict.judged, ...open].map(({ criterionId }) => criterionId);
  return [...new Set([...verdict.accepted, ...criteria.filter(isAccepted), ...verdict.lent])];
}

function noticesOf({ order, record, scope, verdict, isFound }: Judged): string[] {
  const { judged, changed, manifest } = verdict;
  const shown = scope.change.slice(0, 5).join(', ');
  const notices: (string | false)[] = [
    isFound && `The criteria were found in the base: ${judged.map(textOf).join(', ')}.`,
    !changed.some(scopeTest(scope)) &&
      (scope.change.length === 0
        ? 'Nothing says what the work is: name its files by --change, such as "src/**".'
        : `No changed file is in scope (${shown}): name the files of the work by --change.`),
    manifest !== null &&
      order.accept.some((name) => name.endsWith('/')) &&
      `Installed packages were not lent: ${manifest} differs from the base, and may have brought them. Accept it too, or let a setup install them.`,
    record.isolation === 'none' && NO_SANDBOX,
    record.isolation === 'partial' && PART_OF_A_SANDBOX,
  ];
  return notices.filter((one) => one !== false);
}

/** What a person is asked about is no part of the work yet: without it nothing holds. */
function told(
  { criterionId, spec, baseline, state, reason = '' }: TrackedCriterion,
  { asked, baselines }: Verdict,
): CheckResult['criteria'][number] {
  const isAsked = state === 'met' && asked.some((one) => one.criterionIds.includes(criterionId));
  const now = isAsked ? 'it holds only with what a person is asked about' : reason;
  const before = baselines.reasons[criterionId]?.split('\n')[0];
  return {
    ...{ criterionId, spec, baseline, state: isAsked ? 'unmet' : state },
    reason: before === undefined ? now : `${now}\nBefore: ${before}`,
  };
}

const NO_SANDBOX =
  'Commands ran without a sandbox, as this user: code under test could reach what judges it. Install bubblewrap (docs/security.md).';
const PART_OF_A_SANDBOX =
  'Commands ran in a part of a sandbox: they could have reached the network, or this user’s home.';
