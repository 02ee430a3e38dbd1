import {
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import { createSharedActivities, createWorkspaceActivities } from '../../activities/index.ts';
import type { TaskQueues } from '../contract/task-queues.ts';
import type { SealedKeys } from '../sealed/keys.ts';
import type { TurnPorts } from '../turn/turn-ports.ts';
import {
  endingInOwnRecord,
  failingWithoutSecrets,
  refusingActivities,
  tellingSinks,
} from './activity-guard.ts';
import type { TemporalAddress } from './connection.ts';
import { sealedConverter } from './data-converter.ts';
import { connectNative, followTlsFiles } from './native-connection.ts';
import type { TellRefusal } from './payload-codec.ts';
import { untilOver } from './until-over.ts';

export interface GoalWorkerOptions {
  readonly temporal: TemporalAddress;
  readonly queues: TaskQueues;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Opens and encrypts all payloads. */
  readonly keys: SealedKeys;
  /** Is the record still the one that the worker began with? */
  readonly isOwnRecord: () => Promise<boolean>;
  /** Told of everything that is refused. */
  readonly onRefused: TellRefusal;
  readonly ports: TurnPorts;
  readonly bundle: WorkflowBundleOption;
  /** Slices that run at once. */
  readonly maxSlices?: number;
  /** Workflows kept in memory; a goal that rests costs some 0.25 MB of it. */
  readonly maxCachedWorkflows?: number;
  /** How long running slices get to end after a stop before they are cancelled. */
  readonly drainSeconds: number;
}

export interface GoalWorker {
  /** Resolves when both workers have drained; rejects with PollingEnded when one failed for good. */
  readonly done: Promise<void>;
  stop(): void;
}

/** More than work at once; a goal that rests longer is replayed from its history in some 20 ms. */
const CACHED_WORKFLOWS = 300;

/** Slices that a worker runs at once unless told. */
export const SLOTS = 100;

/** After its cancellation, a call has this long to write its end. */
const FORCE_AFTER_MS = 10_000;
/** A dead worker's cached goals wait this long for another one; a live one polls in milliseconds. */
const STICKY_PATIENCE = '2 s';

/** Until a server that doesn't answer is asked for its certificate. */
const PATIENCE_MS = 2000;

/** Tasks taken by a frozen worker's open polls come back only by timeout, so polls are few. */
const POLLS = 2;

/** Two workers in one process: workflows with their commits, and this host's workspaces. */
export async function startGoalWorker(options: GoalWorkerOptions): Promise<GoalWorker> {
  const { temporal, queues, ports, bundle, keys, onRefused, isOwnRecord } = options;
  const drainMs = options.drainSeconds * 1000;
  let connection = await connectNative(temporal);
  const guards = [
    ...(ports.secrets === undefined ? [] : [failingWithoutSecrets(ports.secrets.mask)]),
    refusingActivities(onRefused),
    endingInOwnRecord(isOwnRecord),
  ];
  const common = {
    connection,
    namespace: temporal.namespace,
    identity: ports.workerId,
    dataConverter: sealedConverter(keys, { is: 'worker', tell: onRefused }),
    interceptors: { activity: guards },
    shutdownGraceTime: drainMs,
    shutdownForceTime: drainMs + FORCE_AFTER_MS,
  } satisfies Partial<WorkerOptions>;
  const [goals, workspaces] = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: queues.goals,
      workflowBundle: bundle,
      sinks: tellingSinks(onRefused),
      activities: createSharedActivities(ports, onRefused),
      stickyQueueScheduleToStartTimeout: STICKY_PATIENCE,
      maxCachedWorkflows: options.maxCachedWorkflows ?? CACHED_WORKFLOWS,
      maxConcurrentActivityTaskExecutions: 50,
    }),
    Worker.create({
      ...common,
      taskQueue: queues.workspacesOf(ports.host),
      activities: createWorkspaceActivities(ports, onRefused),
      maxConcurrentActivityTaskExecutions: options.maxSlices ?? SLOTS,
      maxHeartbeatThrottleInterval: '2 s',
      maxConcurrentActivityTaskPolls: POLLS,
    }),
  ]);
  const use = async (next: NativeConnection) => {
    goals.connection = next;
    workspaces.connection = next;
    await connection.close().catch(() => {});
    connection = next;
  };
  const ask = () =>
    connection.withDeadline(Date.now() + PATIENCE_MS, () =>
      connection.workflowService.getSystemInfo({}),
    );
  const follower = followTlsFiles(temporal, { use, ask }, options.log);
  const both = [goals, workspaces];
  const stop = () => {
    for (const worker of both) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const done = untilOver(both).finally(async () => {
    // One that failed leaves the other nothing to do.
    stop();
    await follower.stop();
    await connection.close().catch(() => {});
  });
  return { done, stop };
}
