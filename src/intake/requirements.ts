import type { RequirementInput } from '../../schema/requirement.ts';
import { isSameText, type RequirementEdits } from '../proof/requirements/changes.ts';
import { fieldIssue, firstIssue, type Issue, issueIn } from './issue.ts';

/**
 * Why a person's requirements can't be taken.
 *
 * @param known ids that the goal's requirements have
 * @param criteria ids that they can be bound to
 */
export function requirementsIssue(
  { requirements = [], removeRequirements = [] }: RequirementEdits,
  known: readonly string[],
  criteria: readonly string[],
): Issue | null {
  const issueOf = (one: RequirementInput, field: string): Issue | null =>
    firstIssue(
      () => unknownIssue(one.requirementId, known, `${field}.requirementId`),
      () => unboundIssue(one, criteria, field),
      () => (isTwice(one, requirements) ? fieldIssue(field, 'it is there twice.') : null),
    );
  return (
    issueIn(requirements, 'requirements', issueOf) ??
    issueIn(removeRequirements, 'removeRequirements', (id, field) => unknownIssue(id, known, field))
  );
}

const unknownIssue = (
  id: string | undefined,
  known: readonly string[],
  field: string,
): Issue | null =>
  id === undefined || known.includes(id)
    ? null
    : fieldIssue(field, `there is no requirement ${id}.`);

function unboundIssue(
  { criteria: bound = [] }: RequirementInput,
  criteria: readonly string[],
  field: string,
): Issue | null {
  const strange = bound.find((id) => !criteria.includes(id));
  return strange === undefined
    ? null
    : fieldIssue(`${field}.criteria`, `there is no criterion ${strange}.`);
}

const isTwice = (
  { requirementId, text }: RequirementInput,
  all: readonly RequirementInput[],
): boolean =>
  all.filter(
    (one) =>
      isSameText(one.text, text) ||
      (requirementId !== undefined && one.requirementId === requirementId),
  ).length > 1;
