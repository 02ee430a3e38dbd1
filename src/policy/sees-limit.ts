import type { Caller } from '../../schema/role.ts';
import type { StandingLimit } from '../contract/spend.ts';
import { seesAll, sightOf } from './sight.ts';

/** Who sees a part of the goals sees no sum over others': its own limit, and those of its workspaces. */
export function seesLimit(
  caller: Caller,
  { limit, subject }: Pick<StandingLimit, 'limit' | 'subject'>,
): boolean {
  const sight = sightOf(caller);
  if (seesAll(sight)) return true;
  if (limit.of === 'principal') return subject === caller.name;
  const { startedBy, workspaces } = sight;
  return (
    limit.of === 'workspace' && startedBy === null && workspaces?.includes(subject ?? '') === true
  );
}
