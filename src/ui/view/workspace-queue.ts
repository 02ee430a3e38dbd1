import type { Workspace } from '../api/types.ts';

/** Those in which somebody works or for which somebody waits, the longest line first. */
export const busyWorkspaces = (all: readonly Workspace[]): Workspace[] =>
  all
    .filter(
      ({ leaseGoalId, leaseCheckId, queue }) =>
        leaseGoalId !== null || leaseCheckId !== null || queue.length > 0,
    )
    .toSorted((left, right) => right.queue.length - left.queue.length);

const HIGHEST = 10;

/** With it a goal goes before one of that priority; null = nothing does. */
export const priorityBefore = (before: number): number | null =>
  before >= HIGHEST ? null : before + 1;
