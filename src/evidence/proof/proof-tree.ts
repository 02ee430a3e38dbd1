import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { TreeEntry } from '../../checkpoints/stored-tree.ts';
import type { InstalledFolder } from '../../proof-place/dependencies.ts';

/** What a proof run works on. */
export interface ProofTree {
  readonly store: StorePlace;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The tree without the goal's work, which tells what is the project's own doing. */
  readonly original?: ReadonlyMap<string, TreeEntry>;
  /** Installed packages that it may use. */
  readonly packages: readonly InstalledFolder[];
  /** How missing packages come to be there; absent = not at all. */
  readonly setup?: SetupRules;
  /** Nothing of the goal's making runs on it, so that later runs may read what builds keep. */
  readonly keepsCaches?: boolean;
}

export interface SetupRules {
  /** Commands of the caller; none = lock files speak. */
  readonly declared: readonly string[];
  readonly dependencies: 'allow' | 'ask';
  /** Files that a person accepted as they are, by `contentOf`. */
  readonly accepted?: Readonly<Record<string, string | null>>;
  /** Of what asks for other packages: none, or those of the original where a person knows of it. */
  readonly others?: 'none' | 'original';
  /** Commands of the criteria. */
  readonly commands: readonly string[];
  /** Where the tree shows. */
  readonly workspace: string;
}
