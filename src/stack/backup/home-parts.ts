/**
 * What of a home is no part of a backup, by its name there: the database, which is copied as
 * PostgreSQL says; Temporal's store, which would belong to another moment and is made anew; what is
 * fetched or built again; and what one run left for the next.
 */
const LEFT_OUT: readonly RegExp[] = [
  /^postgres(-folder|-initial-password|-\d.*|\..*)?$/,
  /^temporal\.(db(-wal|-shm)?|pid)$/,
  /^(bin|setups|seeds|fresh|mcp|tmp)$/,
  /^(run\.json|up\.lock.*|restoring)$/,
  /\.(log|tmp|partial|unfinished)$/,
];

export const isKeptOfHome = (name: string): boolean => !LEFT_OUT.some((rule) => rule.test(name));

/**
 * What PostgreSQL makes anew of a data folder, or what belongs to a running server; of `pg_wal` the
 * pieces since the backup began are added by themselves.
 */
const EMPTY_FOLDERS = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'],
  ...['pg_stat_tmp', 'pg_subtrans'],
]);
const OF_A_RUN =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|pg_internal\.init.*|pgsql_tmp.*)$/;

/** By its path in the data folder. */
export function isKeptOfData(path: string): boolean {
  const [first = '', second] = path.split('/');
  if (EMPTY_FOLDERS.has(first) && second !== undefined) return path === 'pg_wal/archive_status';
  return !OF_A_RUN.test(path.split('/').at(-1) ?? '');
}
