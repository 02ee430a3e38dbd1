import type { RequirementInput } from '../../schema/requirement.ts';
import { isSameText } from '../proof/requirements/changes.ts';
import { fieldIssue, type Issue, issueIn } from './issue.ts';

/**
 * Why a person's requirements can't be taken.
 *
 * @param known ids that the goal's requirements have
 * @param criteria ids that they can be bound to
 */
export function requirementsIssue(
  requirements: readonly RequirementInput[],
  known: readonly string[],
  criteria: readonly string[],
): Issue | null {
  return issueIn(
    requirements,
    'requirements',
    ({ requirementId, text, criteria: bound }, field) => {
      if (requirementId !== undefined && !known.includes(requirementId)) {
        return fieldIssue(
          `${field}.requirementId`,
          'there is no such requirement: leave the id out.',
        );
      }
      const strange = (bound ?? []).find((id) => !criteria.includes(id));
      if (strange !== undefined) {
        return fieldIssue(`${field}.criteria`, `there is no criterion ${strange}.`);
      }
      const isOwn = (one: RequirementInput) =>
        requirementId !== undefined && one.requirementId === requirementId;
      const isDouble =
        requirements.filter((one) => isSameText(one.text, text) || isOwn(one)).length > 1;
      return isDouble ? fieldIssue(field, 'it is there twice.') : null;
    },
  );
}
