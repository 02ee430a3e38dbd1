import type { Sql } from 'postgres';
import { MigrationError } from './migration-error.ts';
import { withConnection } from './one-connection.ts';

/**
 * Does a connection keep its session at the server? A pooler that hands sessions on between
 * transactions loses what was prepared in them, so statements fail or stand. It shows while another
 * connection holds the session that this one had.
 * @throws MigrationError
 */
export async function assertOwnSession(databaseUrl: string, sql: Sql): Promise<void> {
  const own = await sessionOf(sql);
  await withConnection(databaseUrl, (other) =>
    other.begin(async (tx) => {
      await sessionOf(tx);
      if ((await sessionOf(sql)) !== own) throw isPooled();
    }),
  );
}

/** By the simple protocol, which prepares nothing. */
async function sessionOf(sql: Pick<Sql, 'unsafe'>): Promise<number> {
  const [row] = await sql.unsafe<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
  return row.pid;
}

const isPooled = () =>
  new MigrationError(
    'DATABASE_URL leads through a pooler that hands sessions on between transactions, and what is ' +
      'prepared in them is lost: pool by sessions (PgBouncer: pool_mode = session).',
  );
