import { isDeepStrictEqual } from 'node:util';
import type { Criterion } from '../../schema/criteria.ts';
import type { Goal } from '../../schema/goal.ts';
import { criteriaIssue } from './criteria.ts';
import type { IntakeFacts } from './facts.ts';
import { fieldIssue, firstIssue, type Issue, issueIn } from './issue.ts';
import { sealedIssue } from './sealed.ts';

type Facts = Pick<IntakeFacts, 'models' | 'parse' | 'mask' | 'hasApprover' | 'sealed'>;

/** The reason against the criterion that a person puts in the place of a proposed one. */
export function editedIssue(
  facts: Facts,
  { criteria, budget, scope, policy }: Goal,
  edited: readonly Criterion[],
): Issue | null {
  if (edited.length !== 1)
    return fieldIssue('criteria', 'one criterion takes the place of the proposed one.');
  return firstIssue(
    () => criteriaIssue(facts, edited, budget.costUsd),
    () => sealedIssue(edited, facts.sealed, { scope, proof: policy.proof }),
    () =>
      issueIn(edited, 'criteria', (one, field) =>
        criteria.some(({ spec }) => isDeepStrictEqual(spec, one))
          ? fieldIssue(field, 'the goal has this criterion already: decline the proposal instead.')
          : null,
      ),
  );
}
