import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type { CriterionEvidence } from '../../contract/evidence.ts';
import type { CriterionCheck, Finding, GateRun } from '../criterion-check.ts';
import { checkApproval } from './approval.ts';
import { checkCommand } from './command.ts';
import { checkDiagnostics } from './diagnostics.ts';
import { checkFile } from './file.ts';
import { checkGit } from './git.ts';
import { checkReview } from './review.ts';

const checks: { [Kind in Criterion['kind']]: CriterionCheck<Kind> } = {
  command: checkCommand,
  file: checkFile,
  git: checkGit,
  diagnostics: checkDiagnostics,
  review: checkReview,
  approval: checkApproval,
  sealed: async () => {
    throw new Error('a sealed criterion has no look at the workspace');
  },
};

export async function checkCriterion(
  gate: GateRun,
  criterion: TrackedCriterion,
): Promise<CriterionEvidence> {
  const check = checks[criterion.spec.kind] as (
    gate: GateRun,
    criterion: TrackedCriterion,
  ) => Promise<Finding>;
  return withBaseline(gate, criterion, await check(gate, criterion));
}

/** The criterion is skipped, because a cheaper one doesn't hold. */
export function postpone(gate: GateRun, criterion: TrackedCriterion): CriterionEvidence {
  return withBaseline(gate, criterion, {
    state: 'unmet',
    isHostChecked: false,
    reason: 'not looked at yet',
    remedy: 'the host checks it as soon as the criteria that are cheaper to check hold.',
    receipts: [],
  });
}

function withBaseline(
  { brief }: GateRun,
  { criterionId }: TrackedCriterion,
  found: Finding,
): CriterionEvidence {
  const baseline = brief.baseline?.states[criterionId] ?? 'not_run';
  return { ...found, criterionId, baseline };
}
