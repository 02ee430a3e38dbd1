import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { LocalProcess } from '../contract/process-identity.ts';
import { endProcess } from '../process/end-process.ts';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';
import { identifyRunning } from '../process/process-identity.ts';
import { inOwnNetwork } from '../sandbox/namespace.ts';
import { type Child, type Exit, startChild } from './child.ts';
import type { LoopbackGuard } from './loopback-guard.ts';
import { accepts, freePort } from './ports.ts';
import { startFailure } from './stack-error.ts';
import { temporalBinary } from './temporal-binary.ts';

export const PREFERRED_PORT = 7422;
/** Of the network of its own, where nothing else listens. */
const INNER_PORT = 7233;
const RELAY = fileURLToPath(new URL('./relay.cjs', import.meta.url));
const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 10_000;
const RETENTION_SECONDS = 30 * 24 * 3600;

/**
 * The default of 20 polls a second and shard makes every activity of a goal wait 50 ms; timers
 * wait likewise. Commits are handed to the worker with the answer to its workflow task.
 */
const SETTINGS = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'system.enableActivityEagerExecution=true',
];

const FRONTEND = 'temporal.api.workflowservice.v1.WorkflowService';

export interface TemporalOptions {
  /** Holds the server's database file and its log. */
  readonly home: string;
  /** The folder of a downloaded CLI; `<home>/bin` unless given. */
  readonly cliFolder?: string;
  /** Taken when free; the workers know this address. */
  readonly port?: number;
  /** Lets in whom it admits, at its port, to a server in a network of its own. */
  readonly guard?: LoopbackGuard | null;
  readonly onProgress: (message: string) => void;
  /** Made at the start beside `default`: those made later are served only after some seconds. */
  readonly namespaces?: readonly string[];
  /** `KEY=VALUE` of its dynamic configuration, beside those that goals need. */
  readonly settings?: readonly string[];
}

export interface RunningTemporal {
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  logTail(): string;
  stop(): Promise<void>;
}

/**
 * Temporal's dev server with a database file that survives a power loss, on the loopback.
 * @throws StackError
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  try {
    return await startServer(options);
  } catch (error) {
    const { home } = options;
    throw startFailure(
      { server: 'Temporal', home, path: databaseOf(home), log: logOf(home) },
      error,
    );
  }
}

const databaseOf = (home: string): string => join(home, 'temporal.db');
const logOf = (home: string): string => join(home, 'temporal.log');

async function startServer(options: TemporalOptions): Promise<RunningTemporal> {
  const binary = await temporalBinary(
    options.cliFolder ?? join(options.home, 'bin'),
    options.onProgress,
  );
  await endLeftoverTemporal(options.home);
  closeToOthers(options.home);
  const { child, port, server } = options.guard
    ? await startGuarded(binary, options, options.guard)
    : await startOpen(binary, options);
  const stop = () => stopServer(child, server);
  try {
    await waitUntilServing(child, port, options.guard ?? null);
  } catch (error) {
    await stop();
    throw error;
  }
  const { pid, exited, logTail } = child;
  return { address: `127.0.0.1:${port}`, port, pid, exited, logTail, stop };
}

/** A file of a former version was as open as the umask let it be. */
function closeToOthers(home: string): void {
  const path = databaseOf(home);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}

interface Started {
  readonly child: Child;
  readonly port: number;
  /** Whose end takes the server with it, in order; null = it did not start. */
  readonly server: LocalProcess | null;
}

async function startOpen(binary: string, options: TemporalOptions): Promise<Started> {
  const port = await freePort(options.port ?? PREFERRED_PORT);
  const child = startChild({
    file: binary,
    args: serverArguments(options, port),
    logFile: logOf(options.home),
    isPrivate: true,
  });
  if (child.identity) remember(options.home, child.identity);
  return { child, port, server: child.identity };
}

/** The relay waits to be recorded before it starts the server, so that none is ever left unknown. */
async function startGuarded(
  binary: string,
  options: TemporalOptions,
  guard: LoopbackGuard,
): Promise<Started> {
  const inner = [binary, ...serverArguments(options, INNER_PORT)];
  const [file = '', ...args] = inOwnNetwork([
    ...[process.execPath, RELAY, String(INNER_PORT)],
    ...inner,
  ]);
  const child = startChild({
    file,
    args,
    logFile: logOf(options.home),
    hasChannel: true,
    isPrivate: true,
  });
  const { channel } = child;
  const said = new Promise<{ pid: number }>((resolve) => channel?.once('message', resolve));
  const relay = await Promise.race([said, child.exited]);
  if (channel === null || !('pid' in relay)) return { child, port: guard.port, server: null };
  const server = identifyRunning(relay.pid);
  remember(options.home, server);
  channel.send('start');
  guard.handOver = (socket) => void channel.send('connection', socket, () => {});
  void child.exited.then(() => {
    guard.handOver = null;
  });
  return { child, port: guard.port, server };
}

function serverArguments(options: TemporalOptions, port: number): string[] {
  const { home, namespaces = [], settings = [] } = options;
  return [
    'server',
    'start-dev',
    '--headless',
    ...['--ip', '127.0.0.1', '--port', String(port)],
    ...['--db-filename', databaseOf(home)],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=FULL'],
    ...namespaces.flatMap((namespace) => ['--namespace', namespace]),
    ...[...SETTINGS, ...settings].flatMap((value) => ['--dynamic-config-value', value]),
    ...['--log-level', 'error'],
  ];
}

async function waitUntilServing(
  child: Child,
  port: number,
  guard: LoopbackGuard | null,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const exit = child.exit();
    if (exit) throw new Error(exit.error?.message ?? child.logTail());
    // A gRPC connection that was refused once waits a second before it tries again.
    // A guard listens from the beginning, and would tell of a client that leaves at once.
    const problem =
      guard || (await accepts(port)) ? await readinessProblem(port) : 'nothing listens yet';
    if (problem === null) return;
    if (Date.now() > deadline) throw new Error(`it does not serve: ${problem}`);
    await delay(50);
  }
}

/** Serving means healthy and with the namespace that goals live in, kept for 30 days. */
async function readinessProblem(port: number): Promise<unknown> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({
      address: `127.0.0.1:${port}`,
      connectTimeout: 1_000,
    });
    await connection.healthService.check({ service: FRONTEND });
    await ensureRetention(connection);
    return null;
  } catch (error) {
    return error;
  } finally {
    await connection?.close();
  }
}

async function ensureRetention(connection: Connection): Promise<void> {
  const namespace = 'default';
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  if (Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) === RETENTION_SECONDS) return;
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(RETENTION_SECONDS * 1000) },
  });
}

async function stopServer(child: Child, server: LocalProcess | null): Promise<void> {
  if (server) await endProcess(server, ['SIGTERM', 'SIGKILL'], STOP_GRACE_MS);
  await child.end([], 0);
}

function remember(home: string, server: LocalProcess): void {
  writePrivateFile(recordPath(home), JSON.stringify(server));
}

/** A killed run leaves its server; two servers on one database file would damage it. */
export async function endLeftoverTemporal(home: string): Promise<void> {
  const record = readFileIfAny(recordPath(home));
  if (!record) return;
  await endProcess(JSON.parse(record) as LocalProcess, ['SIGTERM', 'SIGKILL'], STOP_GRACE_MS);
}

function recordPath(home: string): string {
  return join(home, 'temporal.pid');
}
