import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TemporalTls } from '../contract/temporal-tls.ts';
import { type Child, startChild } from './child.ts';

/** The addresses that every process of a stack gets through its environment. */
export interface StackAddresses {
  readonly databaseUrl: string;
  /** Nothing = the API reads by the same user. */
  readonly readerDatabaseUrl?: string | null;
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    /** None: the embedded one. */
    readonly tls?: TemporalTls | null;
  };
}

export interface OwnProcessOptions {
  readonly home: string;
  readonly addresses: StackAddresses;
  /** The CLI's main file; this installation's own unless given. */
  readonly entry?: string | undefined;
  /** Logs to this process's own stderr, as containers want it; else to a file in the home. */
  readonly logsHere?: boolean;
}

/** The CLI beside this file: TypeScript in development, JavaScript when installed. */
const extension = extname(import.meta.url);
const ENTRY = fileURLToPath(new URL(`../cli/main${extension}`, import.meta.url));

/** `goalkeeper worker` as a child. */
export function startWorker(
  options: OwnProcessOptions & {
    readonly number: number;
    readonly workspaces: readonly string[];
    /** Where it tells its health; nowhere unless given. */
    readonly healthPort?: number | null;
  },
): Child & { readonly workerId: string } {
  const workerId = `${hostname()}-${randomBytes(4).toString('hex')}`;
  const workspaces = options.workspaces.flatMap((workspace) => ['--workspace', workspace]);
  const child = startOwn(options, ['worker', ...workspaces], `worker-${options.number}.log`, {
    GOALKEEPER_WORKER_ID: workerId,
    GOALKEEPER_WORKER_HEALTH_PORT: String(options.healthPort ?? ''),
  });
  return { ...child, workerId };
}

/** `goalkeeper api` as a child, so that a fault in it can't take the servers down. */
export function startApiProcess(
  options: OwnProcessOptions & { readonly host: string; readonly port: number },
): Child {
  return startOwn(options, ['api'], 'api.log', {
    GOALKEEPER_HOST: options.host,
    GOALKEEPER_PORT: String(options.port),
  });
}

/** A step leaves nothing behind but garbage: with the default of 16 it costs 5 % more. */
const YOUNG_MIB = 64;

function startOwn(
  options: OwnProcessOptions,
  args: readonly string[],
  log: string,
  environment: Record<string, string>,
): Child {
  const entry = options.entry ?? ENTRY;
  return startChild({
    file: process.execPath,
    args: [`--max-semi-space-size=${YOUNG_MIB}`, ...loader(entry), entry, ...args],
    logFile: options.logsHere === true ? null : join(options.home, log),
    env: {
      ...process.env,
      DATABASE_URL: options.addresses.databaseUrl,
      READER_DATABASE_URL: options.addresses.readerDatabaseUrl ?? '',
      // Nothing that serves goals can change the schema.
      OWNER_DATABASE_URL: '',
      TEMPORAL_ADDRESS: options.addresses.temporal.address,
      TEMPORAL_NAMESPACE: options.addresses.temporal.namespace,
      GOALKEEPER_HOME: options.home,
      ...(!options.addresses.temporal.tls ? { TEMPORAL_TLS: 'off' } : {}),
      ...environment,
    },
  });
}

function loader(entry: string): string[] {
  return entry.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [];
}
