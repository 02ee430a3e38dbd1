import type { Provider, Spend, SpendBy, Worker } from '../../schema/operations.ts';
import type { Sight } from './sight.ts';
import type { SpendLimit, StandingLimit } from './spend.ts';
import type { Standing } from './standing.ts';
import type { StuckRun } from './stuck-run.ts';

/** Reads for the service overview; all of them use indexes or read few rows. */
export interface OperationsReader {
  /** Workers seen within a day, living ones first. */
  workers(): Promise<Worker[]>;
  spend(range: SpendRange): Promise<Spend>;
  /** Every limit in the period that runs, for those who spent in it or are named. */
  standingLimits(limits: readonly SpendLimit[]): Promise<StandingLimit[]>;
  /** Model calls since `from`, by model, and minute by minute for the last twenty. */
  providers(from: string): Promise<Provider[]>;
  /** Hosts that active goals work on. */
  busyHosts(): Promise<BusyHost[]>;
  /** Goals whose tasks fail again and again, the longest first; at most a few. */
  stuck(): Promise<StuckGoal[]>;
  /** Active goals on these hosts, most recently updated first. */
  goalsOn(hosts: readonly string[]): Promise<string[]>;
  /** Goals with notifications since then that no webhook accepted. */
  undelivered(since: string): Promise<Undelivered[]>;
  /** How the service stands now, in numbers. */
  standing(): Promise<Standing>;
}

export interface SpendRange {
  readonly from: string;
  readonly to: string;
  readonly by: SpendBy;
  /** IANA name: where days and hours begin. */
  readonly timeZone: string;
  /** Whose goals count. */
  readonly sight: Sight;
}

export interface BusyHost {
  readonly host: string;
  readonly goals: number;
  /** The one that has waited longest. */
  readonly goalId: string;
}

export interface StuckGoal extends StuckRun {
  readonly goalId: string;
}

export interface Undelivered {
  readonly goalId: string;
  readonly url: string;
  readonly deliveries: number;
  readonly error: string | null;
  readonly at: string;
}
