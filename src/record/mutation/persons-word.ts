import type { Mutation } from '../../contract/mutation.ts';

const SAID: readonly Mutation['kind'][] = ['message', 'prompt', 'answer', 'resume', 'dispute'];

/** A person speaks to the goal itself, so what it does next is up to them and not to a chain. */
export function isSaidByPerson(mutation: Mutation): boolean {
  return mutation.role !== 'agent' && !isHeartbeat(mutation) && SAID.includes(mutation.kind);
}

/** What the clock says for a person is not that person's word. */
export const isHeartbeat = (mutation: Mutation): boolean =>
  mutation.kind === 'message' && mutation.isHeartbeat === true;

/** A program, or nobody at all: it never speaks as a person. */
export const isByProgram = (mutation: Mutation): boolean =>
  mutation.role === 'agent' || isHeartbeat(mutation);
