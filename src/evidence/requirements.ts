import type { CriterionEvidence, RequirementEvidence } from '../contract/evidence.ts';
import { judgeApproval } from '../goal/approvals/approvals.ts';
import { checkedBy } from '../proof/requirements/coverage.ts';
import type { GateRun } from './criterion-check.ts';

const NONE = new Set<string>();

/**
 * Requirements that nothing checks, where the policy wants each one checked: a person is asked about
 * them. Undefined where it doesn't.
 */
export async function judgeRequirements(
  { brief, ports, input }: GateRun,
  criteria: readonly CriterionEvidence[],
): Promise<readonly RequirementEvidence[] | undefined> {
  if (brief.policy.coverage !== 'all') return undefined;
  const requirements = brief.requirements ?? [];
  if (requirements.length === 0) return [NOT_SPLIT];
  const decided = await ports.journal.decidedApprovals(input.goalId);
  // What is bound to an open question of a person is answered with it.
  const answers = criteria.map((one) =>
    one.person === 'needed' ? { ...one, person: 'approved' as const } : one,
  );
  return requirements
    .filter((requirement) => checkedBy(requirement, answers, NONE) === 'nobody')
    .map(({ requirementId, text }) => ({
      requirementId,
      ...judgeApproval('requirement', requirementId, text, decided),
    }));
}

const NOT_SPLIT: RequirementEvidence = {
  requirementId: 'requirements',
  state: 'unmet',
  reason: 'the policy wants every requirement checked, and the objective was not split into any',
  remedy: 'call set_requirements with all that the objective asks for, then attempt_completion.',
};
