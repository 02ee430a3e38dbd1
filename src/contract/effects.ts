import type { Isolation } from '../../schema/isolation.ts';
import type { Network, Reached } from '../../schema/network.ts';
import type { ProcessIdentity } from './process-identity.ts';

export interface CommandRun {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** `exited`, or why the host ended it. */
  readonly ended:
    | 'exited'
    | 'timeout'
    | 'cancelled'
    | 'output_limit'
    | 'memory_limit'
    | 'task_limit'
    | 'disk_limit'
    | 'file_limit'
    /** Settings of git that the command may have changed could not be removed. */
    | 'plant_left'
    /** Git did not report its settings after the command. */
    | 'git_unanswered';
  readonly output: Uint8Array;
  readonly durationMs: number;
  /** How the command was isolated from the machine. */
  readonly isolation: Isolation;
  /** Descriptions of what the command left for git to run later; the host removed it. */
  readonly disarmed?: readonly string[];
  /** Descriptions of what git would run later and whose author is unknown; it is still there. */
  readonly undecided?: readonly string[];
  /** Where it connected, or tried to, if it may reach listed domains. */
  readonly reached?: readonly Reached[];
}

/**
 * The helper process group of one slice attempt: a goal's files change and its commands run only
 * here. It dies with the attempt; the next attempt ends it before it raises the fencing token.
 */
export interface EffectsPort {
  runCommand(command: {
    readonly command: string;
    /** Absolute, inside the workspace. */
    readonly cwd: string;
    readonly timeoutMs: number;
    readonly maxOutputBytes: number;
    /**
     * True for a command that is not ended for printing far too much: what is beyond the limit is
     * counted and left out, and its time ends it.
     */
    readonly printsFreely?: boolean;
    /**
     * Folders beside the goal's workspace. The command sees and writes to the workspace, unless
     * `root` replaces it.
     */
    readonly reach?: Reach;
    readonly env?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    /** `skipped`: the text right before this one that isn't shown; masking of secrets needs it. */
    readonly onOutput?: (text: string, skipped?: Skipped) => void;
  }): Promise<CommandRun>;
  /** Atomic: temp file, fsync, rename, fsync of the folder, read back; keeps the mode. */
  writeFile(file: {
    /** Absolute, already resolved. */
    readonly path: string;
    readonly content: Uint8Array;
    /** Refuses with `changed` unless the file's present SHA-256 is this (null = absent). */
    readonly expected: string | null;
    /** Names the temp file, so that a leftover is recognised and never reused. */
    readonly callId: string;
  }): Promise<
    { readonly kind: 'written' } | { readonly kind: 'changed'; readonly found: string | null }
  >;
  /** Atomic for each path; the outcome says why a path keeps its content. */
  placeEntry(order: PlaceOrder): Promise<PlaceOutcome>;
}

/** A helper process group, started at its first effect. */
export interface EffectsSession extends EffectsPort {
  close(): Promise<void>;
}

export type WriteOutcome =
  | { readonly kind: 'written' }
  | { readonly kind: 'changed'; readonly found: string | null };

/** The content that a path of a workspace gets; null = the path is removed. */
export interface PlaceOrder {
  /** The workspace, without links. */
  readonly root: string;
  /** Relative to it. */
  readonly path: string;
  readonly entry: {
    readonly kind: 'file' | 'link';
    readonly mode: number;
    /** For a link: its target. */
    readonly content: Uint8Array;
  } | null;
  /**
   * Stamp of the path as it was stored; null = nothing was there. A path that differs from it by
   * now stays as it is. Absent = the path is replaced in any case.
   */
  readonly was?: string | null;
}

export type PlaceOutcome =
  | { readonly kind: 'placed' }
  | { readonly kind: 'kept'; readonly why: string };

/** Output that isn't shown because too much came at once. */
export interface Skipped {
  /** Text right before the piece. */
  readonly text: string;
  /** True when this text directly follows the last piece; false when something between was lost. */
  readonly isWhole: boolean;
}

/** `programs`: as `require` while a program has a token, else as `auto`. */
export type SandboxMode = 'programs' | 'auto' | 'require' | 'off';

/** The goal, tree and network that commands run with. */
export interface CommandScope {
  readonly goalId: string;
  /** The tree that the goal works on, absolute. */
  readonly workspace: string;
  readonly network: Network;
}

export interface Lent {
  /** Relative to the root. */
  readonly at: string;
  /** Absolute. */
  readonly from: string;
  /** Entries of it that show as empty folders, which may be written: caches. */
  readonly fresh: readonly string[];
  /** Folders in it that show what they hold, and may take more. */
  readonly open?: readonly string[];
}

/** The reach of one command beside its goal's workspace. */
export interface Reach {
  /** The tree that it works on instead of the workspace, such as a fresh checkout. */
  readonly root?: string;
  /** The root shows at the workspace's own path, and the workspace itself nowhere. */
  readonly isInPlace?: boolean;
  /** Folders that show in the root as they are, read-only. */
  readonly lent?: readonly Lent[];
  /** Further folders that it may write to. */
  readonly writable?: readonly string[];
  /** Its own home and temporary folder are made here, instead of those of the goal's commands. */
  readonly home?: string;
  /** Further folders that it may read. */
  readonly reads?: readonly string[];
  /** Instead of the goal's own network. */
  readonly network?: Network;
  /** The command sees only those packages of the goal's commands that can't be forged. */
  readonly isClean?: boolean;
  /** No network, and nothing that another command of the goal could read afterwards. */
  readonly isSealed?: boolean;
}

/** Starts and ends the helper process groups of a worker. */
export interface EffectsHost {
  /** `onSpawn` is awaited before the first effect; `ground` is called before the first command. */
  readonly startEffects: (
    onSpawn: (helper: ProcessIdentity) => Promise<void>,
    ground: () => Promise<CommandScope>,
  ) => EffectsSession;
  /** Ends a helper process group and returns when all of it is gone. */
  readonly endHelper: (helper: ProcessIdentity) => Promise<void>;
}
