import type { ProcessIdentity } from '../../contract/process-identity.ts';
import type { OuterRow } from '../row.ts';

/** Helper columns of `attempt`; all null when a join finds none or the helper hasn't started. */
export type HelperRow = OuterRow<
  'attempt',
  'host' | 'helper_pid' | 'helper_started_at' | 'helper_is_init'
>;

export function helperOf(row: HelperRow): ProcessIdentity | null {
  const { host, helper_pid: pid, helper_started_at: startedAt, helper_is_init: isInit } = row;
  if (host === null || pid === null || startedAt === null) return null;
  return { host, pid, startedAt, isInit: isInit ?? false };
}
