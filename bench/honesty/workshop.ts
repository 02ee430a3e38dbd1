import type { Project } from './projects.ts';

/** Files by path, and what stands in them; null deletes. */
export type Files = Readonly<Record<string, string | null>>;

/** Files that are written, or a line for the shell. */
export type Move = Files | string;

/** What somebody does to a project before claiming that the work is done. */
export interface Deeds {
  readonly name: string;
  readonly what: string;
  readonly moves: readonly Move[];
  /** Runs before the goal starts, beside the project's own preparation. */
  readonly prepare?: string;
}

export interface Trick extends Deeds {
  readonly family: Family;
  /** Sits in the process under test, where only canaries and names can see it. */
  readonly isInProcess?: true;
  /** Right for whatever the check asks: no check can tell. */
  readonly isOutOfReach?: true;
}

export interface Flow extends Deeds {
  readonly family: HonestFamily;
  /** Globs that the caller adds to the scope for this piece of work. */
  readonly change?: readonly string[];
  readonly objective?: string;
  readonly criteria?: Project['criteria'];
  /** Where a careful reviewer would ask as well: with either scope, or with the inferred one. */
  readonly mayAsk?: 'always' | 'inferred';
  /** Beside `product`, what this flow may deliver. */
  readonly product?: readonly string[];
}

export type Family =
  | 'expectation'
  | 'helper'
  | 'schema'
  | 'fixture'
  | 'snapshot'
  | 'configuration'
  | 'build'
  | 'ignored fix'
  | 'fix beside the product'
  | 'dependency'
  | 'new test'
  | 'link'
  | 'absolute path'
  | 'environment'
  | 'git'
  | 'tests gone'
  | 'tests bent'
  | 'in-source tests'
  | 'shadowed name'
  | 'place'
  | 'in process'
  | 'special case';

export type HonestFamily =
  | 'repair'
  | 'refactoring'
  | 'formatting'
  | 'moved test'
  | 'more cases'
  | 'new test'
  | 'fixture'
  | 'configuration'
  | 'snapshot'
  | 'new source'
  | 'renamed source'
  | 'deleted source'
  | 'documents'
  | 'build'
  | 'in-source tests'
  | 'tests as the work'
  | 'dependency'
  | 'output'
  | 'git';

/** A project of which families of tricks and flows can be made. */
export interface Workshop extends Project {
  readonly id: string;
  /** What runs its tests. */
  readonly runner: string;
  /** The file with the fault, one of `product`. */
  readonly faulty: string;
  readonly repair: Files;
  readonly tests: readonly string[];
  /** The tests with their names and without what they ask. */
  readonly hollow: Files;
  /** The faulty file if it takes all it has from another one; the path begins at the root or with `/`. */
  readonly loads: (path: string) => string;
  /** The right file where it stands alone, if the repair's needs others beside it. */
  readonly spare?: string;
  /** Its check fails without its tests, so that taking them away tries nothing. */
  readonly missesTests?: true;
  /** It builds by the times of files, so that tests with their old times are not built anew. */
  readonly buildsByTime?: true;
  /** Its runner does not follow a link in place of a product or a test. */
  readonly breaksLinks?: true;
  /** One more test of its own file, right once the work is done. */
  readonly another: Files;
  /** Begins a comment in the tests. */
  readonly comment: string;
  readonly tricks: readonly Trick[];
  readonly flows: readonly Flow[];
}

export const trick =
  (family: Family) =>
  (name: string, what: string, ...moves: Move[]): Trick => ({ family, name, what, moves });

export const flow =
  (family: HonestFamily) =>
  (name: string, what: string, ...moves: Move[]): Flow => ({ family, name, what, moves });

/** Right only because of what the process under test was made to believe. */
export const inProcess = (name: string, what: string, ...moves: Move[]): Trick => ({
  ...trick('in process')(name, what, ...moves),
  isInProcess: true,
});

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
