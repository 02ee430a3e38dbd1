import type { SecurityEntry } from '../../../schema/security-log.ts';
import type { NewSecurityEntry, SecurityLogPort } from '../../contract/security-log.ts';
import { type Executor, withTypedErrors } from '../client.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { storable, storableText } from '../json.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';

/** Callers choose paths and names, so a flood of long ones is cut. */
const LONGEST = 300;

export async function addToSecurityLog(db: Executor, entry: NewSecurityEntry): Promise<void> {
  const { who, role, address, what, result, data } = entry;
  const subject = entry.subject === null ? null : storableText(entry.subject.slice(0, LONGEST));
  await db`
    INSERT INTO security_log (who, role, address, what, subject, result, data)
    VALUES (${who}, ${role}, ${address}, ${what}, ${subject}, ${result}, ${db.json(storable(data))})`;
}

type EntryRow = Row<
  'security_log',
  'seq' | 'at' | 'who' | 'role' | 'address' | 'what' | 'subject' | 'result' | 'data'
>;

export function createSecurityLog({
  store,
  reads,
}: {
  readonly store: Store;
  readonly reads: Store;
}): SecurityLogPort {
  return withTypedErrors<SecurityLogPort>({
    add: (entry) => addToSecurityLog(store.sql, entry),

    async page({ cursor, limit }) {
      const [before] = decodeCursor(cursor, 1) ?? [];
      const isBehind = Number.isSafeInteger(before);
      const rows = await reads.sql<EntryRow[]>`
        SELECT seq, at, who, role, address, what, subject, result, data FROM security_log
        WHERE ${isBehind ? reads.sql`seq < ${Number(before)}` : reads.sql`true`}
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
