import type { Provider, Spend, SpendBy, Worker } from '../../schema/operations.ts';

/** What a look at the whole service reads; all of it by indexes or over few rows. */
export interface OperationsReader {
  /** Those that were seen within a day, who lives first. */
  workers(): Promise<Worker[]>;
  spend(range: SpendRange): Promise<Spend>;
  /** Model calls since `from`, by model, and minute by minute for the last twenty. */
  providers(from: string): Promise<Provider[]>;
  /** Hosts that active goals work on. */
  busyHosts(): Promise<BusyHost[]>;
  /** Active goals that work on one of these hosts, those first that moved last. */
  goalsOn(hosts: readonly string[]): Promise<string[]>;
  /** Goals with news that no webhook took, since then. */
  undelivered(since: string): Promise<Undelivered[]>;
}

export interface SpendRange {
  readonly from: string;
  readonly to: string;
  readonly by: SpendBy;
  /** IANA name: where days and hours begin. */
  readonly timeZone: string;
}

export interface BusyHost {
  readonly host: string;
  readonly taskQueue: string;
  readonly goals: number;
  /** The one that has waited longest. */
  readonly goalId: string;
}

export interface Undelivered {
  readonly goalId: string;
  readonly url: string;
  readonly deliveries: number;
  readonly error: string | null;
  readonly at: string;
}
