import type { ToolRule } from '../../schema/tool-rule.ts';
import type { CheckpointsPort } from '../checkpoints/checkpoints-port.ts';
import type { CheckLoans } from '../db/check-loan.ts';
import type { OutputPiece } from '../db/live-output.ts';
import type { Saying, SayingCall } from '../db/live-text.ts';
import type { RecordPort } from '../db/ports.ts';
import type { BasisPort } from '../evidence/basis/basis-port.ts';
import type { AddressRules } from '../net/addresses.ts';
import type { Ground } from '../sandbox/sandbox.ts';
import type { Registry } from '../tools/registry.ts';
import type { EffectsPort } from '../tools/tool.ts';
import type { WorkspaceRules } from '../tools/workspace-rules.ts';
import type { WorktreesPort } from '../worktrees/worktrees-port.ts';
import type { JournalPort, ModelPort, ProcessIdentity } from './ports.ts';
import type { Secrets } from './secrets.ts';

/** A helper process group, started at its first effect. */
export interface EffectsSession extends EffectsPort {
  close(): Promise<void>;
}

/** Everything that a slice acts through; nothing is global, so that a test can wrap each port. */
export interface TurnPorts {
  readonly journal: JournalPort;
  readonly record: RecordPort;
  readonly basis: BasisPort;
  readonly checkpoints: CheckpointsPort;
  readonly worktrees: WorktreesPort;
  /** The workspace for a check that belongs to no goal. */
  readonly checks: CheckLoans;
  readonly model: ModelPort;
  readonly tools: Registry;
  /** Absent in tests that hold none. */
  readonly secrets?: Secrets;
  /** Rules about tools for every goal; absent = only the built-in ones. */
  readonly toolRules?: readonly ToolRule[] | undefined;
  /** Rules about what happens in one workspace, as they are at the moment. */
  readonly workspaceRules?: (workspace: string) => WorkspaceRules;
  /** `onSpawn` is awaited before the first effect; `ground` is asked before the first command. */
  readonly startEffects: (
    onSpawn: (helper: ProcessIdentity) => Promise<void>,
    ground: () => Promise<Ground>,
  ) => EffectsSession;
  /** What a running command prints, for those who watch; absent = nobody does. */
  readonly tellOutput?: (piece: OutputPiece) => void;
  /** What a model says, while it says it, for those who watch; absent = nobody does. */
  readonly tellText?: (call: SayingCall) => Saying;
  /** Ends a helper process group and returns when all of it is gone. */
  readonly endHelper: (helper: ProcessIdentity) => Promise<void>;
  /** Where a model may wait for URLs; unless told, only where the public is. */
  readonly addresses?: AddressRules;
  /** The service's own folder: no goal writes there. */
  readonly home: string;
  readonly host: string;
  readonly workerId: string;
  /** Aborts when the worker is told to stop: slices return after their current call. */
  readonly stopping: AbortSignal;
  /** Running slices by goal, for immediate cancellation. */
  readonly running: RunningSlices;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export interface RunningSlices {
  /** The returned signal aborts when the goal is cancelled or `parent` aborts. */
  enter(goalId: string, parent: AbortSignal): { signal: AbortSignal; leave(): void };
  cancel(goalId: string): void;
}
