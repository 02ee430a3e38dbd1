import type { Agents } from '../../schema/agents.ts';
import type { ToolRule } from '../../schema/tool-rule.ts';
import type { Secrets } from '../attempt/secrets.ts';
import type { AddressRules } from '../contract/addresses.ts';
import type { AppliesOnHost } from '../contract/applies.ts';
import type { AttachedContents } from '../contract/attachments.ts';
import type { StoppableCalls } from '../contract/call-stops.ts';
import type { CheckLoans } from '../contract/check-loans.ts';
import type { CheckOrders } from '../contract/check-order.ts';
import type { CheckpointsPort } from '../contract/checkpoints.ts';
import type { EffectsHost } from '../contract/effects.ts';
import type { JournalPort } from '../contract/journal.ts';
import type { NewOutput, Saying, SayingCall } from '../contract/live.ts';
import type { ModelPort } from '../contract/model.ts';
import type { ProofPort } from '../contract/proofs.ts';
import type { RecordPort } from '../contract/record.ts';
import type { RunningSlices } from '../contract/running-slices.ts';
import type { AlarmsPort } from '../contract/schedules.ts';
import type { SealedOnHost } from '../contract/sealed.ts';
import type { StoredRulesPort } from '../contract/stored-rules.ts';
import type { ToolPinsPort } from '../contract/tool-pins.ts';
import type { WorkspaceRules } from '../contract/workspace-rules.ts';
import type { WorktreesPort } from '../contract/worktrees.ts';
import type { OwnPhrases } from '../reply/phrases.ts';
import type { Registry } from '../tools/registry.ts';

/** Everything that a slice acts through; nothing is global, so that a test can wrap each port. */
export interface TurnPorts extends EffectsHost {
  readonly journal: JournalPort;
  readonly record: RecordPort;
  readonly proofs: ProofPort;
  readonly sealed: SealedOnHost;
  readonly checkpoints: CheckpointsPort;
  readonly worktrees: WorktreesPort;
  /** The workspace for a check that belongs to no goal. */
  readonly checks: CheckLoans;
  readonly checkOrders: CheckOrders;
  /** Branches that people have brought into their workspaces. */
  readonly applies: AppliesOnHost;
  /** Contents of the files of a conversation; absent in tests that attach none. */
  readonly attached?: AttachedContents;
  /** Decides what is due of schedules. */
  readonly alarms: Pick<AlarmsPort, 'look'>;
  readonly model: ModelPort;
  readonly tools: Registry;
  /** Carried by the host's words in a goal's conversation. */
  readonly hostMark?: (goalId: string) => string;
  /** Absent where no tool's words come from elsewhere. */
  readonly toolPins?: ToolPinsPort;
  /** Absent in tests that hold none. */
  readonly secrets?: Secrets;
  /** Rules about tools for every goal; absent = only the built-in ones. */
  readonly toolRules?: readonly ToolRule[] | undefined;
  /** Phrases that the operator adds to the built-in ones, as they are at the moment. */
  readonly ownPhrases?: () => OwnPhrases;
  /** Rules about what happens in one workspace, as they are at the moment. */
  readonly workspaceRules?: (workspace: string) => WorkspaceRules;
  /** What people let run for good; absent = nothing. */
  readonly storedRules?: StoredRulesPort | undefined;
  /** Running calls that a person may end alone; absent = nobody does. */
  readonly callStops?: StoppableCalls;
  /** Publishes output of running commands to watchers; absent = nobody watches. */
  readonly tellOutput?: (output: NewOutput) => void;
  /** Publishes the model's text while it is generated; absent = nobody watches. */
  readonly tellText?: (call: SayingCall) => Saying;
  /** Addresses whose URLs a model may wait for; public ones by default. */
  readonly addresses?: AddressRules;
  /** The service's own folder: no goal writes there. */
  readonly home: string;
  /** Where seeds of toolchains are kept; absent = checks begin without. */
  readonly seeds?: string;
  /** Agents that goals may name; absent = none. */
  readonly agents?: Agents;
  readonly host: string;
  readonly workerId: string;
  /** Aborts when the worker is told to stop: slices return after their current call. */
  readonly stopping: AbortSignal;
  /** Running slices by goal, for immediate cancellation. */
  readonly running: RunningSlices;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970 by the database's clock, which deadlines and decisions go by. */
  readonly now: () => number;
}
