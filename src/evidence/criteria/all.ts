import type { Criterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type { CriterionEvidence } from '../../goal/facts.ts';
import { checkApproval } from './approval.ts';
import { checkCommand } from './command.ts';
import type { CriterionCheck, Finding, GateRun } from './criterion-check.ts';

/** A kind that this version stores and doesn't check yet never holds. */
const notChecked = async (
  _: GateRun,
  { spec }: { readonly spec: Criterion },
): Promise<Finding> => ({
  state: 'unmet',
  isHostChecked: false,
  reason: `criteria of the kind ${spec.kind} are not checked by this version`,
  receipts: [],
});

const checks: { [Kind in Criterion['kind']]: CriterionCheck<Kind> } = {
  command: checkCommand,
  file: notChecked,
  git: notChecked,
  diagnostics: notChecked,
  review: notChecked,
  approval: checkApproval,
};

/** The longest reason that travels through Temporal, characters. */
const LONGEST_REASON = 700;

export async function checkCriterion(
  gate: GateRun,
  criterion: TrackedCriterion,
): Promise<CriterionEvidence> {
  const { criterionId, spec } = criterion;
  const check = checks[spec.kind] as (
    gate: GateRun,
    criterion: TrackedCriterion,
  ) => Promise<Finding>;
  const found = await check(gate, criterion);
  return {
    ...found,
    criterionId,
    baseline: gate.brief.baseline?.states[criterionId] ?? 'not_run',
    reason: found.reason.slice(0, LONGEST_REASON),
  };
}
