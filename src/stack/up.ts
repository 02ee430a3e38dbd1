import { setTimeout as delay } from 'node:timers/promises';
import { configuredSandbox } from '../app/configured-sandbox.ts';
import { type Config, ConfigError } from '../contract/config.ts';
import type { LocalProcess } from '../contract/process-identity.ts';
import { signalProcess } from '../process/end-process.ts';
import { isRoot } from '../sandbox/command-user.ts';
import { openGroups } from '../sandbox/groups/groups.ts';
import type { Protection } from '../sandbox/probe.ts';
import { howCommandsRun } from '../sandbox/without.ts';
import { applySchema, tellCutLedgers } from './apply-schema.ts';
import type { Child } from './child.ts';
import { type DatabaseUsers, setPasswords } from './database-roles.ts';
import { keepTemporal } from './embedded-temporal.ts';
import { embeddedUsers } from './embedded-users.ts';
import { lockHome } from './home-lock.ts';
import { withConnection } from './one-connection.ts';
import { type StackAddresses, startApiProcess } from './own-process.ts';
import { onSamePort, tryPort } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { endLeftoverChildren, readRunState, removeRunState, writeRunState } from './run-file.ts';
import { canReach } from './service-user.ts';
import { supervise } from './supervisor.ts';
import { type HandOver, hurry, type Stop, startWorkers, stoppable } from './workers.ts';

export interface StackOptions {
  readonly onProgress: (message: string) => void;
  /** What leaves this machine open; progress unless told. */
  readonly onWarning?: (message: string) => void;
  /** Worker processes; 1 unless given. */
  readonly workers?: number;
  /** `NAME=PATH`, handed to every worker. */
  readonly workspaces?: readonly string[];
  /** Fails what a dead worker was running, so that another takes it over at once. */
  readonly handOver?: HandOver;
  /** The CLI's main file; this installation's own unless given. */
  readonly entry?: string;
}

export interface Stack {
  readonly url: string;
  readonly addresses: StackAddresses;
  /** For whoever started the stack; no child of it knows this user. */
  readonly ownerDatabaseUrl: string;
  /** API and workers read the operator's file again. */
  reread(): void;
  /** API, workers (with their drain time), Temporal, PostgreSQL; then the home is free again. */
  stop(): Promise<void>;
  /** Workers that are stopping end at once; what they run is sent again by the next start. */
  hurry(): void;
}

const API_GRACE_MS = 10_000;
/** After the API's own wait for its servers. */
const API_START_MS = 60_000;

/**
 * Brings up everything that the configuration doesn't name elsewhere, in order, and keeps it up.
 * @throws AlreadyRunning, ConfigError, MigrationError; what was started by then is stopped again.
 */
export async function startStack(config: Config, options: StackOptions): Promise<Stack> {
  const { home } = config;
  const unlock = lockHome(home, () => readRunState(home)?.apiUrl ?? null);
  const stops: Stop[] = [unlock];
  const stop = stopper(stops);
  try {
    await endLeftoverChildren(home);
    // What is started from here on is in the service's own leaf, so that workers can divide the rest.
    openGroups();
    stops.push(() => removeRunState(home));
    const port = await apiPort(config);
    // Without this check, every started worker would refuse and be restarted without end.
    const { protection } = await configuredSandbox(config);
    const { owner, writer, reader } = await provideDatabase(config, options, stops);
    const warnings: string[] = [];
    const warn = (message: string) => {
      warnings.push(message);
      (options.onWarning ?? options.onProgress)(message);
    };
    for (const warning of warningsOf(protection, home)) warn(warning);
    const children: Children = {};
    const addresses = {
      databaseUrl: writer,
      readerDatabaseUrl: reader,
      temporal: await provideTemporal(config, options, { children, stops, warn }),
    };
    const plan = { addresses, port, stops, children, warnings };
    const url = await startChildren(config, options, plan);
    const reread = () => {
      for (const child of Object.values(children)) signalProcess(child, 'SIGHUP');
    };
    return {
      ...{ url, addresses, ownerDatabaseUrl: owner, reread, stop },
      hurry: () => hurry(children),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Told once the home is as open as the database's user needs it. */
function warningsOf(protection: Protection, home: string): string[] {
  const said = howCommandsRun(protection);
  if (said === null) return [];
  const isClosed = protection.bwrap === null && isRoot() && !canReach(SOMEBODY, home);
  const closed = `Checks of proofs and worktrees lie in ${home}, which only root gets to, so they can't run: name another folder by GOALKEEPER_HOME, or let others pass (chmod o+x).`;
  return isClosed ? [said, closed] : [said];
}

/** A user who owns nothing. */
const SOMEBODY = { uid: -1, gid: -1 };

/** Last started, first stopped; a second call waits for the first. */
function stopper(stops: Stop[]): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const run = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  return () => {
    stopping ??= run();
    return stopping;
  };
}

async function apiPort(config: Config): Promise<number> {
  const port = await tryPort(config.port, config.host);
  if (port !== null) return port;
  throw new ConfigError(
    'GOALKEEPER_PORT',
    `(${config.port}) can't be listened on at ${config.host}: something else uses it`,
    'Set GOALKEEPER_PORT to a free port, or to 0 for any.',
  );
}

async function provideDatabase(
  config: Config,
  { onProgress }: StackOptions,
  stops: Stop[],
): Promise<DatabaseUsers> {
  const { databaseUrl: writer, ownerDatabaseUrl: owner, readerDatabaseUrl: reader } = config;
  const users =
    writer === null
      ? embeddedUsers(config.home, await embeddedDatabase(config, onProgress, stops))
      : { owner: owner ?? writer, writer, reader };
  await applySchema(users, onProgress);
  if (writer === null) await withConnection(users.owner, (sql) => setPasswords(sql, users));
  await tellCutLedgers(users, onProgress);
  return users;
}

async function embeddedDatabase(
  { home, maxWalMb }: Config,
  onProgress: (message: string) => void,
  stops: Stop[],
): Promise<string> {
  onProgress('Starting PostgreSQL');
  const postgres = await supervise(
    {
      name: 'PostgreSQL',
      start: (previous: Awaited<ReturnType<typeof startPostgres>> | null) =>
        onSamePort(previous, (port) => startPostgres({ home, maxWalMb, onProgress, ...port })),
    },
    onProgress,
  );
  stops.push(() => postgres.stop());
  return postgres.current.url;
}

/** API and workers that run, by name. */
type Children = Record<string, LocalProcess>;

async function provideTemporal(
  { home, temporal: { address, namespace, tls } }: Config,
  { onProgress, onWarning = onProgress }: StackOptions,
  { children, stops, warn }: Served,
): Promise<StackAddresses['temporal']> {
  if (address !== null) return { address, namespace, tls };
  const own = () => Object.values(children);
  const heard = { onProgress, onOpen: warn, onRefused: onWarning };
  const temporal = await keepTemporal({ home, ...heard, children: own });
  stops.push(() => temporal.stop());
  return { address: temporal.address, namespace: 'default', tls: null };
}

interface Served extends Pick<ChildrenPlan, 'children' | 'stops'> {
  readonly warn: (message: string) => void;
}

interface ChildrenPlan {
  readonly children: Children;
  readonly addresses: StackAddresses;
  readonly port: number;
  readonly stops: Stop[];
  readonly warnings: readonly string[];
}

async function startChildren(
  config: Config,
  options: StackOptions,
  { addresses, port, stops, children, warnings }: ChildrenPlan,
): Promise<string> {
  const { home, host } = config;
  const { onProgress, entry } = options;
  const record = recorder(home, addresses, { children, warnings });
  const common = { home, addresses, entry };
  const workers = { config, addresses, entry, workspaces: options.workspaces ?? [] };
  stops.push(
    await startWorkers({ ...workers, count: options.workers ?? 1 }, options, record.child),
  );
  onProgress('Starting the API');
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const api = await supervise(
    {
      name: 'The API',
      async start() {
        const child = startApiProcess({ ...common, host, port });
        record.child('api', child);
        await waitForApi(child, reachable(url), config.startSeconds * 1000 + API_START_MS);
        return stoppable(child, API_GRACE_MS);
      },
    },
    onProgress,
  );
  stops.push(() => api.stop());
  record.url(url);
  return url;
}

async function waitForApi(child: Child, url: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await answers(url))) {
    const exit = child.exit();
    if (exit) throw new Error(`it ended at once: ${exit.error?.message ?? child.logTail()}`);
    if (Date.now() > deadline) {
      await child.end(['SIGTERM'], API_GRACE_MS);
      throw new Error(`it does not answer: ${child.logTail()}`);
    }
    await delay(50);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** "Any address" can be listened on, but not called. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

interface Recorder {
  child(name: string, child: Child): void;
  url(apiUrl: string): void;
}

/** Keeps the run file up to date, so that a killed run's children can be found. */
function recorder(
  home: string,
  addresses: StackAddresses,
  { children, warnings }: Pick<ChildrenPlan, 'children' | 'warnings'>,
): Recorder {
  const startedAt = new Date().toISOString();
  let apiUrl: string | null = null;
  const write = () => {
    const temporalAddress = addresses.temporal.address;
    const now = { pid: process.pid, apiUrl, temporalAddress, startedAt };
    writeRunState(home, { ...now, children, warnings });
  };
  return {
    child(name, { identity }) {
      if (identity) children[name] = identity;
      write();
    },
    url(value) {
      apiUrl = reachable(value);
      write();
    },
  };
}
