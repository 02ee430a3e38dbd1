import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger } from 'fastify';
import { createChanges } from '../checkpoints/changes.ts';
import { type Config, ConfigError, knownSecrets } from '../config.ts';
import { readCheckpoints } from '../db/checkpoint-rows.ts';
import { type Database, openDatabase } from '../db/client.ts';
import { createNotifications } from '../db/deliveries.ts';
import { createIntake } from '../db/intake.ts';
import { ledgerKeys } from '../db/ledger-keys.ts';
import { createLedgerVerifier } from '../db/ledger-verify.ts';
import { type Listener, listen } from '../db/listener.ts';
import { createWatchBell } from '../db/live-text.ts';
import { createReader } from '../db/reader.ts';
import { createReconcileStore } from '../db/reconcile.ts';
import { createRecord } from '../db/record.ts';
import { readRewinds } from '../db/rewinds.ts';
import { createSessions } from '../db/sessions.ts';
import { Refusal } from '../goal/errors.ts';
import { createModels } from '../model/providers.ts';
import { addressRules } from '../net/addresses.ts';
import { createTemporalClient, type TemporalAddress } from '../temporal/connection.ts';
import { createExecutions } from '../temporal/executions.ts';
import { familyDoorbell } from '../temporal/family-doorbell.ts';
import { createGoalClient } from '../temporal/goal-client.ts';
import { createHistories } from '../temporal/histories.ts';
import { createQueues } from '../temporal/queues.ts';
import { createChecks } from '../temporal/try-checks.ts';
import { workspaceDoorbell } from '../temporal/workspace-doorbell.ts';
import { createWorkspaces } from '../temporal/workspaces.ts';
import { builtInTools } from '../tools/built-in.ts';
import { createMasker } from '../tools/output.ts';
import { createRegistry } from '../tools/registry.ts';
import { sealTarget } from '../webhooks/seal.ts';
import type { ApiPorts } from './application.ts';
import { findConsole } from './console-folder.ts';
import { assertProposable } from './criterion-fields.ts';
import { createFirstCallEstimate } from './first-call.ts';
import { createLiveFeed, type LiveFeed } from './live-feed.ts';
import { maskedIntake } from './masked-intake.ts';
import { rememberBacklogs, watchBacklogs } from './operations/backlogs.ts';
import { type ServedModels, watchServedModels, withServed } from './served-models.ts';
import { buildServer } from './server.ts';
import { type ApiSettings, defaultStreamTimes, noBudgetMaximum } from './settings.ts';
import { productVersion } from './version.ts';

export interface ApiOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly temporal: TemporalAddress;
  readonly logger?: FastifyBaseLogger;
}

/**
 * For an API by itself: the servers must be named, because the embedded ones belong to `up`.
 * @throws ConfigError
 */
export function standaloneOptions(config: Config, logger: FastifyBaseLogger): ApiOptions {
  const { databaseUrl, temporal } = config;
  const wayOut = 'Set it, or use "goalkeeper up", which starts its own.';
  if (databaseUrl === null) throw new ConfigError('DATABASE_URL', 'is not set', wayOut);
  const { address, namespace } = temporal;
  if (address === null) throw new ConfigError('TEMPORAL_ADDRESS', 'is not set', wayOut);
  return { config, databaseUrl, temporal: { address, namespace }, logger };
}

export interface RunningApi {
  readonly url: string;
  close(): Promise<void>;
}

/** The API over the real record and the real Temporal, listening. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { databaseUrl } = options;
  const database = openDatabase(databaseUrl);
  const client = createTemporalClient(options.temporal);
  const bell = createWatchBell(database);
  const feed = createLiveFeed(bell.watch);
  const listener = await listenTo(databaseUrl, feed);
  const reader = createReader(database);
  const served = await watchServedModels(reader, async (hosts) =>
    feed.ring(await reader.goalsOn(hosts)),
  );
  const ports = composePorts(
    { ...options.config, databaseUrl },
    { database, client, feed, served },
  );
  const backlogs = watchBacklogs(ports);
  const server = buildServer(ports, options.logger);
  server.addHook('onClose', async () => {
    backlogs.stop();
    bell.close();
    await served.stop();
    await listener.close();
    await client.connection.close();
    await database.end({ timeout: 5 });
  });
  const url = await server.listen({ host: options.config.host, port: options.config.port });
  return { url, close: () => server.close() };
}

async function listenTo(databaseUrl: string, feed: LiveFeed): Promise<Listener> {
  const hooks = {
    onEvents: feed.ring,
    onMayHaveMissed: feed.ringAll,
    onOutput: feed.print,
    onText: feed.say,
  };
  return listen(databaseUrl, hooks).catch((error: Error) => {
    throw new Refusal('database_unavailable', `${new URL(databaseUrl).host}: ${error.message}`);
  });
}

interface Connections {
  readonly database: Database;
  readonly client: Client;
  readonly feed: LiveFeed;
  readonly served: ServedModels;
}

function composePorts(config: Config, { database, client, feed, served }: Connections): ApiPorts {
  const reader = createReader(database);
  const mask = createMasker(process.env, knownSecrets(config));
  const intake = maskedIntake(createIntake(database), mask);
  const store = createReconcileStore(database);
  const keys = ledgerKeys(config.ledgerKeys);
  const executions = createExecutions(client);
  const record = createRecord(database, {
    onAppended: (goalId) => feed.ring([goalId]),
    ledgerKey: keys.sealing,
    onWorkspaceFree: workspaceDoorbell(executions),
    onFamily: familyDoorbell(executions),
  });
  const goals = createGoalClient({
    client,
    reader,
    record,
    markLost: async (reach) => {
      const { runId } = reach;
      if (runId !== null) await store.markLost({ ...reach, runId });
    },
  });
  const models = createModels(config.models);
  return {
    settings: settingsOf(config),
    reader,
    intake,
    sessions: createSessions(database),
    goals,
    workspaces: createWorkspaces(intake),
    queues: rememberBacklogs(createQueues(client)),
    checks: createChecks(client),
    models: withServed(models, served),
    servedModels: served.names,
    firstCallTokens: createFirstCallEstimate(
      models,
      createRegistry(builtInTools(assertProposable)),
    ),
    feed,
    changes: createChanges({
      home: config.home,
      host: hostname(),
      mask: (value) => mask.value(value),
      checkpoints: (goalId) => readCheckpoints(database, goalId),
      rewinds: (goalId) => readRewinds(database, goalId),
      hostOf: async (name) =>
        (await reader.workspaces()).find((workspace) => workspace.name === name)?.host ?? null,
    }),
    histories: createHistories(client),
    notifications: createNotifications(database),
    addresses: addressRules(config.service.allowedAddresses),
    mask: mask.text,
    sealTarget: (target) => sealTarget(target, keys),
    ledger: createLedgerVerifier(database, keys),
  };
}

const pagesOf = ({ pagesUrl, namespace }: Config['temporal']) =>
  pagesUrl === null ? null : { url: pagesUrl, namespace };

function settingsOf(config: Config): ApiSettings {
  return {
    version: productVersion(),
    tokens: config.tokens,
    isLoopback: config.isLoopback,
    defaultModel: config.model,
    models: [],
    budgetMaximum: noBudgetMaximum,
    stream: defaultStreamTimes,
    consoleFolder: findConsole(),
    temporalPages: pagesOf(config.temporal),
  };
}
