import type { SealedHint } from '../../schema/criteria.ts';
import type { SealedCheck, SealedRun } from '../../schema/sealed.ts';
import type { Fence } from './fence.ts';
import type { Sight } from './sight.ts';
import type { TestReport } from './test-report.ts';

export interface SealedFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly mode: 0o644 | 0o755;
  readonly content: Uint8Array;
}

export interface SealedContent {
  readonly check: SealedCheck;
  readonly files: readonly SealedFile[];
}

/** What everybody may know of a sealed criterion. */
export interface SealedTold {
  readonly name: string;
  readonly checks: SealedCheck['kind'];
  readonly description: string;
  readonly hint: SealedHint;
}

/** A sealed criterion as it is stored. */
export interface StoredSealed extends SealedTold {
  readonly sealedId: string;
  readonly sha256: string;
  readonly keyId: string;
  readonly createdBy: string;
  readonly createdAt: string;
}

/** The content can't be had: it is erased, damaged, or its key is not here. */
export interface Unopened {
  readonly problem: string;
}

/** A run with what only the host compares. */
export interface KeptSealedRun extends SealedRun {
  readonly sealedId: string;
  readonly criterionId: string;
  /** Digest of all that was judged; equal ones have the same outcome. */
  readonly inputs: string;
  readonly report: TestReport | null;
}

/** Content and runs of sealed criteria: encrypted where they are stored, and never told to a model. */
export interface SealedPort {
  /**
   * Stores it under a new id.
   * @param workspaces those that its maker is bound to; null = all
   */
  seal(
    content: SealedContent,
    maker: { readonly name: string; readonly workspaces: readonly string[] | null },
  ): Promise<StoredSealed>;
  /** Null = there is none in sight: a caller sees what was sealed within its own workspaces. */
  find(sealedId: string, sight: Sight): Promise<StoredSealed | null>;
  open(sealedId: string): Promise<SealedContent | Unopened>;
  /** Oldest first. Runs that can't be opened count, and say nothing. */
  runs(goalId: string): Promise<readonly KeptSealedRun[]>;
  keepRun(fence: Fence, run: Omit<KeptSealedRun, 'at'>): Promise<void>;
  /** Erases contents that no unfinished goal needs and that are older than a day. */
  eraseUnneeded(): Promise<void>;
}

/** The sealed criteria of a worker. */
export interface SealedOnHost extends Pick<SealedPort, 'open' | 'runs' | 'keepRun'> {
  /** Why no sealed criterion may run on this host; null = it may. */
  readonly whyNot: string | null;
}
