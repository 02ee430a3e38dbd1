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

/** By its path in the home. */
export const isKeptOfHome = (path: string): boolean =>
  !LEFT_OUT.some((rule) => rule.test(firstOf(path)));

/**
 * What commands of goals write, and what is copied from there: any of it may be closed to the
 * service's own user, which keeps no other part from being copied.
 */
const OF_GOALS: readonly string[] = [
  ...['worktrees', 'sandbox', 'agents', 'checks', 'applies', 'proofs'],
];

/** By its path in the home. */
export const isOfGoals = (path: string): boolean => OF_GOALS.includes(firstOf(path));

const firstOf = (path: string): string => path.split('/')[0] ?? '';

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
