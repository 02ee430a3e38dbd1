import type { Mutation } from './mutation.ts';

/** All that Temporal is told of a mutation. What it is, who asked for it and how, the record says. */
export interface OrderRef {
  readonly commitId: string;
  /** Without it, a rewind is judged and named, and committed once the turn has ended. */
  readonly isTurnOver?: boolean;
}

/** The mutations that the service's own API was asked for. */
export interface OrdersPort {
  /**
   * Binds the stored request to the goal, once and for good; a repeat keeps the first. What the
   * goal can't take now is refused here, before Temporal is told anything.
   * @throws Refusal
   */
  place(goalId: string, mutation: Mutation): Promise<void>;
  /** What was ordered under these commit ids. */
  kinds(goalId: string, commitIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const COMMIT_ID = /^[\w-]{1,100}$/;

export const isCommitId = (value: unknown): value is string =>
  typeof value === 'string' && COMMIT_ID.test(value);

/** Orders that a full run takes too, because they end its work. */
export const endsWork = ({ kind }: Pick<Mutation, 'kind'>): boolean =>
  kind === 'pause' || kind === 'complete' || kind === 'clear';
