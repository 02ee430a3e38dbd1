import type { ShownChange } from '../../schema/proof-change.ts';
import type { Scope } from '../../schema/scope.ts';

/** What a wider scope would take in, as the host sees it: the model's words come after it. */
export interface ScopePreview {
  /** Some of the files that would newly count, at present or at the start. */
  readonly files: readonly string[];
  readonly count: number;
  /** Files among them that judge the work by their names. */
  readonly judges: number;
  /** The glob means whatever is written anywhere, not some folders. */
  readonly everything: boolean;
  /** Globs that kept files, and that would give way. */
  readonly lifted: readonly string[];
  /** Files that the globs mean, and that stay the judge's all the same. */
  readonly left: readonly string[];
  /** Present changes of these files. */
  readonly diffs: readonly ShownChange[];
  readonly changed: number;
}

/** A wider scope as it is put to a person. */
export interface ProposedScope {
  readonly change: readonly string[];
  readonly why: string;
  readonly preview: ScopePreview;
}

export interface DeclinedScope {
  readonly change: readonly string[];
  /** What it would have taken in. */
  readonly files: readonly string[];
}

/** What a proposal is judged by, as it is now. */
export interface ScopeGround {
  readonly scope: Scope;
  /** Globs that wait for a person, proposal by proposal. */
  readonly open: readonly (readonly string[])[];
  readonly declined: readonly DeclinedScope[];
}

/** How the model asks for a wider scope. */
export interface ScopePort {
  /** A text: why there is no scope that could be widened. */
  ground(): Promise<ScopeGround | string>;
  /** @throws TooLarge, StoreFailed */
  preview(change: readonly string[]): Promise<ScopePreview>;
}
