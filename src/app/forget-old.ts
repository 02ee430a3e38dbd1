import type { Logger } from 'pino';
import type { ServiceRules } from '../contract/service-rules.ts';
import type { Database } from '../store/client.ts';
import type { LedgerKeys } from '../store/ledger/ledger-keys.ts';
import { pruneDeliveries } from '../store/retention/prune-deliveries.ts';
import { pruneEvents } from '../store/retention/prune-events.ts';
import type { WorkerMetrics } from '../telemetry/worker-metrics.ts';

export interface ForgettingPorts {
  readonly database: Database;
  readonly keys: LedgerKeys;
  readonly metrics: Pick<WorkerMetrics, 'pruned'>;
  readonly log: Pick<Logger, 'info'>;
}

/** Removes what the operator's file keeps for a time, and tells what it removed. */
export async function forgetOld(
  { database, keys, metrics, log }: ForgettingPorts,
  { deliveries, events }: ServiceRules['retention'],
): Promise<void> {
  const tell = (what: 'deliveries' | 'events', count: number, days: number) => {
    if (count === 0) return;
    metrics.pruned.inc({ what }, count);
    log.info({ what, count, days }, 'old rows were removed, as retention says');
  };
  if (deliveries !== null) {
    tell('deliveries', await pruneDeliveries(database, keys, deliveries), deliveries);
  }
  if (events !== null) tell('events', await pruneEvents(database, keys, events), events);
}
