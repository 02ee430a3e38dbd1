import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { openDriver } from './driver.ts';
import type { Primary } from './primary.ts';

export type Database = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;
/** A client or a transaction: a statement runs on either. */
export type Executor = Database | Transaction;

/** Postgres can't be reached at the moment. Operations that end something retry until it can. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    const isFull = codeOf(cause) === '53100';
    super(isFull ? 'Postgres has no space left on its disk' : 'Postgres cannot be reached', {
      cause,
    });
    this.name = 'DatabaseUnavailable';
  }
}

const integer = {
  to: 20,
  from: [20],
  serialize: String,
  parse(text: string): number {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
    return value;
  },
};

const time = {
  to: 1184,
  from: [1082, 1114, 1184],
  serialize: (value: string) => value,
  parse: (text: string) => new Date(text).toISOString(),
};

/** Times are ISO strings, bigint is a number, numeric stays an exact string. */
export function openDatabase(
  url: string,
  { connections = 10, primary }: { connections?: number; primary?: Primary | null } = {},
): Database {
  const options = {
    max: connections,
    connect_timeout: 10,
    idle_timeout: 300,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'goalkeeper' },
    types: { bigint: integer, date: time },
  };
  return openDriver(url, options, primary);
}

const DRIVER_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/**
 * Prisma's codes for: not reached, timed out, closed by the server, no free connection of the pool
 * or server.
 */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);

/** Messages of the pool under Prisma's adapter, which sets no code. */
const POOL_MESSAGES = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
];

/** Both clients' errors: a driver's own, or Prisma's around the one of its adapter. */
interface ClientError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly constraint_name?: unknown;
  readonly meta?: {
    readonly driverAdapterError?: {
      readonly cause?: {
        readonly originalCode?: unknown;
        readonly constraint?: { readonly index?: unknown };
      };
    };
  };
}

const adapterCause = (error: unknown) =>
  (error as ClientError | null)?.meta?.driverAdapterError?.cause;

/** Error code of the server if it answered, otherwise the client's own. */
function codeOf(error: unknown): string | null {
  const code = adapterCause(error)?.originalCode ?? (error as ClientError | null)?.code;
  return typeof code === 'string' ? code : null;
}

/**
 * Class 08: connection; 57P01–57P03: shut down, crashed, starting; 57P05, 25P03, 25P04: it ended a
 * session or transaction that was idle or open for too long; 53100: disk full; 53300: no free
 * connection; 25006: it takes no writes (any more).
 */
function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code === null) return isPoolsWord(error);
  if (DRIVER_CODES.has(code) || PRISMA_CODES.has(code)) return true;
  return /^(08...|57P0[1235]|25P0[34]|53[13]00|25006)$/.test(code);
}

function isPoolsWord(error: unknown): boolean {
  const text = String((error as ClientError | null)?.message ?? '');
  return POOL_MESSAGES.some((pattern) => pattern.test(text));
}

/**
 * Whether it is the fault of what stands in a row, and not of a server that is away: a value that its
 * reader or the server can't take (class 22), or that breaks a rule of its table (class 23).
 */
export function isRowsFault(error: unknown): boolean {
  const isOurs = error instanceof TypeError || error instanceof RangeError;
  return isOurs || error instanceof SyntaxError || /^2[23]/.test(codeOf(error) ?? '');
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const known =
    adapterCause(error)?.constraint?.index ?? (error as ClientError | null)?.constraint_name;
  return codeOf(error) === '23505' && known === constraint;
}

/** The same port, whose methods throw {@link DatabaseUnavailable} when Postgres is away. */
export function withTypedErrors<Port extends object>(port: Port): Port {
  const entries = Object.entries(port).map(([name, method]) => [
    name,
    typeof method === 'function' ? typed(method as Method) : method,
  ]);
  return Object.fromEntries(entries) as Port;
}

type Method = (...args: unknown[]) => unknown;

function typed(method: Method): Method {
  return async (...args) => {
    try {
      return await method(...args);
    } catch (error) {
      throw isUnavailable(error) ? new DatabaseUnavailable(error) : error;
    }
  };
}

/**
 * Repeats `operation` until Postgres is back, 0.1 to 5 seconds apart.
 * @throws DatabaseUnavailable where it is still away when `signal` aborts
 */
export async function retryUntilBack<Result>(
  operation: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let delay = 100; ; delay = Math.min(delay * 2, 5000)) {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      await sleep(delay, undefined, { signal }).catch(() => {});
      if (signal?.aborted) throw error;
    }
  }
}
