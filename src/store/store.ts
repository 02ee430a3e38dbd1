import { setTimeout as delay } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Database, openDatabase } from './client.ts';
import { hostsOf } from './database-url.ts';
import { noticesTheGone, PrimarySocket, primaryOf } from './driver.ts';
import { PrismaClient } from './generated/client/client.ts';

export type { PrismaClient } from './generated/client/client.ts';

/**
 * Both clients of one database. `prisma` makes the ordinary queries; `sql` does what is one
 * statement only in SQL. A transaction belongs to one of them, and every one is `sql`'s.
 */
export interface Store {
  readonly sql: Database;
  readonly prisma: PrismaClient;
  /** Closes both clients after waiting some seconds for running queries. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Most connections of `sql`; 10 by default. */
  readonly connections?: number;
  /** Most connections of `prisma`; 4 by default. */
  readonly plainConnections?: number;
  /** Longest silence of a server that owes an answer to `prisma`, milliseconds; 30,000 by default. */
  readonly plainSilenceMs?: number;
}

const PLAIN_CONNECTIONS = 4;
const CLOSE_SECONDS = 5;
/** The same timeout as the connections of `sql`. */
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 300_000;
/** Of plain queries, each of which takes milliseconds. */
const PLAIN_SILENCE_MS = 30_000;

/** Neither client connects before its first query. */
export function openStore(url: string, options: StoreOptions = {}): Store {
  const { connections, plainConnections = PLAIN_CONNECTIONS } = options;
  const { plainSilenceMs = PLAIN_SILENCE_MS } = options;
  const primary = primaryOf(url);
  const sql = openDatabase(url, { primary, ...(connections === undefined ? {} : { connections }) });
  const adapter = new PrismaPg({
    connectionString: hostsOf(url)?.[0].url ?? url,
    ...(primary !== null && { stream: () => new PrimarySocket(primary) }),
    application_name: 'goalkeeper',
    options: noticesTheGone(),
    max: plainConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    query_timeout: plainSilenceMs,
  });
  const prisma = new PrismaClient({ adapter });
  return {
    sql,
    prisma,
    async close() {
      // The timeout covers a connection that the server cut.
      const late = delay(CLOSE_SECONDS * 1000, undefined, { ref: false });
      await Promise.all([
        sql.end({ timeout: CLOSE_SECONDS }),
        Promise.race([prisma.$disconnect(), late]),
      ]);
    },
  };
}

/** Types a JSON column by the contract that wrote it. */
export const jsonOf = <Held>(value: unknown): Held => value as Held;

/** Times leave the store as ISO strings. */
export const timeOf = (at: Date): string => at.toISOString();

export const timeOrNull = (at: Date | null): string | null => at && timeOf(at);
