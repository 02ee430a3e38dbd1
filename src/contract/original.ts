import type { Scope, ScopeNotice } from '../../schema/scope.ts';

/** The tree that a goal's proof begins with, as its host keeps it. */
export interface Original {
  /** The commit in the host's own store, 40 hex digits. */
  readonly commit: string;
  /** The commit that the workspace stood on; null = none; absent in earlier records. */
  readonly head?: string | null;
  /** Files that are too large to be kept: no proof run has them. */
  readonly leftOut: readonly string[];
  /** Files, and folders with a trailing slash, that could not be read. */
  readonly unread: readonly string[];
}

/** What a goal's proof is measured against, as it was before the goal's first write. */
export interface ProofGround {
  readonly original: Original;
  readonly scope: Scope;
  /** Said before the first write; absent in earlier records. */
  readonly notices?: readonly ScopeNotice[];
  /** Folders of installed packages by path, each with a digest of its files' stamps. */
  readonly dependencies: Readonly<Record<string, string>>;
}
