import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { hostsOf } from './database-url.ts';
import postgres from './generated/driver/index.js';
import { findPrimary, type Primary } from './primary.ts';
import { type Line, type Told, watchLines, within } from './silent-lines.ts';

/**
 * The server ends a session whose machine is gone without a word (a power cut, a pulled cable) within
 * half a minute, and with it what it has locked; by the system's defaults, that takes two hours.
 */
const NOTICES_THE_GONE = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
} as const;

/** The same for a client that takes them as words of a command. */
export const noticesTheGone = (): string =>
  Object.entries(NOTICES_THE_GONE)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** The driver of every connection that isn't Prisma's: one reading of a database's URL. */
export function openDriver<
  Types extends Record<string, postgres.PostgresType> = Record<never, never>,
>(
  url: string,
  options: postgres.Options<Types>,
  primary: Primary | null = primaryOf(url),
  silentMs?: number,
) {
  const [first] = hostsOf(url) ?? [];
  const each = {
    backoff: pauseAfter,
    ...options,
    connection: { ...NOTICES_THE_GONE, ...options.connection },
    ...(primary !== null && { socket: () => socketTo(primary) }),
  };
  const open = (more: object) => postgres(first?.url ?? url, { ...each, ...more });
  const watch = watchLines((pids) => askServer(open, pids), silentMs);
  const sql = open({ lines: watch.lines });
  const { end } = sql;
  return Object.assign(sql, {
    // A silent line takes no leave: whoever waits for that waits for good.
    end: (how?: { timeout?: number }) =>
      end({ timeout: CLOSE_SECONDS, ...how }).finally(watch.stop),
  });
}

const PATIENCE_SECONDS = 5;
/** What is under way has so long to end. */
const CLOSE_SECONDS = 5;

/** Asked by a connection of its own, which is gone afterwards. */
async function askServer(
  open: (more: object) => postgres.Sql,
  pids: readonly number[],
): Promise<Told> {
  const lines = new Set<Line>();
  const sql = open({ max: 1, connect_timeout: PATIENCE_SECONDS, lines });
  const asked = sql<{ own: number; pid: number | null; state: string | null }[]>`
    SELECT pg_backend_pid() AS own, s.pid, s.state
    FROM (SELECT) AS one LEFT JOIN pg_stat_activity s ON s.pid IN ${sql([0, ...pids])}`;
  try {
    const rows = await within(PATIENCE_SECONDS * 1000, asked);
    if (rows === null) return null;
    const [own] = [...lines];
    const states = rows.flatMap(({ pid, state }) =>
      pid === null ? [] : [[pid, state ?? ''] as const],
    );
    return { isPooled: own?.pid() !== rows[0]?.own, states: new Map(states) };
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) return null;
    // Whoever refuses is there.
    return { isPooled: true, states: new Map() };
  } finally {
    void sql.end({ timeout: 0 }).catch(() => {});
  }
}

const LONGEST_PAUSE_SECONDS = 1;

/** Before a connection is tried again. The driver's own pauses grow to 20 s, past what a failover takes. */
const pauseAfter = (failures: number): number =>
  (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, LONGEST_PAUSE_SECONDS);

/** Null where the URL names one host, which needs no choice. */
export function primaryOf(url: string): Primary | null {
  const hosts = hostsOf(url);
  return hosts === null || hosts.length < 2 ? null : findPrimary(hosts);
}

/** A socket that goes to the primary, whatever it is told to connect to. */
export class PrimarySocket extends Socket {
  readonly #primary: Primary;

  constructor(primary: Primary) {
    super();
    this.#primary = primary;
  }

  override connect(): this {
    this.#primary().then(
      ({ host, port }) => super.connect(port, host),
      (error: Error) => this.destroy(error),
    );
    return this;
  }
}

/** The driver writes at once, so what it gets is connecting already, or fails with its first write. */
async function socketTo(primary: Primary): Promise<Duplex> {
  try {
    const { host, port } = await primary();
    // The driver compares a certificate with this name.
    return Object.assign(new Socket(), { host }).connect(port, host);
  } catch (error) {
    return new Duplex({ read() {}, write: (_bytes, _encoding, done) => done(error as Error) });
  }
}
