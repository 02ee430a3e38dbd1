import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Logger, pino } from 'pino';
import type { Script } from '../../demo/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../demo/scripted-server.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import { type RunningApi, startApi } from '../../src/app/run-api.ts';
import { type RunningWorker, runWorker } from '../../src/app/run-worker.ts';
import { standingConfig } from '../../src/app/standing-rules.ts';
import type { WorkerOptions } from '../../src/app/worker/options.ts';
import { type Client, createClient } from '../../src/cli/client.ts';
import { type TaskQueues, taskQueuesOf } from '../../src/contract/task-queues.ts';
import type { ModelConfig } from '../../src/model/providers.ts';
import { type SealedKeys, temporalKeys } from '../../src/sealed/keys.ts';
import type { Database, Transaction } from '../../src/store/client.ts';
import {
  changeDelegates,
  type DelegateRow,
  type LockedDelegate,
  lockingDelegates,
  settingDelegates,
} from '../../src/store/ledger/delegate-seal.ts';
import { type LedgerKeys, ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import type { Fragment } from '../../src/store/ledger/row-seal.ts';
import { sealingDecided } from '../../src/store/ledger/seal-decided.ts';
import { lockGoal } from '../../src/store/record/goal-state.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import type { TemporalAddress } from '../../src/temporal/connection.ts';
import { eventually } from './eventually.ts';
import { type GoalChanges, watchGoals } from './goal-changes.ts';
import { freshNamespace } from './namespaces.ts';
import { giveAway, needsOwner } from './ordinary-owner.ts';
import { installRuntime } from './runtime.ts';
import { freshDatabase, type TestDatabase, temporalAddress } from './servers.ts';

/** Everything real, in one process: database, namespace, API, worker, and a model with a script. */
export interface GoalWorld {
  readonly client: Client;
  /** Where the API listens, for calls that the client doesn't make. */
  readonly url: string;
  readonly database: Database;
  readonly store: Store;
  readonly model: ScriptedModel;
  readonly temporal: { readonly address: string; readonly namespace: string };
  readonly queues: TaskQueues;
  /** What it sends to Temporal is encrypted with these. */
  readonly keys: SealedKeys;
  /** What a worker in a process of its own needs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Seal what the world's service writes. */
  readonly ledgerKeys: LedgerKeys;
  /** A folder with these files, by content. */
  workspace(files: Record<string, string>): Promise<string>;
  start(goal: Partial<StartGoal> & { objective: string }): Promise<Goal>;
  get(goalId: string): Promise<Goal>;
  /** @throws with the goal as it is then, after `timeoutMs` (200 s unless told) */
  until(goalId: string, holds: (goal: Goal) => boolean, timeoutMs?: number): Promise<Goal>;
  /** Until its turn is recorded, which comes after the goal is seen to pause. */
  recorded(goalId: string): Promise<unknown>;
  /** A second worker, or a first one where `worker: false` was asked for. */
  startWorker(
    wrapPorts?: WorkerOptions['wrapPorts'],
    wrapReconciler?: WorkerOptions['wrapReconciler'],
    /** `NAME=PATH`, as a person tells it at the start. */
    workspaces?: readonly string[],
  ): Promise<RunningWorker>;
  /** Those that run now. */
  readonly workers: readonly RunningWorker[];
  /** API and workers read the operator's file again, as SIGHUP makes them. */
  reread(): void;
  close(): Promise<void>;
}

const KEY = 'test-admin-token-0000';
const LEDGER_KEY = 'a-key-of-the-ledger-for-tests-only';

export const TOKENS = {
  admin: KEY,
  operator: 'test-operator-token-0',
  agent: 'test-agent-token-00000',
  viewer: 'test-viewer-token-0000',
} as const;

let names = 0;

export async function openGoalWorld(options: {
  readonly script: Script;
  readonly worker?: boolean;
  /** Beside the compatible provider: more of them at the scripted server, other patience. */
  readonly models?: (url: string) => Partial<ModelConfig>;
  /** Added to the service's own, such as `GOALKEEPER_PRICES`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Without a ledger key, as for tests that put rows back. */
  readonly isUnsealed?: true;
  /** The API is a process of its own that the test starts, at this port. */
  readonly apiPort?: number;
  /** Of its workers. */
  readonly log?: Logger;
  /** Another way to the same database, for API and worker. */
  readonly way?: (url: string) => string;
  /** Another way to the same Temporal, or a namespace that others use too. */
  readonly temporal?: Partial<Pick<TemporalAddress, 'address' | 'tls' | 'namespace'>>;
}): Promise<GoalWorld> {
  installRuntime();
  const root = await mkdtemp(join(tmpdir(), 'goalkeeper-world-'));
  const { way = (url: string) => url } = options;
  const fresh = await freshDatabase();
  const database = { ...fresh, url: way(fresh.url), readerUrl: way(fresh.readerUrl) };
  const model = await startScriptedModel({ script: options.script });
  const store = openStore(database.ownerUrl, { connections: 2 });
  const direct = store.sql;
  const queues = taskQueuesOf(await ownInstallation(direct));
  const { namespace = await freshNamespace(), ...temporalWay } = options.temporal ?? {};
  const temporal = { address: temporalAddress(), ...temporalWay, namespace };
  const own = environmentOf(root, database, temporal, model);
  const { apiPort } = options;
  const atPort = apiPort === undefined ? {} : { GOALKEEPER_PORT: String(apiPort) };
  const sealed = options.isUnsealed === true ? {} : { GOALKEEPER_LEDGER_KEY: LEDGER_KEY };
  const environment = { ...own, ...sealed, ...atPort, ...options.environment };
  const isGiven = needsOwner(options.environment?.GOALKEEPER_SANDBOX);
  const given: string[] = [];
  if (isGiven) {
    await mkdir(own.GOALKEEPER_HOME, { mode: 0o711 });
    giveAway([], [root]);
  }
  const { config: loaded, rules, reread } = standingConfig(environment);
  const config = { ...loaded, models: { ...loaded.models, ...options.models?.(model.url) } };
  const api: RunningApi =
    apiPort === undefined
      ? await startApi({ config, rules, databaseUrl: database.url, temporal })
      : { url: `http://127.0.0.1:${apiPort}`, close: async () => undefined };
  const client = createClient({ url: api.url, token: KEY });
  const workers: RunningWorker[] = [];
  const changes = watchGoals(direct);
  const nextWorkerId = () => {
    names += 1;
    return `test-${process.pid}-${names}`;
  };
  const startWorker: GoalWorld['startWorker'] = async (
    wrapPorts,
    wrapReconciler,
    workspaces = [],
  ) => {
    const worker = await runWorker({
      config: {
        ...config,
        databaseUrl: database.url,
        workerId: nextWorkerId(),
      },
      rules,
      temporal,
      workspaces,
      log: options.log ?? pino({ level: 'silent' }),
      ...(wrapPorts === undefined ? {} : { wrapPorts }),
      ...(wrapReconciler === undefined ? {} : { wrapReconciler }),
    });
    workers.push(worker);
    return worker;
  };
  if (options.worker !== false) await startWorker();
  return {
    client,
    url: api.url,
    database: direct,
    workers,
    reread: () => reread(pino({ level: 'silent' })),
    store,
    model,
    temporal,
    queues,
    keys: temporalKeys(config.temporalKeys, config.home),
    ledgerKeys: ledgerKeys(config.ledgerKeys),
    environment,
    async workspace(files) {
      const folder = await makeWorkspace(root, files);
      if (isGiven) giveAway([folder]);
      given.push(folder);
      return folder;
    },
    async start(goal) {
      // A test may have made a repository of it meanwhile.
      if (isGiven) giveAway(given);
      return await client.send<Goal>('POST', '/v1/goals', { ...OWN, ...goal });
    },
    get: (goalId) => client.get<Goal>(`/v1/goals/${goalId}`),
    until: (goalId, holds, timeoutMs) => waitFor(client, changes, goalId, holds, timeoutMs),
    recorded: (goalId) =>
      eventually(async () => {
        const open = await direct`SELECT 1 FROM turn WHERE goal_id = ${goalId} AND state = 'open'`;
        if (open.length > 0) throw new Error(`the turn of ${goalId} is not recorded`);
      }),
    startWorker,
    close: () => closeAll({ root, api, workers, model, store, database }),
  };
}

/** Each database is a copy of the run's template, and an installation of its own. */
async function ownInstallation(database: Database): Promise<string> {
  const installation = randomBytes(8).toString('hex');
  await database`UPDATE installation SET installation_id = ${installation}`;
  return installation;
}

function environmentOf(
  root: string,
  database: TestDatabase,
  temporal: { address: string; namespace: string },
  model: ScriptedModel,
) {
  return {
    GOALKEEPER_HOME: join(root, 'home'),
    GOALKEEPER_PORT: '0',
    // Calls that hang are cancelled soon.
    GOALKEEPER_DRAIN_SECONDS: '10',
    // `error` shows why the API answered 500.
    GOALKEEPER_LOG: process.env.GOALKEEPER_LOG ?? 'silent',
    DATABASE_URL: database.url,
    READER_DATABASE_URL: database.readerUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    GOALKEEPER_TOKENS: Object.entries(TOKENS)
      .map(([role, token]) => `${role}:${token}`)
      .join(','),
    // Programs have a token here, and tests also run where no sandbox can be had.
    GOALKEEPER_SANDBOX: 'auto',
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: model.url,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  };
}

async function makeWorkspace(root: string, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(root, 'workspace-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** A goal that this principal might have started with what only a person may ask for. */
export async function giveTo(
  world: Pick<GoalWorld, 'url' | 'database' | 'ledgerKeys'>,
  goalId: string,
  token: string,
): Promise<void> {
  const { name } = await createClient({ url: world.url, token }).get<{ name: string }>(
    '/v1/session',
  );
  await changeGoal(
    world,
    goalId,
    (tx) => tx`UPDATE goal SET created_by = ${name} WHERE goal_id = ${goalId}`,
  );
}

/** Changes the row of a goal as the service itself would. */
export async function changeGoal(
  { database, ledgerKeys: keys }: Pick<GoalWorld, 'database' | 'ledgerKeys'>,
  goalId: string,
  change: (tx: Transaction) => PromiseLike<unknown>,
): Promise<void> {
  await database.begin(async (tx) => {
    const goal = await lockGoal(tx, goalId);
    if (goal === null) throw new TypeError(`There is no goal ${goalId}`);
    await sealingDecided(tx, keys, goal, async () => await change(tx));
  });
}

/** The same for delegates `d` of which `which` holds. */
export async function changeDelegatesOf(
  { database, ledgerKeys: keys }: Pick<GoalWorld, 'database' | 'ledgerKeys'>,
  which: Fragment,
  set: Fragment,
): Promise<void> {
  await database.begin(async (tx) => {
    await changeDelegates(
      tx,
      keys,
      tx<LockedDelegate[]>`${lockingDelegates(tx, which)}`,
      (ids) => tx<DelegateRow[]>`${settingDelegates(tx, set, ids)}`,
    );
  });
}

/** Folders without a product: what a goal writes there is its work unless its test says otherwise. */
export const OWN = { scope: { change: ['*', '**', 'answer.txt', 'result.txt'] } };

async function waitFor(
  client: Client,
  changes: GoalChanges,
  goalId: string,
  holds: (goal: Goal) => boolean,
  timeoutMs = 200_000,
): Promise<Goal> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const changed = changes.changed(goalId);
    const goal = await client.get<Goal>(`/v1/goals/${goalId}`);
    if (holds(goal)) return goal;
    if (Date.now() > deadline) {
      const turns = await client.get<unknown>(`/v1/goals/${goalId}/turns`);
      throw new Error(`it never came to that: ${JSON.stringify({ goal, turns }, null, 1)}`);
    }
    await changed;
  }
}

async function closeAll(parts: {
  root: string;
  api: RunningApi;
  workers: RunningWorker[];
  model: ScriptedModel;
  store: Store;
  database: TestDatabase;
}): Promise<void> {
  // What keeps a closed world, such as a trace of its statements, keeps no copy of the workflows.
  const workers = parts.workers.splice(0);
  for (const worker of workers) worker.stop();
  await Promise.all(workers.map((worker) => worker.done));
  await parts.api.close();
  await parts.model.close();
  await parts.store.close();
  await parts.database.drop();
  await rm(parts.root, { recursive: true, force: true });
}
