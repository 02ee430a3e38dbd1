import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger } from 'fastify';
import { createAnchors } from '../anchors/anchors-port.ts';
import { anchorTargets } from '../anchors/targets.ts';
import type { ApiPorts } from '../api/application.ts';
import { findConsole } from '../api/console-folder.ts';
import { createFirstCallEstimate } from '../api/first-call.ts';
import { createLiveFeed, type LiveFeed } from '../api/live-feed.ts';
import { maskedIntake } from '../api/masked-intake.ts';
import { maskedLog } from '../api/masked-log.ts';
import { maskedSchedules } from '../api/masked-schedules.ts';
import { rememberBacklogs, watchBacklogs } from '../api/operations/backlogs.ts';
import { startGoalRetention } from '../api/retention/rounds.ts';
import { startScheduleRounds } from '../api/schedules/carry-out.ts';
import { type ServedModels, watchServedModels, withServed } from '../api/served-models.ts';
import { buildServer } from '../api/server.ts';
import { type ApiSettings, defaultStreamTimes } from '../api/settings.ts';
import { checksWithoutSecrets, triggersWithoutSecrets } from '../api/terms-without-secrets.ts';
import { startTriggerRounds } from '../api/triggers/rounds.ts';
import { createProofExporter } from '../attest/export-proof.ts';
import { openSigner } from '../attest/signer.ts';
import { createChanges } from '../checkpoints/changes.ts';
import { type Config, ConfigError } from '../contract/config.ts';
import { Refusal } from '../contract/failures.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import { type TaskQueues, taskQueuesOf } from '../contract/task-queues.ts';
import { createScopeLook } from '../evidence/proof/scope-look.ts';
import { createModels } from '../model/providers.ts';
import { addressRules } from '../net/addresses.ts';
import { createOidc } from '../oidc/provider.ts';
import { endInOrder, type Part } from '../process/end-in-order.ts';
import { poolOf } from '../process/machine.ts';
import { limitFills } from '../record/budget/spend-limits.ts';
import { sealedKeys, temporalKeys } from '../sealed/keys.ts';
import { createMasker } from '../secrets/masker.ts';
import { createAttachments } from '../store/attachments/attachments.ts';
import type { Database } from '../store/client.ts';
import { placesIn } from '../store/database-url.ts';
import { readInstallation } from '../store/installation.ts';
import { createIntake } from '../store/intake/intake.ts';
import { createOrders } from '../store/intake/orders.ts';
import { createSecurityLog } from '../store/intake/security-log.ts';
import { createSessions } from '../store/intake/sessions.ts';
import { createTokenStore } from '../store/intake/tokens.ts';
import { createTriggers } from '../store/intake/triggers.ts';
import { journalReads } from '../store/journal/journal-reads.ts';
import { ledgerKeys } from '../store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../store/ledger/ledger-verify.ts';
import { refusedTeller } from '../store/ledger/tell-refused.ts';
import { createNotifications } from '../store/notices/deliveries.ts';
import { type Listener, listen } from '../store/notices/listener.ts';
import { createWatchNotifier } from '../store/notices/live-text.ts';
import { createReader } from '../store/reads/reader.ts';
import { readWritingRows } from '../store/reads/reader-ledger.ts';
import { createReconcileStore } from '../store/record/reconcile.ts';
import { createRecord } from '../store/record/record.ts';
import { createRemovedGoals } from '../store/retention/removed-goals.ts';
import { createScheduleRuns } from '../store/schedules/runs.ts';
import { createSchedules } from '../store/schedules/schedules.ts';
import { createSealedStore } from '../store/sealed/sealed.ts';
import { openStore, type Store } from '../store/store.ts';
import { createCallStopsOfPeople } from '../store/waits/call-stops.ts';
import { createApplyOrders } from '../store/workspaces/applies.ts';
import { createCheckOrders } from '../store/workspaces/check-orders.ts';
import { isLeftBehind, readCheckpoints } from '../store/workspaces/checkpoint-rows.ts';
import { createCheckpointStore } from '../store/workspaces/checkpoints.ts';
import { readRewinds } from '../store/workspaces/rewinds.ts';
import { createRulesOfPeople } from '../store/workspaces/stored-rules.ts';
import { createToolPinsOfPeople } from '../store/workspaces/tool-pins.ts';
import { createWorktreeStore } from '../store/workspaces/worktrees.ts';
import { createApiMetrics } from '../telemetry/api-metrics.ts';
import { createAppliesOfPeople } from '../temporal/applies.ts';
import { createTemporalClient, type TemporalAddress } from '../temporal/connection.ts';
import { delegationNotifier } from '../temporal/delegation-notifier.ts';
import { diagnoseTls } from '../temporal/diagnose-tls.ts';
import { createExecutions } from '../temporal/executions.ts';
import { createGoalClient, type GoalClientPorts } from '../temporal/goal-client.ts';
import { createHistories } from '../temporal/histories.ts';
import { createQueues } from '../temporal/queues.ts';
import { createChecks } from '../temporal/try-checks.ts';
import { workspaceNotifier } from '../temporal/workspace-notifier.ts';
import { createWorkspaces } from '../temporal/workspaces.ts';
import { builtInTools } from '../tools/built-in.ts';
import { createRegistry } from '../tools/registry.ts';
import { productVersion } from '../version.ts';
import { approvalLinks } from '../webhooks/approval-link.ts';
import { proofLinks } from '../webhooks/proof-link.ts';
import { sealTarget } from '../webhooks/seal.ts';
import { createBeginningLook } from '../worktrees/look-at-beginning.ts';
import { knownSecrets } from './config/known-secrets.ts';
import { startSealing } from './start-sealing.ts';
import { createTemplates } from './workspace-templates.ts';

const CLOSES_WITHIN_MS = 8000;

export interface ApiOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  /** The operator's rules, as they are at the moment; the configuration's unless told. */
  readonly rules?: () => ServiceRules;
  readonly temporal: TemporalAddress;
  /** Is the schema that of this version? Throws with the way out where it isn't; asked by `/readyz`. */
  readonly assertSchema?: (database: Database) => Promise<void>;
  readonly logger?: FastifyBaseLogger;
}

/**
 * Options of a standalone API: the servers must be named, because the embedded ones belong to `up`.
 * @throws ConfigError
 */
export function standaloneOptions(config: Config, logger: FastifyBaseLogger): ApiOptions {
  const { databaseUrl, temporal } = config;
  const wayOut = 'Set it, or use "goalkeeper up", which starts its own.';
  if (databaseUrl === null) throw new ConfigError('DATABASE_URL', 'is not set', wayOut);
  const { address, namespace, tls } = temporal;
  if (address === null) throw new ConfigError('TEMPORAL_ADDRESS', 'is not set', wayOut);
  return { config, databaseUrl, temporal: { address, namespace, tls }, logger };
}

export interface RunningApi {
  readonly url: string;
  close(): Promise<void>;
}

/** The API over the real record and the real Temporal, listening. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { databaseUrl } = options;
  const store = openStore(databaseUrl);
  const { temporalKeys: given, home } = options.config;
  const client = createTemporalClient(options.temporal, temporalKeys(given, home));
  const watched = createWatchNotifier(store.sql);
  const feed = createLiveFeed(watched.watch);
  const listener = await listenTo(databaseUrl, feed);
  const reads = readsOf(options.config, store);
  const keys = ledgerKeys(options.config.ledgerKeys);
  const reader = createReader(reads, keys);
  // Prisma loads its compiler with its first query, so one runs before any caller's.
  reader.reach('').catch(() => undefined);
  const served = await watchServedModels(reader, async (hosts) =>
    feed.notify(await reader.goalsOn(hosts)),
  );
  await startSealing(store.sql, keys, options.logger);
  const { address, tls } = options.temporal;
  const diagnose = async () => (tls ? await diagnoseTls(address, tls) : null);
  const rules = options.rules ?? (() => options.config.rules);
  const queues = taskQueuesOf(await readInstallation(store.sql));
  const connections = { store, reads, client, queues, feed, served, diagnose, rules };
  const { assertSchema } = options;
  const ports = {
    ...composePorts({ ...options.config, databaseUrl }, connections),
    ...(assertSchema && { schema: () => assertSchema(store.sql) }),
  };
  const backlogs = watchBacklogs(ports);
  const schedules = startScheduleRounds(ports, options.logger ?? { warn: () => {} });
  const server = buildServer(ports, options.logger);
  const rounds: { stop(): Promise<void> }[] = [];
  server.addHook('onClose', async () => {
    backlogs.stop();
    watched.close();
    const parts: readonly Part[] = [
      { name: 'rounds', end: () => Promise.all(rounds.map((one) => one.stop())) },
      { name: 'schedules', end: schedules.stop },
      { name: 'models', end: served.stop },
      { name: 'listener', end: listener.close },
      { name: 'Temporal', end: () => client.connection.close() },
      { name: 'database', end: () => Promise.all([store.close(), reads.close()]) },
    ];
    await endInOrder(parts, CLOSES_WITHIN_MS, (part, error) =>
      options.logger?.warn({ part, err: error }, 'a part of the API did not end in order'),
    );
  });
  const url = await server.listen({ host: options.config.host, port: options.config.port });
  rounds.push(startTriggerRounds(server, ports, server.log));
  rounds.push(startGoalRetention(server, ports, server.log));
  return { url, close: () => server.close() };
}

async function listenTo(databaseUrl: string, feed: LiveFeed): Promise<Listener> {
  const hooks = {
    onEvents: feed.notify,
    onMayHaveMissed: feed.notifyAll,
    onOutput: feed.print,
    onText: feed.say,
    onRevoked: feed.revoked,
  };
  return listen(databaseUrl, hooks).catch((error: Error) => {
    throw new Refusal('database_unavailable', `${placesIn(databaseUrl)}: ${error.message}`);
  });
}

const readsOf = ({ readerDatabaseUrl: url }: Config, store: Store): Store =>
  url === null ? store : openStore(url);

interface Connections {
  readonly store: Store;
  /** The same record, by a user that only reads. */
  readonly reads: Store;
  readonly client: Client;
  readonly queues: TaskQueues;
  readonly feed: LiveFeed;
  readonly served: ServedModels;
  readonly diagnose: GoalClientPorts['diagnose'];
  readonly rules: () => ServiceRules;
}

function composePorts(config: Config, connections: Connections): ApiPorts {
  const { store, reads, client, queues, feed, served, diagnose, rules } = connections;
  const { sql: database, prisma } = store;
  const host = poolOf(config);
  const keys = ledgerKeys(config.ledgerKeys);
  const reader = createReader(reads, keys, refusedTeller(database, keys));
  const mask = createMasker(process.env, knownSecrets(config));
  const intake = maskedIntake(createIntake(store, { ledgerKeys: keys }), mask);
  const reconcile = createReconcileStore(store, { ledgerKeys: keys });
  const executions = createExecutions(client, queues);
  const record = createRecord(database, {
    onAppended: (goalId) => feed.notify([goalId]),
    ledgerKeys: keys,
    onWorkspaceFree: workspaceNotifier(executions),
    onFamily: delegationNotifier(executions),
  });
  const orders = createOrders(store, keys);
  const goals = createGoalClient({
    client,
    queues,
    diagnose,
    reader,
    record,
    orders,
    markLost: async (reach) => {
      const { runId } = reach;
      if (runId !== null) await reconcile.markLost({ ...reach, runId });
    },
  });
  const models = createModels(config.models);
  const ledger = createLedgerVerifier(reads.sql, keys);
  const signer = () => openSigner(config.home, config.proofSigner);
  const targets = anchorTargets({
    ...config.anchors,
    addresses: addressRules(config.service.allowedAddresses),
  });
  return {
    settings: settingsOf(config, rules),
    reader,
    intake,
    attachments: createAttachments(store, reads),
    sessions: createSessions(store, keys, { takesPeople: config.oidc !== null }),
    oidc: config.oidc === null ? null : createOidc(config.oidc, config.oidcSecret),
    tokens: createTokenStore(store, keys),
    schedules: maskedSchedules(createSchedules(database, reads.sql, keys), mask),
    scheduleRuns: createScheduleRuns(database, keys),
    toolPins: createToolPinsOfPeople(store, keys),
    callStops: createCallStopsOfPeople(database),
    storedRules: createRulesOfPeople(database, keys),
    triggers: triggersWithoutSecrets(
      createTriggers(store, {
        secrets: sealedKeys(config.sealedKeys, config.home),
        ledger: keys,
      }),
      mask,
    ),
    lookNow: (goal) => executions.notifyEvent(goal),
    anchors: createAnchors(reads.sql, keys, targets),
    securityLog: maskedLog(createSecurityLog({ store, reads, keys }), mask),
    goals,
    workspaces: createWorkspaces(intake, {
      host,
      home: config.home,
      known: () => reader.workspaces(),
    }),
    scopes: createScopeLook(config.home, host),
    beginnings: createBeginningLook(
      {
        worktrees: createWorktreeStore(store, { ledgerKeys: keys }),
        checkpoints: createCheckpointStore(store, keys),
        journal: journalReads(store.sql, keys),
        home: config.home,
      },
      host,
    ),
    queues: rememberBacklogs(createQueues(client, queues)),
    checks: createChecks(
      client,
      queues,
      checksWithoutSecrets(createCheckOrders(store, keys), mask),
    ),
    applies: createAppliesOfPeople(client, queues, createApplyOrders(database, keys)),
    models: withServed(models, served),
    servedModels: served.names,
    firstCallTokens: createFirstCallEstimate(models, createRegistry(builtInTools)),
    feed,
    templates: createTemplates(host, (value) => mask.value(value)),
    changes: createChanges({
      home: config.home,
      host,
      mask: (value) => mask.value(value),
      checkpoints: (goalId) => readCheckpoints(database, keys, goalId),
      isLeft: (goalId, one, turn) => isLeftBehind(database, goalId, one, turn),
      rewinds: (goalId) => readRewinds(database, goalId),
      folderOf: (goalId) => reader.folderOf(goalId),
      writingRows: (goalId, path) => readWritingRows(database, goalId, path),
    }),
    histories: createHistories(client, orders),
    notifications: createNotifications(prisma),
    links: approvalLinks(keys, queues.installation),
    proofLinks: proofLinks(keys, queues.installation),
    addresses: addressRules(config.service.allowedAddresses),
    mask: mask.text,
    sealTarget: (target) => sealTarget(target, keys),
    ledger,
    sealed: createSealedStore(store, sealedKeys(config.sealedKeys, config.home), keys),
    removedGoals: createRemovedGoals(
      database,
      keys,
      keys.sealing === null ? [] : targets.map(({ name }) => name),
    ),
    proofs: createProofExporter({ reader, ledger, signer, version: productVersion() }),
    metrics: createApiMetrics(async () => ({
      ...(await reader.standing()),
      limits: limitFills(await reader.standingLimits(rules().spend)),
    })),
  };
}

const pagesOf = ({ pagesUrl, namespace }: Config['temporal']) =>
  pagesUrl === null ? null : { url: pagesUrl, namespace };

function settingsOf(config: Config, rules: () => ServiceRules): ApiSettings {
  return {
    version: productVersion(),
    tokens: config.tokens,
    isLoopback: config.isLoopback,
    approvers: config.approvers,
    host: poolOf(config),
    isSandboxForPrograms: config.sandbox.mode === 'programs',
    defaultModel: config.model,
    defaultFallback: config.fallbackModel,
    agents: config.service.agents,
    models: [],
    rules,
    stream: defaultStreamTimes,
    consoleFolder: findConsole(),
    temporalPages: pagesOf(config.temporal),
  };
}
