import type { DecisionInput } from '../../contract/decision.ts';
import type { CriterionEvidence, Evidence, GateVerdict } from '../../contract/evidence.ts';
import type { TurnFacts } from '../../contract/turn-facts.ts';
import { asksForClaim } from '../approvals/approvals.ts';

/** Id in `missing` that stands for files which others write while the host looks. */
const CONCURRENT_WRITES = 'workspace';

/** Key of `reasons` under which changes beyond the scope are named. */
export const weakenedBasis = 'basis';

/**
 * Judges whether the goal is done. `missing` empty and `verification` null means that nothing is
 * left to do, yet a person has to be asked, or nothing proves it: a person decides.
 */
export function judgeGate({
  evidence,
  facts,
}: Pick<DecisionInput, 'evidence' | 'facts'>): GateVerdict {
  const reasons = {
    ...cheapReasons(facts),
    ...criterionReasons(evidence),
    ...requirementReasons(evidence),
    ...declinedReason(evidence),
    ...concurrentWriteReasons(evidence),
  };
  const missing = Object.keys(reasons);
  const weakened = evidence?.weakened ?? [];
  const asks = missing.length > 0 ? [] : asksForClaim(evidence, facts);
  const promised = missing.length > 0 ? null : verify(evidence, facts);
  return {
    verification: asks.length > 0 ? null : promised,
    promised,
    asks,
    missing,
    reasons:
      weakened.length > 0 ? { [weakenedBasis]: weakenedReason(weakened), ...reasons } : reasons,
    receipts: collectReceipts(evidence),
  };
}

/** Whether a claim or yield passes everything that costs nothing to check. */
export function holdsCheaply(facts: TurnFacts): boolean {
  const isRead =
    facts.unread === 0 && !facts.programs && !facts.amended && !facts.delegates?.unread;
  return openTodos(facts).length === 0 && facts.failedTargets.length === 0 && isRead;
}

/** The items of a plan are for whoever carries it out. */
const openTodos = ({ mode, openTodos: open }: TurnFacts): readonly string[] =>
  mode === 'plan' ? [] : open;

function cheapReasons(facts: TurnFacts): Record<string, string> {
  const todos = openTodos(facts).map((id) => [
    id,
    `Todo item ${id} is open: call complete_step with step "${id}" and evidence.`,
  ]);
  const targets = facts.failedTargets.map((target) => [
    `target:${target}`,
    `The last write or check of "${target}" in this turn failed: ` +
      'repair it with edit_file, write_file or run_command, then claim again.',
  ]);
  return Object.fromEntries([...todos, ...targets]);
}

function criterionReasons(evidence: Evidence | null): Record<string, string> {
  // A person is asked when nothing else is missing.
  const unmet = evidence?.criteria.filter((one) => one.state !== 'met' && !one.person) ?? [];
  return Object.fromEntries(unmet.map((one) => [one.criterionId, criterionReason(one)]));
}

function requirementReasons(evidence: Evidence | null): Record<string, string> {
  const open = evidence?.requirements?.filter(({ person }) => person === undefined) ?? [];
  return Object.fromEntries(
    open.map(({ requirementId, state, reason, remedy = ASK_PERSON }) => [
      requirementId,
      `Requirement ${requirementId} is ${state} (${reason}): ${remedy}`,
    ]),
  );
}

const ASK_PERSON = 'nothing checks it; talk to the person with ask_user.';

/** The remedy comes before the details, which may be long. */
function criterionReason(criterion: CriterionEvidence): string {
  const { criterionId, state, reason } = criterion;
  const [why = '', ...details] = reason.split('\n');
  const words = `Criterion ${criterionId} is ${state} (${why}): ${remedyFor(criterion)}`;
  return [words, ...details].join('\n');
}

/** The checked files are not those that would be delivered, and nobody knows which will be. */
function concurrentWriteReasons(evidence: Evidence | null): Record<string, string> {
  const moved = evidence?.moved ?? [];
  if (moved.length === 0) return {};
  return {
    [CONCURRENT_WRITES]:
      `Files changed while the host checked, twice in a row: ${moved.join(', ')}. ` +
      'Stop what writes them with run_command, or have git ignore what is no work, ' +
      'then call attempt_completion again.',
  };
}

function remedyFor({ state, isHostChecked, remedy }: CriterionEvidence): string {
  if (remedy !== undefined) return remedy;
  if (state === 'stale') return 'files changed since; repeat its check with run_command.';
  if (state === 'narrowed') return 'run the whole check, without narrowing it, with run_command.';
  return isHostChecked
    ? 'fix the cause, then call attempt_completion; the host repeats the check itself.'
    : 'it needs a person or another check; call ask_user or report_blocker if you cannot meet it.';
}

function declinedReason(evidence: Evidence | null): Record<string, string> {
  const declined = evidence?.declined ?? [];
  if (declined.length === 0) return {};
  const reason = `A person declined these changes beyond the scope: ${declined.join(', ')}. Undo them with edit_file or write_file.`;
  return { [weakenedBasis]: reason };
}

function weakenedReason(weakened: readonly string[]): string {
  return (
    `The proof needs changes beyond the scope: ${weakened.join(', ')}. ` +
    'Undo them with edit_file or write_file, or call attempt_completion: a person is asked then.'
  );
}

function verify(evidence: Evidence | null, facts: TurnFacts): GateVerdict['verification'] {
  const criteria = evidence?.criteria ?? [];
  const isProven = criteria.some((one) => one.isHostChecked && one.baseline === 'unmet');
  if (isProven && facts.mode === 'agent') return 'verified';
  // The caller asked for a person's word on the result, and it is given or about to be.
  if (criteria.some(({ person }) => person !== undefined)) return 'accepted_by_person';
  const isSupported = criteria.length > 0 || facts.hasTodos || facts.receipts > 0;
  return isSupported ? 'supported' : null;
}

function collectReceipts(evidence: Evidence | null): number[] {
  const seqs = evidence?.criteria.flatMap((criterion) => criterion.receipts) ?? [];
  return [...new Set(seqs)].sort((left, right) => left - right);
}
