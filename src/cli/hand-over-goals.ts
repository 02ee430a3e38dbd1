import type { Config } from '../contract/config.ts';
import { taskQueuesOf } from '../contract/task-queues.ts';
import { temporalKeys } from '../sealed/keys.ts';
import type { StackAddresses } from '../stack/own-process.ts';
import { readInstallation } from '../store/installation.ts';
import { ledgerKeys } from '../store/ledger/ledger-keys.ts';
import { createReconcileStore } from '../store/record/reconcile.ts';
import { openStore } from '../store/store.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { createExecutions } from '../temporal/executions.ts';
import { handOver } from '../temporal/hand-over.ts';

/** Retries a dead worker's activities at once instead of after their heartbeat timeout. */
export async function handOverGoals(
  workerId: string,
  addresses: StackAddresses,
  config: Pick<Config, 'temporalKeys' | 'home' | 'ledgerKeys'>,
): Promise<void> {
  const store = openStore(addresses.databaseUrl, { connections: 1, plainConnections: 1 });
  const client = createTemporalClient(
    addresses.temporal,
    temporalKeys(config.temporalKeys, config.home),
  );
  try {
    const goals = createReconcileStore(store, { ledgerKeys: ledgerKeys(config.ledgerKeys) });
    const queues = taskQueuesOf(await readInstallation(store.sql));
    await handOver(createExecutions(client, queues), goals, workerId);
  } finally {
    await client.connection.close();
    await store.close();
  }
}
