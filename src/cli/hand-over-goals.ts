import { openDatabase } from '../db/client.ts';
import type { StackAddresses } from '../stack/own-process.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { handOver } from '../temporal/hand-over.ts';

/** What a dead worker ran is retried at once, not after its heartbeat timeout. */
export async function handOverGoals(workerId: string, addresses: StackAddresses): Promise<void> {
  const database = openDatabase(addresses.databaseUrl, { connections: 1 });
  const client = createTemporalClient(addresses.temporal);
  // The newest attempt of a goal is the one whose token the journal carries.
  const heldBy = (worker: string) =>
    database<{ goalId: string; epoch: number }[]>`
      SELECT j.goal_id AS "goalId", j.epoch FROM journal j
      JOIN attempt a ON a.goal_id = j.goal_id AND a.token = j.token
      WHERE a.worker_id = ${worker} AND j.is_open`;
  try {
    await handOver(client, { heldBy }, workerId);
  } finally {
    await client.connection.close();
    await database.end({ timeout: 5 });
  }
}
