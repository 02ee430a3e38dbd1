import { setTimeout as sleep } from 'node:timers/promises';
import { endInOrder, type Part } from '../process/end-in-order.ts';
import { isHeldByKernel } from '../sandbox/groups/groups.ts';
import { hasNamespaces } from '../sandbox/namespace.ts';
import { readInstallation } from '../store/installation.ts';
import { createIntake } from '../store/intake/intake.ts';
import { listen } from '../store/notices/listener.ts';
import { createReader } from '../store/reads/reader.ts';
import { createReconcileStore } from '../store/record/reconcile.ts';
import { createSecurityStore } from '../store/record/security.ts';
import { createAlarmClock } from '../temporal/alarm-clock.ts';
import { pingNamespace } from '../temporal/ping-namespace.ts';
import { type ReconcilerPorts, startReconciler } from '../temporal/reconciler.ts';
import { tellRefusals } from '../temporal/tell-refusals.ts';
import { SLOTS, startGoalWorker } from '../temporal/worker.ts';
import { workflowBundle } from '../temporal/workflow-bundle.ts';
import { createWorkspaces } from '../temporal/workspaces.ts';
import { productVersion } from '../version.ts';
import { finishApply } from '../worktrees/finish-apply.ts';
import { serveWorkspaces } from './serve-workspaces.ts';
import { startChores } from './worker/chores.ts';
import { openGround, type WorkerGround } from './worker/ground.ts';
import type { WorkerOptions } from './worker/options.ts';
import { type OpenedPorts, openPorts } from './worker/ports.ts';

const SEEN_EVERY_MS = 5000;
/** What is left once no slice runs; the supervisor's patience is longer. */
const CLOSES_WITHIN_MS = 8000;
const LOOK_PATIENCE_MS = 3000;

export interface RunningWorker {
  /** Rejects with PollingEnded when Temporal gives it no more tasks. */
  readonly done: Promise<void>;
  /** Slices end after their current call; the rest is cancelled after the drain time. */
  stop(): void;
  /** What it needs, each `ok` or away. */
  look(): Promise<WorkerLook>;
  /** What it counted, in Prometheus' text format. */
  metrics(): Promise<string>;
}

export interface WorkerLook {
  readonly polls: 'running' | 'draining' | 'failed';
  readonly postgres: boolean;
  readonly temporal: boolean;
}

/** Runs a worker with its cancellation, events, reconciler and heartbeat. */
export async function runWorker(options: WorkerOptions): Promise<RunningWorker> {
  // Read first: without it no goal could run, and nothing is open yet.
  const bundle = await workflowBundle();
  const ground = await openGround(options);
  const { config, log, database, keys, queues, pool, running, stopping, workerId } = ground;
  const opened = await openPorts(ground, options.tools ?? []);
  const { ports } = opened;
  const listener = await listenFor(ground);
  const serving = serveWorkspaces(options.workspaces, workspacesOf(ground), log);
  await serving.register();
  const mending = mendingOf(ground, opened);
  const reconcilerPorts = options.wrapReconciler?.(mending) ?? mending;
  const worker = await startGoalWorker({
    temporal: ground.temporal,
    queues,
    isOwnRecord: async () => (await readInstallation(database)) === queues.installation,
    log,
    keys: ground.payloadKeys,
    onRefused: tellRefusals({
      security: createSecurityStore(ground.store, keys, ground.notifier.touched),
      log,
    }),
    ports: options.wrapPorts?.(ports) ?? ports,
    bundle,
    drainSeconds: config.drainSeconds,
  });
  let polls: WorkerLook['polls'] = 'running';
  const reconciler = startReconciler(reconcilerPorts);
  const chores = startChores(ground, opened);
  const life = signLife(async () => {
    await reconcilerPorts.store.workerSeen(signOf(ground, opened, serving.refused()));
    await pool.renew();
    await serving.register();
  });
  const { isolation, why } = ground.sandbox.protection;
  const protection = { hasOwnProcessNumbers: await hasNamespaces(), isolation, why };
  log.info({ workerId, host: ground.host, ...protection }, 'worker started');
  const lost = pool.lost.then((failure) => {
    // Another machine may write already: no call is waited for.
    running.cancelAll();
    worker.stop();
    throw failure;
  });
  const ended = Promise.race([worker.done, lost]).catch(async (failure: Error) => {
    polls = 'failed';
    log.fatal({ err: failure }, failure.message);
    // What runs ends behind its call, which is journaled: another worker goes on from there.
    // One that was told to stop had its drain time.
    if (!stopping.signal.aborted) {
      stopping.abort();
      await emptied(running, config.drainSeconds);
    }
    await worker.done.catch(() => {});
    return failure;
  });
  const done = ended.then(async (failure) => {
    const parts: readonly Part[] = [
      { name: 'sign of life', end: life.stop },
      { name: 'row', end: () => reconcilerPorts.store.removeWorker(workerId) },
      { name: 'pool', end: pool.release },
      { name: 'reconciler', end: reconciler.stop },
      ...chores,
      { name: 'MCP servers', end: opened.mcp.close },
      ...connectionsOf(ground, listener),
    ];
    await endInOrder(parts, CLOSES_WITHIN_MS, (part, error) =>
      log.warn({ part, err: error }, 'a part of the worker did not end in order'),
    );
    if (failure) throw failure;
  });
  return {
    done,
    look: async () => ({
      polls,
      postgres: await answers(database`SELECT 1`),
      temporal: await answers(pingNamespace(ground.client)),
    }),
    stop() {
      if (polls === 'running') polls = 'draining';
      stopping.abort();
      life.tell();
      worker.stop();
    },
    metrics: () => ground.metrics.registry.metrics(),
  };
}

/** Whom the database tells of what this worker has to cancel, stop and show. */
async function listenFor({ config, running, callStops, liveText, liveOutput }: WorkerGround) {
  return await listen(config.databaseUrl, {
    onCancel: (goalId) => running.cancel(goalId),
    // A look that fails is made again with the next order, or once the line is back.
    onStop: (goalId, callId) => void callStops.look(goalId, callId).catch(() => {}),
    onMayHaveMissed: () => void callStops.lookAtAll().catch(() => {}),
    onWatched(goals) {
      liveText.watched(goals);
      liveOutput.watched(goals);
    },
  });
}

const workspacesOf = ({ store, keys, host, config }: WorkerGround) =>
  createWorkspaces(createIntake(store, { ledgerKeys: keys }), {
    host,
    home: config.home,
    known: () => createReader(store, keys).workspaces(),
  });

/** What takes up goals that somebody left in the middle. */
const mendingOf = (
  { executions, queues, store, keys, client, log, host }: WorkerGround,
  { ports, mask, alarms }: OpenedPorts,
): ReconcilerPorts => ({
  executions,
  queues,
  store: createReconcileStore(store, { ledgerKeys: keys, mask: (text) => mask.text(text) }),
  schedules: { alarms, clock: createAlarmClock(client, queues) },
  log,
  host,
  endHelper: ports.endHelper,
  finishApply: (commitId) => finishApply(ports, commitId),
});

type Sign = Parameters<ReconcilerPorts['store']['workerSeen']>[0];

/** What the worker says of itself. */
const signOf = (
  ground: WorkerGround,
  { ports }: OpenedPorts,
  refused: NonNullable<Sign['refused']>,
): Sign => {
  const { workerId, host, queues, config, running, stopping, payloadKeys } = ground;
  return {
    ...{ workerId, host, refused, pid: process.pid, version: productVersion() },
    taskQueues: [queues.goals, queues.workspacesOf(host)],
    models: Object.keys(config.models.own ?? {}).map((name) => `own/${name}`),
    isolation: ground.sandbox.protection.isolation,
    limitedBy: isHeldByKernel(ground.groups) ? 'kernel' : 'counting',
    tools: ports.tools.declarations('agent').map(({ name }) => name),
    slices: running.count(),
    slots: SLOTS,
    isDraining: stopping.signal.aborted,
    temporalKey: payloadKeys.sealing().keyId,
  };
};

const connectionsOf = (
  { liveOutput, liveText, notifier, client, traces, store, appends }: WorkerGround,
  listener: Awaited<ReturnType<typeof listen>>,
): readonly Part[] => [
  { name: 'live output', end: liveOutput.close },
  { name: 'live text', end: liveText.close },
  { name: 'notifier', end: notifier.close },
  { name: 'listener', end: listener.close },
  { name: 'Temporal', end: () => client.connection.close() },
  ...(traces === null ? [] : [{ name: 'traces', end: traces.close }]),
  { name: 'database', end: () => Promise.all([store.close(), appends.end({ timeout: 5 })]) },
];

const answers = (asked: Promise<unknown>): Promise<boolean> =>
  Promise.race([asked, sleep(LOOK_PATIENCE_MS, 'late', { ref: false })]).then(
    (answer) => answer !== 'late',
    () => false,
  );

/** Until no slice runs, or the patience ends. */
async function emptied(running: { count(): number }, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (running.count() > 0 && Date.now() < deadline) await sleep(100);
}

/** A lost heartbeat is harmless, because the next one follows. */
function signLife(seen: () => Promise<void>): { tell(): void; stop(): Promise<void> } {
  let last = Promise.resolve();
  const tell = () => {
    last = seen().catch(() => {});
  };
  tell();
  const timer = setInterval(tell, SEEN_EVERY_MS);
  return {
    tell,
    // A heartbeat in flight would insert the row again after its removal.
    stop() {
      clearInterval(timer);
      return last;
    },
  };
}
