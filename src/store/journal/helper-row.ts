import type { ProcessIdentity } from '../../contract/process-identity.ts';

/** Of `attempt`; all null where a join finds none, or the attempt has started no helper yet. */
export interface HelperRow {
  readonly host: string | null;
  readonly helper_pid: number | null;
  readonly helper_started_at: string | null;
  readonly helper_is_init: boolean | null;
}

export function helperOf(row: HelperRow): ProcessIdentity | null {
  const { host, helper_pid: pid, helper_started_at: startedAt, helper_is_init: isInit } = row;
  if (host === null || pid === null || startedAt === null) return null;
  return { host, pid, startedAt, isInit: isInit ?? false };
}
