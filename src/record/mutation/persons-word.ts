import type { Mutation } from '../../contract/mutation.ts';

const SAID: readonly Mutation['kind'][] = ['message', 'answer', 'resume', 'dispute'];

/** A person speaks to the goal itself, so what it does next is up to them and not to a chain. */
export function isSaidByPerson({ kind, role }: Pick<Mutation, 'kind' | 'role'>): boolean {
  return role !== 'agent' && SAID.includes(kind);
}
