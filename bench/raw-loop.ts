import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { quietLogger } from '../src/temporal/quiet-logger.ts';
import { median, round } from './statistics.ts';
import type { World } from './world.ts';

const TASK_QUEUE = 'bench-raw';

export interface RawLoop {
  /** Median milliseconds a turn of two instant activities, one workflow alone. */
  readonly turnMs: number;
  readonly turnsPerSecond: number;
}

Runtime.install({ logger: quietLogger });

const now = () => performance.timeOrigin + performance.now();

/** What a workflow with two activities a turn takes on the same Temporal server. */
export async function measureRawLoop(
  { temporal }: World,
  { turns = 100, goals = 50, turnsEach = 10 } = {},
): Promise<RawLoop> {
  const workflowsPath = fileURLToPath(new URL('./raw-loop.workflow.ts', import.meta.url));
  const connection = await NativeConnection.connect({ address: temporal.address });
  const client = new Client({
    connection: Connection.lazy({ address: temporal.address }),
    namespace: temporal.namespace,
  });
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    // Without the service's interceptors, which take no result that its codec did not write.
    workflowBundle: await bundleWorkflowCode({ workflowsPath, logger: quietLogger }),
    activities: { first: async () => now(), second: async () => now() },
  });
  const loop = (count: number, name: string) =>
    client.workflow.execute('rawLoop', {
      workflowId: `bench-raw-${name}-${Date.now()}`,
      taskQueue: TASK_QUEUE,
      args: [count],
    }) as Promise<number[]>;
  const figures = await worker.runUntil(async () => {
    const begun = await loop(turns, 'alone');
    const startedAt = now();
    await Promise.all(Array.from({ length: goals }, (_, goal) => loop(turnsEach, String(goal))));
    const seconds = (now() - startedAt) / 1000;
    const durations = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
    return {
      turnMs: round(median(durations), 1),
      turnsPerSecond: round((goals * turnsEach) / seconds, 1),
    };
  });
  await client.connection.close();
  await connection.close();
  return figures;
}
