import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { assertProposable } from '../api/criterion-fields.ts';
import { productVersion } from '../api/version.ts';
import { sweepStores } from '../checkpoints/sweep.ts';
import { type Config, knownSecrets } from '../config.ts';
import { createBasisStore } from '../db/basis.ts';
import { createCheckLoans } from '../db/check-loan.ts';
import { createCheckpointStore } from '../db/checkpoints.ts';
import { openDatabase, retryUntilBack } from '../db/client.ts';
import { createDeliveryStore } from '../db/deliveries.ts';
import { createIntake } from '../db/intake.ts';
import { createJournal } from '../db/journal.ts';
import { ledgerKeys } from '../db/ledger-keys.ts';
import { listen } from '../db/listener.ts';
import { createLiveOutput } from '../db/live-output.ts';
import { createLiveText } from '../db/live-text.ts';
import { createNotifier } from '../db/notifier.ts';
import { createReconcileStore } from '../db/reconcile.ts';
import { createRecord } from '../db/record.ts';
import { createWorktreeStore } from '../db/worktrees.ts';
import { openMcpHost } from '../mcp/host.ts';
import { createModels } from '../model/providers.ts';
import { ANYWHERE, addressRules } from '../net/addresses.ts';
import { startRounds } from '../rounds.ts';
import { configuredSandbox } from '../sandbox/configured.ts';
import { sweepGoalFolders } from '../sandbox/goal-folders.ts';
import { builtInTools } from '../tools/built-in.ts';
import { boxed } from '../tools/effects/boxed.ts';
import { startEffects } from '../tools/effects/client.ts';
import { endHelper } from '../tools/effects/end.ts';
import { maskEffects } from '../tools/effects/masked.ts';
import { hasNamespaces } from '../tools/effects/namespace.ts';
import { createMasker } from '../tools/output.ts';
import { createRegistry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';
import { workspaceRules } from '../tools/workspace-rules.ts';
import { maskedBasis, maskedJournal, maskedModel, maskedRecord } from '../turn/masked-ports.ts';
import type { TurnPorts } from '../turn/ports-of-turn.ts';
import { createRunningSlices } from '../turn/running.ts';
import { createSecrets } from '../turn/secrets.ts';
import { startSender } from '../webhooks/sender.ts';
import { createWorktreeSweeper } from '../worktrees/sweep.ts';
import { createTemporalClient } from './connection.ts';
import { createExecutions } from './executions.ts';
import { familyDoorbell } from './family-doorbell.ts';
import { GOALS_QUEUE, workspaceQueueOf } from './names.ts';
import { patientJournal } from './patient-journal.ts';
import { type ReconcilerPorts, startReconciler } from './reconciler.ts';
import { SLOTS, startGoalWorker } from './worker.ts';
import { workflowBundle } from './workflow-bundle.ts';
import { workspaceDoorbell } from './workspace-doorbell.ts';
import { createWorkspaces } from './workspaces.ts';

const SEEN_EVERY_MS = 5000;
const SWEEP_EVERY_MS = 5000;
/** Looking through all stores can wait longer than a worktree that somebody looks at. */
const STORES_EVERY = 12;

export interface WorkerOptions {
  readonly config: Config & { readonly databaseUrl: string };
  readonly temporal: { readonly address: string; readonly namespace: string };
  /** `NAME=PATH`: trees of this host that get a name. */
  readonly workspaces: readonly string[];
  readonly log: Logger;
  /** Tools of an application that runs its own worker, beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Lets a test put itself between the slice and all that it acts through. */
  readonly wrapPorts?: (ports: TurnPorts) => TurnPorts;
  /** The same for what is done beside the slices: Temporal's client and the reconciler's store. */
  readonly wrapReconciler?: (ports: ReconcilerPorts) => ReconcilerPorts;
}

/**
 * Few enough that statements of many goals share a write to the socket, which costs more than what
 * they do: with 20 of them a step took a fifth more of the worker and of Postgres. Enough for a
 * disk whose flush takes 5 ms.
 */
const APPENDING = 4;

export interface RunningWorker {
  readonly done: Promise<void>;
  /** Slices end after their current call; the rest is cancelled after the grace. */
  stop(): void;
}

/** A worker with everything around it: cancellation, events, the reconciler, its sign of life. */
export async function runWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { config, temporal, log } = options;
  const host = hostname();
  const { workerId } = config;
  const sandbox = await configuredSandbox(config);
  const bundle = workflowBundle();
  const database = openDatabase(config.databaseUrl, { connections: 20 });
  const appends = openDatabase(config.databaseUrl, { connections: APPENDING });
  const client = createTemporalClient(temporal);
  const executions = createExecutions(client);
  const notifier = createNotifier(database);
  const liveOutput = createLiveOutput(database);
  const liveText = createLiveText(database);
  const running = createRunningSlices();
  const stopping = new AbortController();
  const keys = ledgerKeys(config.ledgerKeys);
  const recording = {
    appends,
    onAppended: notifier.touched,
    ledgerKey: keys.sealing,
    onWorkspaceFree: workspaceDoorbell(executions),
    onFamily: familyDoorbell(executions),
  };
  const journal = createJournal(database, recording);
  const mask = createMasker(process.env, knownSecrets(config));
  const secrets = createSecrets(mask);
  const mcp = await openMcpHost(config.service.mcpServers, log);
  void sweepGoalFolders(config.home);
  const checkpoints = createCheckpointStore(database, recording);
  const worktrees = createWorktreeStore(database, recording);
  const ports: TurnPorts = {
    journal: maskedJournal(
      patientJournal(journal, (operation) => retryUntilBack(operation)),
      secrets,
    ),
    record: maskedRecord(createRecord(database, recording), mask),
    basis: maskedBasis(createBasisStore(database), mask),
    checkpoints,
    worktrees,
    checks: createCheckLoans(database),
    model: maskedModel(createModels(config.models), mask),
    tools: createRegistry(
      [...builtInTools(assertProposable), ...(options.tools ?? [])],
      mask,
      mcp.tools,
    ),
    secrets,
    toolRules: config.service.toolRules,
    workspaceRules: workspaceRules(join(config.home, 'policies')),
    startEffects: (onSpawn, ground) =>
      maskEffects(startEffects({ host, onSpawn, ...boxed(sandbox, ground) }), mask),
    tellOutput: liveOutput.tell,
    tellText: liveText.begin,
    endHelper: (helper) => endHelper(helper, host),
    home: config.home,
    addresses: addressRules(config.allowsLocalUrls ? ANYWHERE : config.service.allowedAddresses),
    host,
    workerId,
    stopping: stopping.signal,
    running,
    clock: () => performance.now(),
  };
  const listener = await listen(config.databaseUrl, {
    onCancel: (goalId) => running.cancel(goalId),
    onWatched: liveText.watched,
  });
  await registerWorkspaces(options, database, host);
  const mending: ReconcilerPorts = {
    executions,
    store: createReconcileStore(database),
    log,
    host,
    endHelper: ports.endHelper,
  };
  const reconcilerPorts = options.wrapReconciler?.(mending) ?? mending;
  const { store } = reconcilerPorts;
  const worker = await startGoalWorker({
    temporal,
    ports: options.wrapPorts?.(ports) ?? ports,
    bundle: await bundle,
  });
  const reconciler = startReconciler(reconcilerPorts);
  const sweepWorktrees = createWorktreeSweeper({ worktrees, host, home: config.home, log });
  let round = 0;
  const sweeper = startRounds(async () => {
    try {
      if (round++ % STORES_EVERY === 0) await sweepStores(config.home, checkpoints);
      await sweepWorktrees();
    } catch (error) {
      log.warn({ err: error }, 'what goals left behind could not be removed');
    }
    return false;
  }, SWEEP_EVERY_MS);
  const sender = startSender({
    store: createDeliveryStore(database, recording),
    serviceTargets: config.service.notify,
    addresses: addressRules(config.service.allowedAddresses),
    keys,
    keepDays: config.notificationDays,
    environment: process.env,
    log,
  });
  const life = signLife(() =>
    store.workerSeen({
      workerId,
      host,
      pid: process.pid,
      taskQueues: [GOALS_QUEUE, workspaceQueueOf(host)],
      version: productVersion(),
      models: Object.keys(config.models.own ?? {}).map((name) => `own/${name}`),
      isolation: sandbox.protection.isolation,
      tools: ports.tools.declarations('agent').map(({ name }) => name),
      slices: running.count(),
      slots: SLOTS,
      isDraining: stopping.signal.aborted,
    }),
  );
  const { isolation, why } = sandbox.protection;
  const protection = { hasOwnProcessNumbers: await hasNamespaces(), isolation, why };
  log.info({ workerId, host, ...protection }, 'worker started');
  const done = worker.done.then(async () => {
    await life.stop();
    await store.removeWorker(workerId).catch(() => {});
    await reconciler.stop();
    await sweeper.stop();
    await sender.stop();
    await mcp.close();
    await liveOutput.close();
    await liveText.close();
    await notifier.close();
    await listener.close();
    await client.connection.close();
    // Its own end waits for ever for a connection that the server cut.
    await Promise.all([database, appends].map((pool) => pool.end({ timeout: 5 })));
  });
  return {
    done,
    stop() {
      stopping.abort();
      life.tell();
      worker.stop();
    },
  };
}

async function registerWorkspaces(
  { workspaces }: WorkerOptions,
  database: ReturnType<typeof openDatabase>,
  host: string,
): Promise<void> {
  const registry = createWorkspaces(createIntake(database), host);
  for (const entry of workspaces) {
    const [name = '', ...path] = entry.split('=');
    await registry.registerAs(name, path.join('='));
  }
}

/** A lost sign of life harms nothing: the next one follows. */
function signLife(seen: () => Promise<void>): { tell(): void; stop(): Promise<void> } {
  let last = Promise.resolve();
  const tell = () => {
    last = seen().catch(() => {});
  };
  tell();
  const timer = setInterval(tell, SEEN_EVERY_MS);
  return {
    tell,
    // One that is on its way would put the row back behind its removal.
    stop() {
      clearInterval(timer);
      return last;
    },
  };
}
