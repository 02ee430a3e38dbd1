import type { SecurityEntry } from '../../../schema/security-log.ts';
import type { SecurityLogPort } from '../../contract/security-log.ts';
import { withTypedErrors } from '../client.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { addToSecurityLog } from '../ledger/security-entries.ts';
import { verifySecurityLog } from '../ledger/security-verify.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';

type EntryRow = Row<
  'security_log',
  'seq' | 'at' | 'who' | 'role' | 'address' | 'what' | 'subject' | 'result' | 'data'
>;

export function createSecurityLog({
  store,
  reads,
  keys,
}: {
  readonly store: Store;
  readonly reads: Store;
  readonly keys: LedgerKeys;
}): SecurityLogPort {
  return withTypedErrors<SecurityLogPort>({
    add: (entry) => addToSecurityLog(store.sql, keys, entry),
    verify: () => verifySecurityLog(reads.sql, keys),

    // Never a copy that lags behind: what was taken back shows nothing from then on.
    async about(subject, what) {
      const rows = await store.sql<EntryRow[]>`
        SELECT seq, at, who, role, address, what, subject, result, data FROM security_log
        WHERE subject = ${subject} AND what IN ${store.sql([...what])}
        ORDER BY seq`;
      return rows as readonly SecurityEntry[];
    },

    async page({ cursor, limit, what, who, result }) {
      const [before] = decodeCursor(cursor, ['long']) ?? [Number.MAX_SAFE_INTEGER];
      const rows = await reads.sql<EntryRow[]>`
        SELECT seq, at, who, role, address, what, subject, result, data FROM security_log
        WHERE seq < ${before}
          ${what === undefined ? reads.sql`` : reads.sql`AND what = ${what}`}
          ${who === undefined ? reads.sql`` : reads.sql`AND who = ${who}`}
          ${result === undefined ? reads.sql`` : reads.sql`AND result = ${result}`}
        ORDER BY seq DESC LIMIT ${limit + 1}`;
      return pageOf(
        rows,
        limit,
        (row) => row as SecurityEntry,
        (row) => [row.seq],
      );
    },
  });
}
