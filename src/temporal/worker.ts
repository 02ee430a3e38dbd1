import {
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import { createSharedActivities, createWorkspaceActivities } from '../../activities/index.ts';
import type { SealedKeys } from '../sealed/keys.ts';
import type { TurnPorts } from '../turn/turn-ports.ts';
import { refusingActivities, tellingSinks } from './activity-guard.ts';
import type { TemporalAddress } from './connection.ts';
import { sealedConverter } from './data-converter.ts';
import { GOALS_QUEUE, workspaceQueueOf } from './names.ts';
import { connectNative, followTlsFiles } from './native-connection.ts';
import type { TellRefusal } from './payload-codec.ts';

export interface GoalWorkerOptions {
  readonly temporal: TemporalAddress;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Opens and encrypts all payloads. */
  readonly keys: SealedKeys;
  /** Told of everything that is refused. */
  readonly onRefused: TellRefusal;
  readonly ports: TurnPorts;
  readonly bundle: WorkflowBundleOption;
  /** Slices that run at once. */
  readonly maxSlices?: number;
  /** Workflows kept in memory; a goal that rests costs some 0.25 MB of it. */
  readonly maxCachedWorkflows?: number;
}

export interface GoalWorker {
  /** Resolves when both workers have drained. */
  readonly done: Promise<void>;
  stop(): void;
}

/** More than work at once; a goal that rests longer is replayed from its history in some 20 ms. */
const CACHED_WORKFLOWS = 300;

/** Slices that a worker runs at once unless told. */
export const SLOTS = 100;

const GRACE = '10 s';
/** A dead worker's cached goals wait this long for another one; a live one polls in milliseconds. */
const STICKY_PATIENCE = '2 s';

/** Tasks taken by a frozen worker's open polls come back only by timeout, so polls are few. */
const POLLS = 2;

/** Two workers in one process: workflows with their commits, and this host's workspaces. */
export async function startGoalWorker(options: GoalWorkerOptions): Promise<GoalWorker> {
  const { temporal, ports, bundle, keys, onRefused } = options;
  let connection = await connectNative(temporal);
  const common = {
    connection,
    namespace: temporal.namespace,
    identity: ports.workerId,
    dataConverter: sealedConverter(keys, { is: 'worker', tell: onRefused }),
    interceptors: { activity: [refusingActivities(onRefused)] },
    shutdownGraceTime: GRACE,
    shutdownForceTime: '15 s',
  } satisfies Partial<WorkerOptions>;
  const [goals, workspaces] = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: GOALS_QUEUE,
      workflowBundle: bundle,
      sinks: tellingSinks(onRefused),
      activities: createSharedActivities(ports, onRefused),
      stickyQueueScheduleToStartTimeout: STICKY_PATIENCE,
      maxCachedWorkflows: options.maxCachedWorkflows ?? CACHED_WORKFLOWS,
      maxConcurrentActivityTaskExecutions: 50,
    }),
    Worker.create({
      ...common,
      taskQueue: workspaceQueueOf(ports.host),
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
  const follower = followTlsFiles(temporal, use, options.log);
  const done = Promise.all([goals.run(), workspaces.run()]).then(async () => {
    await follower.stop();
    await connection.close();
  });
  return {
    done,
    stop() {
      for (const worker of [goals, workspaces])
        if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}
