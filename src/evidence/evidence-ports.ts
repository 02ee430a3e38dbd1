import type { ToolRule } from '../../schema/tool-rule.ts';
import type { AttemptPorts } from '../attempt/attempt.ts';
import type { Secrets } from '../attempt/secrets.ts';
import type { CheckLoans } from '../contract/check-loans.ts';
import type { JournalPort } from '../contract/journal.ts';
import type { ModelPort } from '../contract/model.ts';
import type { ProofPort } from '../contract/proofs.ts';
import type { RecordPort } from '../contract/record.ts';
import type { RunningSlices } from '../contract/running-slices.ts';
import type { SealedOnHost } from '../contract/sealed.ts';
import type { WorkspaceRules } from '../contract/workspace-rules.ts';
import type { Registry } from '../tools/registry.ts';

/** Ports of the gate and the baseline. */
export interface EvidencePorts extends AttemptPorts {
  readonly journal: JournalPort;
  readonly record: Pick<RecordPort, 'recordBaseline'>;
  readonly proofs: ProofPort;
  readonly sealed: SealedOnHost;
  /** The workspace for a check that belongs to no goal. */
  readonly checks: CheckLoans;
  /** Reviewers are models. */
  readonly model: ModelPort;
  /** Reads the arguments of a call that a claim cites. */
  readonly tools: Pick<Registry, 'parse'>;
  /** Absent in tests that hold none. */
  readonly secrets?: Secrets;
  /** Rules about tools for every goal; absent = only the built-in ones. */
  readonly toolRules?: readonly ToolRule[] | undefined;
  /** Rules about what happens in one workspace, as they are at the moment. */
  readonly workspaceRules?: (workspace: string) => WorkspaceRules;
  /** The service's own folder. */
  readonly home: string;
  /** Where seeds of toolchains are kept; absent = checks begin without. */
  readonly seeds?: string;
  readonly running: RunningSlices;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970 by the database's clock, which deadlines and decisions go by. */
  readonly now: () => number;
}
