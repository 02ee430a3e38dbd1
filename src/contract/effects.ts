import type { Isolation } from '../../schema/isolation.ts';
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
    /** What it may have left in git's settings could not be taken away. */
    | 'plant_left'
    /** Git did not say what its settings are by now. */
    | 'git_unanswered';
  readonly output: Uint8Array;
  readonly durationMs: number;
  /** What kept the machine from it. */
  readonly isolation: Isolation;
  /** What it left that git would have run later, in words: the host took it away. */
  readonly disarmed?: readonly string[];
  /** What git would run later and nobody knows whose it is, in words: it is still there. */
  readonly undecided?: readonly string[];
}

/**
 * The helper process group of one slice attempt: the only place from which a goal's files change
 * and commands run. It dies with the attempt; whoever takes over ends it before the fencing token
 * rises.
 */
export interface EffectsPort {
  runCommand(command: {
    readonly command: string;
    /** Absolute, inside the workspace. */
    readonly cwd: string;
    readonly timeoutMs: number;
    readonly maxOutputBytes: number;
    /** Beside the goal's workspace, which it sees and writes to unless it works on another tree. */
    readonly reach?: Reach;
    readonly env?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    /** `skipped`: what came right before the text and is not shown, for whoever masks secrets. */
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
  /** Atomic for each path; says why where a path keeps what it has. */
  placeEntry(order: PlaceOrder): Promise<PlaceOutcome>;
}

/** A helper process group, started at its first effect. */
export interface EffectsSession extends EffectsPort {
  close(): Promise<void>;
}

export type WriteOutcome =
  | { readonly kind: 'written' }
  | { readonly kind: 'changed'; readonly found: string | null };

/** What a path of a workspace is to hold; null = nothing. */
export interface PlaceOrder {
  /** The workspace, without links. */
  readonly root: string;
  /** Relative to it. */
  readonly path: string;
  readonly entry: {
    readonly kind: 'file' | 'link';
    readonly mode: number;
    /** Of a link, where it leads. */
    readonly content: Uint8Array;
  } | null;
  /**
   * The stamp of what was stored of that path; null = nothing was there. What is there by now and
   * is something else stays. Absent: whatever is there.
   */
  readonly was?: string | null;
}

export type PlaceOutcome =
  | { readonly kind: 'placed' }
  | { readonly kind: 'kept'; readonly why: string };

/** What is not shown of an output, because too much came at once. */
export interface Skipped {
  /** What came right before the piece. */
  readonly text: string;
  /** It follows the last piece; else something between is not known any more. */
  readonly isWhole: boolean;
}

export type SandboxMode = 'auto' | 'require' | 'off';

/** For whom commands run. */
export interface CommandScope {
  readonly goalId: string;
  /** The tree that the goal works on, absolute. */
  readonly workspace: string;
  readonly network: 'none' | 'host';
}

/** What one command is to reach beside its goal's ground. */
export interface Reach {
  /** The tree that it works on instead of the workspace, such as a fresh checkout. */
  readonly root?: string;
  /** Further folders that it may write to. */
  readonly writable?: readonly string[];
  /** Its own home and temporary folder are made here, instead of those of the goal's commands. */
  readonly home?: string;
  /** Of the packages that the goal's commands fetched it finds only what can't be forged. */
  readonly isClean?: boolean;
}

/** Starts and ends the helper process groups of a worker. */
export interface EffectsHost {
  /** `onSpawn` is awaited before the first effect; `ground` is asked before the first command. */
  readonly startEffects: (
    onSpawn: (helper: ProcessIdentity) => Promise<void>,
    ground: () => Promise<CommandScope>,
  ) => EffectsSession;
  /** Ends a helper process group and returns when all of it is gone. */
  readonly endHelper: (helper: ProcessIdentity) => Promise<void>;
}
