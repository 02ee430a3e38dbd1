import type { Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import { criterionIssue } from './criterion-issue.ts';
import type { CriteriaFacts, ModelFacts } from './facts.ts';
import { fieldIssue, firstIssue, type Issue, issueIn } from './issue.ts';
import { modelIssue } from './models.ts';

/** Criteria as the record keeps them. */
export const trackedCriteria = (specs: readonly Criterion[]): TrackedCriterion[] =>
  specs.map((spec, index) => ({
    criterionId: `c${index + 1}`,
    spec,
    state: 'unmet',
    baseline: 'not_run',
    origin: 'caller',
    receipts: [],
  }));

/** @param costUsd the goal's cost budget: a reviewer without a price can't keep to it */
export const criteriaIssue = (
  facts: CriteriaFacts,
  specs: readonly Criterion[],
  costUsd: string | null,
): Issue | null =>
  issueIn(specs, 'criteria', (spec, field) =>
    firstIssue(
      () => criterionIssue(spec, field, facts.parse),
      () => secretIssue(spec, field, facts.mask),
      () => reviewerIssue(facts.models, asReview(facts, spec), field, costUsd),
      () => approverIssue(spec, field, facts.hasApprover),
    ),
  );

/** A sealed review pays its reviewer like any other. */
function asReview({ sealed }: CriteriaFacts, spec: Criterion): Criterion {
  const model = spec.kind === 'sealed' ? sealed.known.get(spec.sealedId)?.model : null;
  return model == null ? spec : { kind: 'review', rubric: 'sealed', model };
}

/** Receipts are stored masked, so a command with a secret would never match its receipts. */
function secretIssue(spec: Criterion, field: string, mask: CriteriaFacts['mask']): Issue | null {
  if (spec.kind !== 'command' || spec.check !== 'receipt') return null;
  if (mask(spec.command) === spec.command) return null;
  return fieldIssue(
    `${field}.command`,
    'it holds a secret, which no receipt shows; let the command read it from a file or an environment variable, or use check "rerun".',
  );
}

/** Judges existing criteria when a cost limit is added or their prices may be gone. */
export function reviewersIssue(
  models: ModelFacts,
  criteria: readonly TrackedCriterion[],
  costUsd: string | null,
): Issue | null {
  return firstIssue(
    ...criteria.map(
      ({ spec, criterionId }) =>
        () =>
          reviewerIssue(models, spec, criterionId, costUsd),
    ),
  );
}

function reviewerIssue(
  models: ModelFacts,
  spec: Criterion,
  field: string,
  costUsd: string | null,
): Issue | null {
  if (spec.kind !== 'review' || spec.model === undefined) return null;
  return modelIssue(models, `${field}.model`, spec.model, costUsd);
}

/** Without a person who may decide, the goal could never end. */
function approverIssue(spec: Criterion, field: string, hasApprover: boolean): Issue | null {
  if (spec.kind !== 'approval' || hasApprover) return null;
  return fieldIssue(
    `${field}.kind`,
    'nobody could approve: no token has the role operator or admin.',
  );
}
