import type { Criterion } from '../../schema/criteria.ts';

/** What somebody wants judged. */
export interface CheckOrder {
  /** Any folder of the repository. */
  readonly repository: string;
  /** A commit, a branch or `merge-base:BRANCH`; null = where the default branch was left. */
  readonly base: string | null;
  /** A commit; null = the work tree as it is. */
  readonly head: string | null;
  /** Without any, the project's own checks are looked for in the base. */
  readonly criteria: readonly Criterion[];
  readonly scope: { readonly change: readonly string[]; readonly keep: readonly string[] } | null;
  readonly setup: readonly string[];
  readonly dependencies: 'allow' | 'ask';
  /** The least share of changed files that a check has to feel; 0 = it is told alone. */
  readonly feltShare: number;
  /** Names and globs of changes beyond the scope, and ids of criteria, that a person accepts. */
  readonly accept: readonly string[];
  /** Criteria that held before are enough. */
  readonly acceptsHeld: boolean;
}

/** A run of a command, for whoever waits. */
export interface CheckedRun {
  readonly criterionId: string;
  readonly command: string;
  /** On which files: `the base`, `the base with the work`, … */
  readonly on: string;
  readonly isMet: boolean;
  /** Of a run that did not end by itself, such as one that took too long; otherwise null. */
  readonly whyEnded: string | null;
  readonly durationMs: number;
}
