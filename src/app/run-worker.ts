import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sweepAgents } from '../agents/sweep.ts';
import { startAnchorer } from '../anchors/anchorer.ts';
import { anchorTargets } from '../anchors/targets.ts';
import { createSecrets } from '../attempt/secrets.ts';
import { goalEndOf } from '../attest/export-proof.ts';
import { sweepStores } from '../checkpoints/sweep.ts';
import type { Config } from '../contract/config.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import { taskQueuesOf } from '../contract/task-queues.ts';
import { sweepRooms } from '../evidence/sealed/room.ts';
import { openMcpHost } from '../mcp/host.ts';
import { hostMarkOf } from '../model/host-mark.ts';
import { createModels, type ModelConfig } from '../model/providers.ts';
import { ANYWHERE, addressRules } from '../net/addresses.ts';
import { endInOrder, type Part } from '../process/end-in-order.ts';
import { machineName, poolOf } from '../process/machine.ts';
import { startRounds } from '../process/rounds.ts';
import { sweepProofs } from '../proof-place/original.ts';
import { sweepSetups } from '../proof-place/setup-store.ts';
import { ownPhrases } from '../reply/phrases.ts';
import { sweepGoalFolders } from '../sandbox/goal-folders.ts';
import { type Groups, isHeldByKernel } from '../sandbox/groups/groups.ts';
import { sweepGroups } from '../sandbox/groups/sweep.ts';
import { hasNamespaces } from '../sandbox/namespace.ts';
import { whyNothingSealed } from '../sandbox/probe.ts';
import { seedsFolder, sweepSeeds } from '../sandbox/seeds/seed-store.ts';
import { sealedKeys, temporalKeys } from '../sealed/keys.ts';
import { createMasker } from '../secrets/masker.ts';
import { createAnchorStore } from '../store/anchors/anchors.ts';
import { createAttachedContents } from '../store/attachments/attached-contents.ts';
import { sweepAttachments } from '../store/attachments/attachments.ts';
import { openDatabase } from '../store/client.ts';
import { followDatabaseClock } from '../store/database-clock.ts';
import { readInstallation } from '../store/installation.ts';
import { createIntake } from '../store/intake/intake.ts';
import { pruneOrders } from '../store/intake/prune-orders.ts';
import { createTokenStore } from '../store/intake/tokens.ts';
import { createJournal } from '../store/journal/journal.ts';
import { retryingJournal } from '../store/journal/retrying-journal.ts';
import { ledgerKeys } from '../store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../store/ledger/ledger-verify.ts';
import { createDeliveryStore } from '../store/notices/deliveries.ts';
import { listen } from '../store/notices/listener.ts';
import { createLiveOutput } from '../store/notices/live-output.ts';
import { createLiveText } from '../store/notices/live-text.ts';
import { createNotifier } from '../store/notices/notifier.ts';
import { createReader } from '../store/reads/reader.ts';
import { createProofStore } from '../store/record/proofs.ts';
import { createReconcileStore } from '../store/record/reconcile.ts';
import { createRecord } from '../store/record/record.ts';
import { createSecurityStore } from '../store/record/security.ts';
import { createAlarms } from '../store/schedules/alarms.ts';
import { createSealedStore } from '../store/sealed/sealed.ts';
import { waitingForSpend } from '../store/spend/waiting.ts';
import { openStore } from '../store/store.ts';
import { createCallStops } from '../store/waits/call-stops.ts';
import { createApplies } from '../store/workspaces/applies.ts';
import { createCheckLoans } from '../store/workspaces/check-loan.ts';
import { createCheckOrders } from '../store/workspaces/check-orders.ts';
import { createCheckpointStore } from '../store/workspaces/checkpoints.ts';
import { createPools } from '../store/workspaces/pools.ts';
import { createStoredRules } from '../store/workspaces/stored-rules.ts';
import { createToolPinStore } from '../store/workspaces/tool-pins.ts';
import { createWorktreeStore } from '../store/workspaces/worktrees.ts';
import { spanningObserver } from '../telemetry/goal-spans.ts';
import {
  observedJournal,
  observedModel,
  observedRecord,
  observers,
} from '../telemetry/observed-ports.ts';
import { createSpanExporter } from '../telemetry/span-exporter.ts';
import { readTraceparent, traceparentOf } from '../telemetry/trace-ids.ts';
import { countingObserver, createWorkerMetrics } from '../telemetry/worker-metrics.ts';
import { createAlarmClock } from '../temporal/alarm-clock.ts';
import { createTemporalClient, type TemporalAddress } from '../temporal/connection.ts';
import { delegationNotifier } from '../temporal/delegation-notifier.ts';
import { createExecutions } from '../temporal/executions.ts';
import { pingNamespace } from '../temporal/ping-namespace.ts';
import { type ReconcilerPorts, startReconciler } from '../temporal/reconciler.ts';
import { tellRefusals } from '../temporal/tell-refusals.ts';
import { SLOTS, startGoalWorker } from '../temporal/worker.ts';
import { workflowBundle } from '../temporal/workflow-bundle.ts';
import { workspaceNotifier } from '../temporal/workspace-notifier.ts';
import { createWorkspaces } from '../temporal/workspaces.ts';
import { builtInTools } from '../tools/built-in.ts';
import { createRegistry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';
import { workspaceRules } from '../tools/workspace-rules.ts';
import { maskedJournal, maskedModel, maskedProofs, maskedRecord } from '../turn/masked-ports.ts';
import { createRunningSlices } from '../turn/running.ts';
import { createStoppableCalls } from '../turn/stoppable-calls.ts';
import type { TurnPorts } from '../turn/turn-ports.ts';
import { productVersion } from '../version.ts';
import { startSender } from '../webhooks/sender.ts';
import { boxed } from '../workspace/helper/boxed.ts';
import { startEffects } from '../workspace/helper/client.ts';
import { endHelper } from '../workspace/helper/end.ts';
import { maskEffects } from '../workspace/helper/masked.ts';
import { sweepScratch } from '../workspace/scratch.ts';
import { finishApply } from '../worktrees/finish-apply.ts';
import { placedApplies, placedJournal, placedLoans } from '../worktrees/placed-journal.ts';
import { createWorktreeSweeper } from '../worktrees/sweep.ts';
import { knownSecrets } from './config/known-secrets.ts';
import { configuredSandbox, sandboxForPrograms } from './configured-sandbox.ts';
import { forgetOld } from './forget-old.ts';
import { type Starting, takePool } from './hold-pool.ts';
import { joined, ofRules } from './of-rules.ts';
import { serveWorkspaces } from './serve-workspaces.ts';
import { startSealing } from './start-sealing.ts';
import { createLimitTeller } from './tell-limits.ts';

const SEEN_EVERY_MS = 5000;
/** What is left once no slice runs; the supervisor's patience is longer. */
const CLOSES_WITHIN_MS = 8000;
const LOOK_PATIENCE_MS = 3000;
const SWEEP_EVERY_MS = 5000;
/** The sweep of all stores is less urgent than that of worktrees, which people see. */
const STORES_EVERY = 12;
/** About an hour. */
const ORDERS_EVERY = 720;

export interface WorkerOptions {
  readonly config: Config & { readonly databaseUrl: string; readonly models: ModelConfig };
  /** The operator's rules, as they are at the moment; the configuration's unless told. */
  readonly rules?: () => ServiceRules;
  readonly temporal: TemporalAddress;
  /** `NAME=PATH`: trees of this host that get a name. */
  readonly workspaces: readonly string[];
  readonly log: Logger;
  /** Where each command gets a control group; null and absent = what it uses is counted. */
  readonly groups?: Groups | null;
  /** Tools of an application that runs its own worker, beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Whom the start waits for, and what ends it. */
  readonly starting?: Starting;
  /** Lets a test put itself between the slice and all that it acts through. */
  readonly wrapPorts?: (ports: TurnPorts) => TurnPorts;
  /** The same for the ports outside the slices: Temporal's client and the reconciler's store. */
  readonly wrapReconciler?: (ports: ReconcilerPorts) => ReconcilerPorts;
}

/**
 * The number of connections that append. It is small, so that statements of many goals share a
 * write to the socket, which costs more than the statements: with 20 connections a step took a
 * fifth more of the worker and of Postgres. It is enough for a disk whose flush takes 5 ms.
 */
const APPENDING = 4;

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
  const { config, temporal, log } = options;
  const host = poolOf(config);
  const machine = hostname();
  const { workerId } = config;
  const groups = options.groups ?? null;
  const configured = await configuredSandbox(config, groups);
  // Read first: without it no goal could run, and nothing is open yet.
  const bundle = await workflowBundle();
  const store = openStore(config.databaseUrl, { connections: 20 });
  const keys = ledgerKeys(config.ledgerKeys);
  await startSealing(store.sql, keys, log);
  const sandbox = sandboxForPrograms(configured, config, createTokenStore(store, keys));
  const { sql: database } = store;
  const holding = {
    pools: createPools(database),
    name: host,
    machine: config.pool === null ? machine : machineName(),
    isShared: config.pool !== null,
    clock: () => performance.now(),
  };
  const pool = await takePool(holding, options.starting).catch(async (ended: unknown) => {
    await store.close();
    throw ended;
  });
  const appends = openDatabase(config.databaseUrl, { connections: APPENDING });
  const payloadKeys = temporalKeys(config.temporalKeys, config.home);
  const client = createTemporalClient(temporal, payloadKeys);
  const queues = taskQueuesOf(await readInstallation(database));
  const executions = createExecutions(client, queues);
  const notifier = createNotifier(database);
  const liveOutput = createLiveOutput(database);
  const liveText = createLiveText(database);
  const running = createRunningSlices();
  const callStops = createStoppableCalls(createCallStops(database));
  const stopping = new AbortController();
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
  const metrics = createWorkerMetrics();
  const { tracesUrl } = config;
  const traces = tracesUrl === null ? null : createSpanExporter(tracesUrl, productVersion());
  const acceptanceOf = async (goalId: string) => {
    const where = { where: { goalId }, select: { createdAt: true, callerTrace: true } };
    const goal = await store.prisma.goal.findUnique(where);
    if (goal === null) return null;
    return { at: goal.createdAt.getTime(), caller: readTraceparent(goal.callerTrace) };
  };
  const observer = observers(
    countingObserver(metrics),
    ...(traces === null
      ? []
      : [spanningObserver({ now: Date.now, end: traces.end, acceptanceOf })]),
  );
  const journal = createJournal(database, recording);
  const mask = createMasker(process.env, knownSecrets(config));
  const secrets = createSecrets(mask);
  const mcp = await openMcpHost(config.service.mcpServers, sandbox.boxServer, log);
  void sweepGoalFolders(config.home);
  const checkpoints = createCheckpointStore(store, keys, recording);
  const worktrees = createWorktreeStore(store, recording);
  const sealed = createSealedStore(store, sealedKeys(config.sealedKeys, config.home));
  await sweepRooms(config.home);
  await sweepScratch();
  const offered = ofRules(rules, ({ withheld }) =>
    builtInTools.filter(({ name }) => !withheld.includes(name)),
  );
  const alarms = createAlarms(database, keys);
  const kept = { reader: createReader(store, keys), ledger: createLedgerVerifier(database, keys) };
  const endOf = (goalId: string) => goalEndOf(kept, goalId);
  const ports: TurnPorts = {
    journal: observedJournal(
      maskedJournal(placedJournal(retryingJournal(journal), config.home), secrets),
      observer,
    ),
    record: observedRecord(maskedRecord(createRecord(database, recording), mask), observer),
    proofs: maskedProofs(createProofStore(store, keys), mask),
    sealed: { ...sealed, whyNot: whyNothingSealed(sandbox.protection) },
    checkpoints,
    worktrees,
    checks: placedLoans(createCheckLoans(database, keys), config.home),
    checkOrders: createCheckOrders(store, keys),
    applies: placedApplies({ ...createApplies(database, recording), endOf }, config.home),
    attached: createAttachedContents(database),
    alarms,
    model: observedModel(maskedModel(createModels(config.models), mask), observer),
    tools: createRegistry(options.tools ?? [], mask, joined(mcp.tools, offered)),
    ownPhrases: ofRules(rules, ({ phrases }) => ownPhrases(phrases)),
    toolPins: createToolPinStore(store, keys, notifier.touched),
    hostMark: (goalId) => hostMarkOf(payloadKeys.sealing().bytes, goalId),
    secrets,
    toolRules: config.service.toolRules,
    workspaceRules: workspaceRules(join(config.home, 'policies')),
    callStops,
    // Where a second person grants each call, nobody grants it beforehand.
    ...(config.approvers === 'anybody' && { storedRules: createStoredRules(database, keys) }),
    startEffects: (onSpawn, ground) =>
      maskEffects(startEffects({ host: machine, onSpawn, ...boxed(sandbox, ground) }), mask),
    tellOutput: liveOutput.tell,
    tellText: liveText.begin,
    // Whatever ran on another machine is gone: this one serves the pool.
    endHelper: async (helper) => {
      if (helper.host !== machine) return;
      await endHelper(helper, machine, { named: 'recorded' });
    },
    home: config.home,
    seeds: seedsFolder(config.home),
    agents: config.service.agents,
    addresses: addressRules(config.allowsLocalUrls ? ANYWHERE : config.service.allowedAddresses),
    host,
    workerId,
    stopping: stopping.signal,
    running,
    clock: () => performance.now(),
    now: clock.now,
  };
  const listener = await listen(config.databaseUrl, {
    onCancel: (goalId) => running.cancel(goalId),
    // A look that fails is made again with the next order, or once the line is back.
    onStop: (goalId, callId) => void callStops.look(goalId, callId).catch(() => {}),
    onMayHaveMissed: () => void callStops.lookAtAll().catch(() => {}),
    onWatched(goals) {
      liveText.watched(goals);
      liveOutput.watched(goals);
    },
  });
  const serving = serveWorkspaces(
    options.workspaces,
    createWorkspaces(createIntake(store, { ledgerKeys: keys }), {
      host,
      home: config.home,
      known: () => createReader(store, keys).workspaces(),
    }),
    log,
  );
  await serving.register();
  const mending: ReconcilerPorts = {
    executions,
    queues,
    store: createReconcileStore(store, { ledgerKeys: keys, mask: (text) => mask.text(text) }),
    schedules: { alarms, clock: createAlarmClock(client, queues) },
    log,
    host,
    endHelper: ports.endHelper,
    finishApply: (commitId) => finishApply(ports, commitId),
  };
  const reconcilerPorts = options.wrapReconciler?.(mending) ?? mending;
  const worker = await startGoalWorker({
    temporal,
    queues,
    isOwnRecord: async () => (await readInstallation(database)) === queues.installation,
    log,
    keys: payloadKeys,
    onRefused: tellRefusals({ security: createSecurityStore(store, keys, notifier.touched), log }),
    ports: options.wrapPorts?.(ports) ?? ports,
    bundle,
    drainSeconds: config.drainSeconds,
  });
  let polls: WorkerLook['polls'] = 'running';
  const reconciler = startReconciler(reconcilerPorts);
  const sweepWorktrees = createWorktreeSweeper({
    ...{ worktrees, endOf, host, home: config.home, log },
  });
  const tellLimits = createLimitTeller({
    limits: recording.spendLimits,
    waiting: () => waitingForSpend(database),
    notify: executions.notifyEvent,
  });
  let round = 0;
  const sweeper = startRounds(async () => {
    try {
      if (round % ORDERS_EVERY === 0) {
        await pruneOrders(database);
        await forgetOld({ database, metrics, log }, rules().retention);
      }
      if (round++ % STORES_EVERY === 0) await sweepStores(config.home, checkpoints);
      await sweepProofs(config.home, ports.proofs.finishedGoals);
      await sweepAgents(config.home, ports.proofs.finishedGoals);
      await sweepSetups(config.home);
      await sweepSeeds(seedsFolder(config.home));
      await sweepRooms(config.home);
      if (groups !== null) await sweepGroups(groups);
      await sealed.eraseUnneeded();
      if (round % STORES_EVERY === 0) await sweepAttachments(database);
      await sweepWorktrees();
    } catch (error) {
      log.warn({ err: error }, 'what goals left behind could not be removed');
    }
    return false;
  }, SWEEP_EVERY_MS);
  const limitTeller = startRounds(async () => {
    await tellLimits().catch((error: unknown) =>
      log.warn({ err: error }, 'goals that wait for a spend limit could not be told'),
    );
    return false;
  }, SWEEP_EVERY_MS);
  const sender = startSender({
    store: createDeliveryStore(database, keys, recording),
    serviceTargets: config.service.notify,
    notices: config.notices,
    installation: queues.installation,
    addresses: addressRules(config.service.allowedAddresses),
    keys,
    keepDays: config.notificationDays,
    environment: process.env,
    ...(traces !== null && { headersOf: (id) => ({ traceparent: traceparentOf(id) }) }),
    log,
  });
  const anchorer =
    keys.sealing === null
      ? null
      : startAnchorer({
          store: createAnchorStore(database, keys.sealing),
          targets: anchorTargets({
            ...config.anchors,
            addresses: addressRules(config.service.allowedAddresses),
          }),
          log,
        });
  const seen = () =>
    reconcilerPorts.store.workerSeen({
      workerId,
      host,
      pid: process.pid,
      taskQueues: [queues.goals, queues.workspacesOf(host)],
      version: productVersion(),
      models: Object.keys(config.models.own ?? {}).map((name) => `own/${name}`),
      isolation: sandbox.protection.isolation,
      limitedBy: isHeldByKernel(groups) ? 'kernel' : 'counting',
      tools: ports.tools.declarations('agent').map(({ name }) => name),
      slices: running.count(),
      slots: SLOTS,
      isDraining: stopping.signal.aborted,
      temporalKey: payloadKeys.sealing().keyId,
      refused: serving.refused(),
    });
  const life = signLife(async () => {
    await seen();
    await pool.renew();
    await serving.register();
  });
  const { isolation, why } = sandbox.protection;
  const protection = { hasOwnProcessNumbers: await hasNamespaces(), isolation, why };
  log.info({ workerId, host, ...protection }, 'worker started');
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
      { name: 'sweeper', end: sweeper.stop },
      { name: 'limits', end: limitTeller.stop },
      { name: 'clock', end: clock.stop },
      { name: 'sender', end: sender.stop },
      ...(anchorer === null ? [] : [{ name: 'anchors', end: anchorer.stop }]),
      { name: 'MCP servers', end: mcp.close },
      { name: 'live output', end: liveOutput.close },
      { name: 'live text', end: liveText.close },
      { name: 'notifier', end: notifier.close },
      { name: 'listener', end: listener.close },
      { name: 'Temporal', end: () => client.connection.close() },
      ...(traces === null ? [] : [{ name: 'traces', end: traces.close }]),
      { name: 'database', end: () => Promise.all([store.close(), appends.end({ timeout: 5 })]) },
    ];
    await endInOrder(parts, CLOSES_WITHIN_MS, (part, error) =>
      log.warn({ part, err: error }, 'a part of the worker did not end in order'),
    );
    if (failure) throw failure;
  });
  const answers = (asked: Promise<unknown>) =>
    Promise.race([asked, sleep(LOOK_PATIENCE_MS, 'late', { ref: false })]).then(
      (answer) => answer !== 'late',
      () => false,
    );
  return {
    done,
    look: async () => ({
      polls,
      postgres: await answers(database`SELECT 1`),
      temporal: await answers(pingNamespace(client)),
    }),
    stop() {
      if (polls === 'running') polls = 'draining';
      stopping.abort();
      life.tell();
      worker.stop();
    },
    metrics: () => metrics.registry.metrics(),
  };
}

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
