import { readFile } from 'node:fs/promises';
import type { Database } from '../../src/store/client.ts';

/** How often each kind of process was killed. */
export type Kills = Map<string, number>;

export const pause = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Kills one of the processes that `up` watches (workers, API, Temporal) or a backend of
 * PostgreSQL's: where one of those is killed all of them end, and the log is read again.
 *
 * @param random 0 to 1
 * @returns false where the one that was chosen is just coming back
 */
export async function killOne(
  up: { readonly pid: number; readonly sql: Database },
  counts: Kills,
  random: () => number = Math.random,
): Promise<boolean> {
  const pids = await children(up.pid);
  const at = Math.floor(random() * (pids.length + 1));
  const pid = at < pids.length ? pids[at] : await backend(up.sql).catch(() => undefined);
  if (pid === undefined) return false;
  const name = await nameOf(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return true;
}

export async function children(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return listed.split(' ').filter(Boolean).map(Number);
}

const nameOf = (pid: number) =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (text) =>
      (/temporal|worker|api|postgres/.exec(text.replaceAll('\0', ' ').slice(0, 600)) ?? [
        'other',
      ])[0],
    () => 'gone',
  );

async function backend(sql: Database): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1`;
  return row?.pid;
}
