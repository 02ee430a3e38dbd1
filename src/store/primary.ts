import type { DatabaseHost } from './database-url.ts';
import postgres from './generated/driver/index.js';

const LOOK_EVERY_MS = 1000;
const PATIENCE_SECONDS = 3;

/** None of a database's hosts takes writes at the moment. */
export class NoPrimary extends Error {
  /** PostgreSQL's own code for a server that can't serve yet. */
  readonly code = '57P03';

  constructor(hosts: readonly DatabaseHost[]) {
    super(`none of ${hosts.map(({ host, port }) => `${host}:${port}`).join(', ')} takes writes`);
    this.name = 'NoPrimary';
  }
}

/** Finds which of a database's hosts takes writes. @throws NoPrimary, or what a server answered */
export type Primary = () => Promise<DatabaseHost>;

interface Seen extends DatabaseHost {
  /** Grows by one with each promotion. */
  readonly timeline: number;
}

/**
 * The host is looked for at each connection, at most once a second. Of two that take writes, which is
 * so when a former primary comes back by mistake, the one that was promoted later is used; one from
 * before the newest promotion that this process saw, never.
 */
export function findPrimary(
  hosts: readonly DatabaseHost[],
  clock = () => performance.now(),
): Primary {
  let looking: { readonly found: Promise<Seen>; readonly at: number } | null = null;
  let newest = 0;

  async function look(): Promise<Seen> {
    const answers = await Promise.allSettled(hosts.map(askHost));
    const writable = answers.flatMap((answer) =>
      answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : [],
    );
    const [best] = writable.toSorted((left, right) => right.timeline - left.timeline);
    if (best === undefined || best.timeline < newest) throw refusalOf(answers, hosts);
    newest = best.timeline;
    return best;
  }

  return () => {
    if (looking !== null && clock() - looking.at < LOOK_EVERY_MS) return looking.found;
    looking = { found: look(), at: clock() };
    return looking.found;
  };
}

/** Null for a standby. */
async function askHost(host: DatabaseHost): Promise<Seen | null> {
  const sql = postgres(host.url, {
    max: 1,
    connect_timeout: PATIENCE_SECONDS,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'goalkeeper' },
  });
  try {
    const [row] = await sql`
      SELECT CASE WHEN pg_is_in_recovery() THEN NULL
        ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;
    return row?.timeline == null ? null : { ...host, timeline: Number(row.timeline) };
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** What a server itself answered says more than that none was found, such as a wrong password. */
function refusalOf(
  answers: readonly PromiseSettledResult<Seen | null>[],
  hosts: readonly DatabaseHost[],
): unknown {
  const said = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const own = said.find((error) => error instanceof postgres.PostgresError);
  return said.length === answers.length && own !== undefined ? own : new NoPrimary(hosts);
}
