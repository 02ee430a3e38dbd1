import type { Additions, Inputs, NamesTaken } from './additions.ts';

/** How packages come to be where a proof needs them. */
export interface Setup {
  readonly tool: string;
  /** Where the command runs; '' is the top of the tree. */
  readonly folder: string;
  readonly command: string;
  /** The lock file by which it is known; null = none. */
  readonly lock: string | null;
  /** Paths of all that decides what is installed, sorted; null = the whole tree. */
  readonly inputs: readonly string[] | null;
  /** The folder of the tree that it fills; absent = caches of its home. */
  readonly installs?: string;
  /**
   * The command gets the files of the original beside its inputs: because they decide what it
   * installs as well (`content`), or because it refuses to run without them (`shape`).
   */
  readonly needsTree?: 'content' | 'shape';
  /** What it installs works under one path only. */
  readonly isBoundToPath?: boolean;
}

/** What a manager knows of a project. */
export interface Ground {
  /** Every path of the tree, sorted. */
  readonly all: readonly string[];
  has(path: string): boolean;
  /** Null where it is no file. */
  read(path: string): Promise<string | null>;
  /** Commands of the criteria. */
  readonly commands: readonly string[];
}

/** What installs the packages of a folder, by the manager's own row. */
export type Plan = Omit<Setup, 'tool' | 'folder' | 'lock'>;

/** A lock file that no setup can be made of. */
export interface Unusable {
  /** For people: what is the matter, and the way out. */
  readonly why: string;
}

/** Where the result of an installation shows what an added package is found in place of. */
export type Look = 'modules' | 'environment' | 'crates';

/**
 * A package manager: one row of `managers/all.ts`. Another one is a file beside these and a line
 * there.
 */
export interface PackageManager {
  readonly tool: string;
  /** Names of the files that it is known by; the first one in a folder is heeded. */
  readonly locks: readonly string[];
  /** Only the one at the top of the tree speaks for it. */
  readonly isAtTop?: boolean;
  /** Null where nothing is to be installed. */
  setupOf(folder: string, lock: string, ground: Ground): Promise<Plan | Unusable | null>;
  /** Absent where no lock file tells name, version, source and integrity of each package. */
  readonly additions?: {
    /** The inputs that an addition changes; all others stay as they are. */
    readonly changes: RegExp;
    judge(before: Inputs, now: Inputs, names: NamesTaken): Additions;
    /**
     * A text without what does not decide which packages are there of those that the text before
     * asks for; absent: all of it does.
     */
    deciding?(path: string, text: string, before: string): string;
    /** Absent where the lock file tells all that an addition takes the place of. */
    readonly look?: Look;
  };
}

/** A path in a folder of the tree. */
export const at = (folder: string, path: string): string =>
  folder === '' ? path : `${folder}/${path}`;

export const isBelow = (folder: string, path: string): boolean =>
  folder === '' || path.startsWith(`${folder}/`);
