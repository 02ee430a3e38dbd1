import type { Logger } from 'pino';
import type { Config } from '../../contract/config.ts';
import type { ServiceRules } from '../../contract/service-rules.ts';
import type { ModelConfig } from '../../model/providers.ts';
import type { Groups } from '../../sandbox/groups/groups.ts';
import type { TemporalAddress } from '../../temporal/connection.ts';
import type { ReconcilerPorts } from '../../temporal/reconciler.ts';
import type { Tool } from '../../tools/tool.ts';
import type { TurnPorts } from '../../turn/turn-ports.ts';
import type { Starting } from '../hold-pool.ts';

export interface WorkerOptions {
  readonly config: Config & { readonly databaseUrl: string; readonly models: ModelConfig };
  /** The operator's rules, as they are at the moment; the configuration's unless told. */
  readonly rules?: () => ServiceRules;
  readonly temporal: TemporalAddress;
  /** `NAME=PATH`: trees of this host that get a name. */
  readonly workspaces: readonly string[];
  readonly log: Logger;
  /** Where each command gets a control group; null and absent = what it uses is counted. */
  readonly groups?: Groups | null;
  /** Tools of an application that runs its own worker, beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Whom the start waits for, and what ends it. */
  readonly starting?: Starting;
  /** Lets a test put itself between the slice and all that it acts through. */
  readonly wrapPorts?: (ports: TurnPorts) => TurnPorts;
  /** The same for the ports outside the slices: Temporal's client and the reconciler's store. */
  readonly wrapReconciler?: (ports: ReconcilerPorts) => ReconcilerPorts;
}
