import type { StackAddresses } from '../stack/own-process.ts';
import { openDatabase } from '../store/client.ts';
import { createReconcileStore } from '../store/record/reconcile.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { createExecutions } from '../temporal/executions.ts';
import { handOver } from '../temporal/hand-over.ts';

/** What a dead worker ran is retried at once, not after its heartbeat timeout. */
export async function handOverGoals(workerId: string, addresses: StackAddresses): Promise<void> {
  const database = openDatabase(addresses.databaseUrl, { connections: 1 });
  const client = createTemporalClient(addresses.temporal);
  try {
    await handOver(createExecutions(client), createReconcileStore(database), workerId);
  } finally {
    await client.connection.close();
    await database.end({ timeout: 5 });
  }
}
