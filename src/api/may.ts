import type { Caller } from '../../schema/role.ts';
import type { Owned } from '../contract/sight.ts';
import { isAtLeast } from '../policy/role-rank.ts';
import { sees, seesAll, sightOf } from '../policy/sight.ts';
import { aboutOf, isOfTemplates, LEAST_ROLES, type OperationId } from './roles.ts';

export type Subject = Owned | 'unknown' | null;

/** `unseen` is answered as what doesn't exist. */
export type Verdict = 'yes' | 'role' | 'bound' | 'templates' | 'unseen';

/**
 * The one rule of who may do what.
 * @param subject the goal that the request names; null where it names none
 */
export function may(caller: Caller, operation: OperationId, subject: Subject): Verdict {
  if (!isAtLeast(caller.role, LEAST_ROLES[operation])) return 'role';
  if (caller.templates !== null && !isOfTemplates(operation)) return 'templates';
  const sight = sightOf(caller);
  if (aboutOf(operation) === 'whole' && !seesAll(sight)) return 'bound';
  if (subject === null) return 'yes';
  return subject !== 'unknown' && sees(sight, subject) ? 'yes' : 'unseen';
}
