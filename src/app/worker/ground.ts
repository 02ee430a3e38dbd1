import { hostname } from 'node:os';
import { taskQueuesOf } from '../../contract/task-queues.ts';
import { machineName, poolOf } from '../../process/machine.ts';
import { temporalKeys } from '../../sealed/keys.ts';
import { openDatabase } from '../../store/client.ts';
import { followDatabaseClock } from '../../store/database-clock.ts';
import { readInstallation } from '../../store/installation.ts';
import { createTokenStore } from '../../store/intake/tokens.ts';
import { ledgerKeys } from '../../store/ledger/ledger-keys.ts';
import { createLiveOutput } from '../../store/notices/live-output.ts';
import { createLiveText } from '../../store/notices/live-text.ts';
import { createNotifier } from '../../store/notices/notifier.ts';
import { openStore, type Store } from '../../store/store.ts';
import { createCallStops } from '../../store/waits/call-stops.ts';
import { createPools } from '../../store/workspaces/pools.ts';
import { spanningObserver } from '../../telemetry/goal-spans.ts';
import { observers } from '../../telemetry/observed-ports.ts';
import { createSpanExporter } from '../../telemetry/span-exporter.ts';
import { readTraceparent } from '../../telemetry/trace-ids.ts';
import { countingObserver, createWorkerMetrics } from '../../telemetry/worker-metrics.ts';
import { createTemporalClient } from '../../temporal/connection.ts';
import { delegationNotifier } from '../../temporal/delegation-notifier.ts';
import { createExecutions } from '../../temporal/executions.ts';
import { workspaceNotifier } from '../../temporal/workspace-notifier.ts';
import { createRunningSlices } from '../../turn/running.ts';
import { createStoppableCalls } from '../../turn/stoppable-calls.ts';
import { productVersion } from '../../version.ts';
import { configuredSandbox, sandboxForPrograms } from '../configured-sandbox.ts';
import { takePool } from '../hold-pool.ts';
import { startSealing } from '../start-sealing.ts';
import type { WorkerOptions } from './options.ts';

/**
 * The number of connections that append. It is small, so that statements of many goals share a
 * write to the socket, which costs more than the statements: with 20 connections a step took a
 * fifth more of the worker and of Postgres. It is enough for a disk whose flush takes 5 ms.
 */
const APPENDING = 4;

/** What the parts of a worker share. */
export type WorkerGround = Awaited<ReturnType<typeof openGround>>;

/** Opens the record, takes the pool, and opens all that the parts of a worker share. */
export async function openGround(options: WorkerOptions) {
  const { config, temporal, log } = options;
  const groups = options.groups ?? null;
  const configured = await configuredSandbox(config, groups);
  const store = openStore(config.databaseUrl, { connections: 20 });
  const keys = ledgerKeys(config.ledgerKeys);
  await startSealing(store.sql, keys, log);
  const sandbox = sandboxForPrograms(configured, config, createTokenStore(store, keys));
  const { sql: database } = store;
  const machine = hostname();
  const host = poolOf(config);
  const pool = await heldPool(options, store, { host, machine });
  const appends = openDatabase(config.databaseUrl, { connections: APPENDING });
  const payloadKeys = temporalKeys(config.temporalKeys, config.home);
  const client = createTemporalClient(temporal, payloadKeys);
  const queues = taskQueuesOf(await readInstallation(database));
  const executions = createExecutions(client, queues);
  const notifier = createNotifier(database);
  const rules = options.rules ?? (() => config.rules);
  const recording = {
    appends,
    spendLimits: () => rules().spend,
    onAppended: notifier.touched,
    ledgerKeys: keys,
    onWorkspaceFree: workspaceNotifier(executions),
    onFamily: delegationNotifier(executions),
  };
  const clock = await followDatabaseClock(database);
  const { metrics, traces, observer } = telling(config.tracesUrl, store);
  return {
    ...{ config, temporal, log, groups, sandbox, host, machine, workerId: config.workerId, pool },
    ...{ store, database, keys, appends, payloadKeys, client, queues, executions, notifier },
    ...{ rules, recording, clock, metrics, traces, observer },
    liveOutput: createLiveOutput(database),
    liveText: createLiveText(database),
    running: createRunningSlices(),
    callStops: createStoppableCalls(createCallStops(database)),
    stopping: new AbortController(),
  };
}

async function heldPool(
  { config, starting }: WorkerOptions,
  store: Store,
  { host, machine }: { readonly host: string; readonly machine: string },
) {
  const holding = {
    pools: createPools(store.sql),
    name: host,
    machine: config.pool === null ? machine : machineName(),
    isShared: config.pool !== null,
    clock: () => performance.now(),
  };
  return await takePool(holding, starting).catch(async (ended: unknown) => {
    await store.close();
    throw ended;
  });
}

/** Who counts and traces the work. */
function telling(tracesUrl: string | null, store: Store) {
  const metrics = createWorkerMetrics();
  const traces = tracesUrl === null ? null : createSpanExporter(tracesUrl, productVersion());
  const acceptanceOf = async (goalId: string) => {
    const where = { where: { goalId }, select: { createdAt: true, callerTrace: true } };
    const goal = await store.prisma.goal.findUnique(where);
    if (goal === null) return null;
    return { at: goal.createdAt.getTime(), caller: readTraceparent(goal.callerTrace) };
  };
  const spans =
    traces === null ? [] : [spanningObserver({ now: Date.now, end: traces.end, acceptanceOf })];
  return { metrics, traces, observer: observers(countingObserver(metrics), ...spans) };
}
