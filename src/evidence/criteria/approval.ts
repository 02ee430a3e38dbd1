import { judgeApprovalCriterion } from '../../goal/approvals/approvals.ts';
import type { CriterionCheck } from '../criterion-check.ts';

export const checkApproval: CriterionCheck<'approval'> = async (gate, { criterionId, spec }) => {
  const decided = await gate.ports.journal.decidedApprovals(gate.input.goalId);
  return judgeApprovalCriterion(criterionId, spec.question, decided);
};
