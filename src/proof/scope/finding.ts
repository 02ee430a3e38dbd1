import type { ImportReader, Tree } from './tree.ts';

/** What an ecosystem's manifests and conventions say of a project. */
export interface Finding {
  readonly kind:
    | 'root' // a folder of sources: new files count in it
    | 'flat' // the same, without the folders below it
    | 'entry' // a file from which all of its root's product is reached
    | 'file' // one file of the product
    | 'kept'; // a file or folder of the judge, though it lies among the sources
  readonly path: string;
  /** In plain words, as people read it behind the glob. */
  readonly reason: string;
}

export interface Ecosystem {
  readonly findingsOf: (tree: Tree) => readonly Finding[];
  /** Path → reason, for what the builds make only so that a test of these commands runs it. */
  readonly judgesOf?: (tree: Tree, commands: readonly string[]) => ReadonlyMap<string, string>;
  readonly imports?: ImportReader;
}

export const found = (kind: Finding['kind'], path: string, reason: string): Finding => ({
  kind,
  path,
  reason,
});
