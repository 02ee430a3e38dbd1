import type { Mutation } from '../../contract/mutation.ts';

/** A person speaks to the goal itself, so what it does next is up to them and not to a chain. */
export function isSaidByPerson({ kind, role }: Pick<Mutation, 'kind' | 'role'>): boolean {
  return role !== 'agent' && (kind === 'message' || kind === 'answer' || kind === 'resume');
}
