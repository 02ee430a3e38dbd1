import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { hostsOf } from './database-url.ts';
import postgres from './generated/driver/index.js';
import { findPrimary, type Primary } from './primary.ts';
import { type AskedServer, type Doing, type Line, watchLines, within } from './silent-lines.ts';

/**
 * The server ends a session whose machine is gone without a word (a power cut, a pulled cable) within
 * half a minute, and with it what it has locked; by the system's defaults, that takes two hours. Where
 * a proxy answers for the machine, a transaction that says nothing ends after a minute: one that is to
 * stay open for longer says something in between (`withHeldLock`).
 */
const NOTICES_THE_GONE = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
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
  const watch = watchLines(asked(open), silentMs);
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

/** A server that is asked by a connection of its own, which is gone afterwards. */
const asked = (open: (more: object) => postgres.Sql): AskedServer => ({
  async ask(pids) {
    const lines = new Set<Line>();
    const told = await askOnce(open, lines, async (sql) => {
      const rows = await sql<{ own: number; pid: number | null; doing: Doing }[]>`
        SELECT pg_backend_pid() AS own, s.pid, CASE
          WHEN s.state IS NULL THEN 'unknown'
          WHEN s.wait_event = 'ClientRead' THEN 'waits for its client'
          ELSE 'works' END AS doing
        FROM (SELECT) AS one LEFT JOIN pg_stat_activity s ON s.pid IN ${sql([0, ...pids])}`;
      const [own] = [...lines];
      const doing = rows.flatMap(({ pid, doing }) => (pid === null ? [] : [[pid, doing] as const]));
      return { isPooled: own?.session()?.pid !== rows[0]?.own, doing: new Map(doing) };
    });
    // Whoever refuses is there.
    return told === 'refused' ? { isPooled: true, doing: new Map() } : told;
  },
  async end(sessions) {
    const from = performance.now();
    const ages = sessions.map(({ pid, greetedAt }) => ({ pid, ms: from - greetedAt }));
    const told = await askOnce(open, new Set(), async (sql) => {
      await sql`
        SELECT pg_terminate_backend(s.pid)
        FROM pg_stat_activity s
        JOIN jsonb_to_recordset(${sql.json(ages)}) AS one (pid int, ms float) ON one.pid = s.pid
        WHERE clock_timestamp() - s.backend_start >= make_interval(secs => one.ms / 1000)`;
      return 'ended' as const;
    });
    return told !== null;
  },
});

/** Null where nobody answers in time. */
async function askOnce<Answer>(
  open: (more: object) => postgres.Sql,
  lines: Set<Line>,
  ask: (sql: postgres.Sql) => Promise<Answer>,
): Promise<Answer | 'refused' | null> {
  const sql = open({ max: 1, connect_timeout: PATIENCE_SECONDS, lines });
  try {
    return await within(PATIENCE_SECONDS * 1000, ask(sql));
  } catch (error) {
    return error instanceof postgres.PostgresError ? 'refused' : null;
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
