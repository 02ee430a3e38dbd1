import type { ApprovalKind } from '../../../schema/approval.ts';
import type { DecidedApproval } from '../../contract/approval.ts';
import type { Decision } from '../../contract/decision.ts';
import type {
  Ask,
  CriterionEvidence,
  Evidence,
  RequirementEvidence,
} from '../../contract/evidence.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type { TurnFacts } from '../../contract/turn-facts.ts';
import { isOver } from '../chart/view.ts';

/** Asked at once at most; what is left is asked when these are decided. */
const MOST_ASKS = 20;

/** Derived from goal, turn and place, so that settling a turn twice asks nothing twice. */
export const approvalIdOf = (goalId: string, turn: number, index: number): string =>
  `a-${goalId.slice(2)}-${turn}${index === 0 ? '' : `-${index + 1}`}`;

/** What the model proposes stays open while the goal goes on. */
export const PROPOSALS: readonly ApprovalKind[] = [
  'criterion',
  'requirement_change',
  'scope_change',
];

export const isProposal = (kind: ApprovalKind): boolean => PROPOSALS.includes(kind);

/** The questions of a settled turn to a person. */
export function asksOf({ asks, outcome }: Pick<Decision, 'asks' | 'outcome'>): readonly Ask[] {
  const isUnverified = outcome.action === 'pause' && outcome.reason === 'unverified_claim';
  return asks ?? (isUnverified ? [{ kind: 'completion' }] : []);
}

/** Approvals that the goal pauses or waits for: whatever leads on leaves them behind. */
export function standingApprovals({ value, context }: ChartSnapshot): readonly string[] {
  if (value === 'paused') return context.pause?.approvalId ? [context.pause.approvalId] : [];
  return context.wait?.approvalIds ?? [];
}

export interface SupersededApprovals {
  /** Open approvals that still stand. */
  readonly kept: readonly string[];
  /** A proposed criterion stays open until the goal is over. */
  readonly includesProposals: boolean;
}

/** Open approvals that nobody is asked about any more after this step; null = none. */
export function supersededApprovals(
  before: ChartSnapshot,
  after: ChartSnapshot,
): SupersededApprovals | null {
  if (isOver(after)) return { kept: [], includesProposals: true };
  const kept = standingApprovals(after);
  const isAllKept = standingApprovals(before).every((id) => kept.includes(id));
  return isAllKept ? null : { kept, includesProposals: false };
}

/**
 * The questions that are left to a person where everything else holds. A changed basis comes first
 * and alone: nothing that was checked says anything before it is accepted.
 */
export function asksForClaim(evidence: Evidence | null, facts: TurnFacts): Ask[] {
  if (evidence !== null && evidence.weakened.length > 0) return [{ kind: 'basis' }];
  const items = facts.manualTodos.map((subject) => ({ kind: 'manual', subject }) as const);
  const questions = waitingForPerson(evidence).map(
    ({ criterionId }) => ({ kind: 'approval', subject: criterionId }) as const,
  );
  const open = uncheckedRequirements(evidence).map(
    ({ requirementId }) => ({ kind: 'requirement', subject: requirementId }) as const,
  );
  return [...items, ...questions, ...open].slice(0, MOST_ASKS);
}

const waitingForPerson = (evidence: Evidence | null): readonly CriterionEvidence[] =>
  evidence?.criteria.filter(({ person }) => person === 'needed') ?? [];

const uncheckedRequirements = (evidence: Evidence | null): readonly RequirementEvidence[] =>
  evidence?.requirements?.filter(({ person }) => person === 'needed') ?? [];

/** Criteria and requirements that a person approved before files were written again. */
export const overtakenApprovals = (evidence: Evidence | null): string[] => [
  ...waitingForPerson(evidence)
    .filter(({ state }) => state === 'stale')
    .map(({ criterionId }) => criterionId),
  ...uncheckedRequirements(evidence)
    .filter(({ state }) => state === 'stale')
    .map(({ requirementId }) => requirementId),
];

type Finding = Pick<
  CriterionEvidence,
  'state' | 'isHostChecked' | 'reason' | 'receipts' | 'person'
>;

const found = (
  state: Finding['state'],
  reason: string,
  person?: NonNullable<Finding['person']>,
): Finding => ({
  state,
  isHostChecked: false,
  reason,
  receipts: [],
  ...(person === undefined ? {} : { person }),
});

/** How a criterion of the kind `approval` stands. `decided`: oldest first. */
export const judgeApprovalCriterion = (
  criterionId: string,
  question: string,
  decided: readonly DecidedApproval[],
): Finding => judgeApproval('approval', criterionId, question, decided);

/** How a question to a person stands, asked in these words. `decided`: oldest first. */
export function judgeApproval(
  kind: 'approval' | 'requirement',
  subject: string,
  question: string,
  decided: readonly DecidedApproval[],
): Finding {
  const last = decided.findLast(
    (one) => one.kind === kind && one.subject === subject && one.question === question,
  );
  if (last === undefined) {
    return found('unmet', 'a person is asked when everything else holds', 'needed');
  }
  const { by, note, isOvertaken, wasSpokenSince, state } = last;
  if (state === 'approved') {
    return isOvertaken
      ? found('stale', `${by} approved before files were written again`, 'needed')
      : found('met', `approved by ${by}`, 'approved');
  }
  const denial = `denied by ${by}${note ? `: ${note}` : ''}`;
  return isOvertaken || wasSpokenSince
    ? found('unmet', `${denial}; a person is asked again when everything else holds`, 'needed')
    : found('unmet', `${denial}. Change what was asked for, or talk to the person with ask_user`);
}

/** Changes that a person declined, as they are now. */
export function declinedChanges(
  present: Readonly<Record<string, string | null>>,
  decided: readonly DecidedApproval[],
): string[] {
  return Object.entries(present)
    .filter(([name, hash]) =>
      decided.some(
        ({ kind, state, changes, wasSpokenSince }) =>
          kind === 'basis' && state === 'denied' && !wasSpokenSince && changes[name] === hash,
      ),
    )
    .map(([name]) => name);
}
