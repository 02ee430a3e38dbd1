import { randomBytes } from 'node:crypto';
import type { AttachmentRef, GoalAttachment } from '../../../schema/attachment.ts';
import type { AttachmentsPort } from '../../contract/attachments.ts';
import { Refusal } from '../../contract/failures.ts';
import { type Database, type Executor, type Transaction, withTypedErrors } from '../client.ts';
import { storable } from '../json.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';
import { keepContents, readContents, refOf, sweepAlone } from './contents.ts';

const EXPIRES_AFTER = '1 day';
/** Of one owner, not yet expired. */
const MOST_UPLOADS = 200;
const MOST_BYTES = 200 * 1024 * 1024;
const SWEPT_AT_ONCE = 100;

/** @param reads the same record, by a user that only reads */
export function createAttachments({ sql: db }: Store, reads: Store): AttachmentsPort {
  return withTypedErrors<AttachmentsPort>({
    keep(file, owner) {
      const attachmentId = `at-${randomBytes(8).toString('hex')}`;
      return db.begin(async (tx) => {
        await assertRoom(tx, owner, file.bytes);
        await keepContents(tx, [file]);
        const ref = refOf(file);
        const [row] = await tx<[{ expires_at: string }]>`
          INSERT INTO attachment (attachment_id, created_by, sha256, ref, bytes, expires_at)
          VALUES (${attachmentId}, ${owner}, ${ref.sha256}, ${tx.json(storable(ref))}, ${ref.bytes},
            now() + ${EXPIRES_AFTER}::interval)
          RETURNING expires_at`;
        return { attachmentId, ...ref, expiresAt: row.expires_at };
      });
    },

    async find(ids, owner) {
      if (ids.length === 0) return new Map();
      const rows = await db<Row<'attachment', 'attachment_id' | 'ref'>[]>`
        SELECT attachment_id, ref FROM attachment
        WHERE attachment_id IN ${db(ids as string[])} AND created_by = ${owner}
          AND expires_at > now()`;
      return new Map(rows.map(({ attachment_id: id, ref }) => [id, ref]));
    },

    ofGoal: (goalId) => readGoalAttachments(reads.sql, goalId),

    async content(goalId, sha256) {
      const [row] = await reads.sql<Row<'goal_attachment', 'ref'>[]>`
        SELECT ref FROM goal_attachment WHERE goal_id = ${goalId} AND sha256 = ${sha256}
        ORDER BY number LIMIT 1`;
      const content = (await readContents(reads.sql, goalId, [sha256])).get(sha256);
      return row === undefined || content === undefined ? null : { ...row.ref, content };
    },
  });
}

/** Uploads of one owner run one at a time, so that none slips past the bound. */
async function assertRoom(tx: Transaction, owner: string, bytes: number): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`uploads ${owner}`}, 0))`;
  const [held] = await tx<[{ files: number; bytes: number }]>`
    SELECT count(*)::int AS files, coalesce(sum(bytes), 0)::bigint AS bytes FROM attachment
    WHERE created_by = ${owner} AND expires_at > now()`;
  if (held.files < MOST_UPLOADS && held.bytes + bytes <= MOST_BYTES) return;
  const most = `${MOST_UPLOADS} files or ${MOST_BYTES / 1024 / 1024} MB`;
  throw new Refusal('rate_limited', `You uploaded ${most} within a day: wait until some expire.`, {
    files: held.files,
    bytes: held.bytes,
  });
}

type HeldRow = Row<'goal_attachment', 'source' | 'source_id' | 'ref' | 'added_at'>;

/** Each file once, where it came first; oldest first. */
export async function readGoalAttachments(
  sql: Executor,
  goalId: string,
): Promise<readonly GoalAttachment[]> {
  const rows = await sql<HeldRow[]>`
    SELECT source, source_id, ref, added_at FROM (
      SELECT DISTINCT ON (sha256) source, source_id, ref, added_at, number FROM goal_attachment
      WHERE goal_id = ${goalId} ORDER BY sha256, number) g
    ORDER BY number`;
  return rows.map(({ source, source_id: id, ref, added_at: at }) => ({
    ...ref,
    source,
    ...(source === 'call' ? { callId: id } : {}),
    at,
  }));
}

/** Their references as a JSON array, in order; one that came twice stands there twice. */
export const peoplesAttachments = (sql: Executor, goalId: string) => sql`
  (SELECT coalesce(jsonb_agg(ref ORDER BY number), '[]') FROM goal_attachment
    WHERE goal_id = ${goalId} AND source <> 'call')`;

export const eachOnce = (refs: readonly AttachmentRef[]): readonly AttachmentRef[] => [
  ...new Map(refs.map((ref) => [ref.sha256, ref])).values(),
];

/** Deletes uploads that expired, and contents that neither an upload nor a goal needs. */
export async function sweepAttachments(db: Database): Promise<void> {
  await db.begin(async (tx) => {
    await sweepAlone(tx);
    await tx`
      DELETE FROM attachment WHERE attachment_id IN (
        SELECT attachment_id FROM attachment WHERE expires_at < now() LIMIT ${SWEPT_AT_ONCE})`;
    await tx`
      DELETE FROM attachment_content WHERE sha256 IN (
        SELECT c.sha256 FROM attachment_content c
        WHERE NOT EXISTS (SELECT FROM attachment a WHERE a.sha256 = c.sha256)
          AND NOT EXISTS (SELECT FROM goal_attachment g WHERE g.sha256 = c.sha256)
        LIMIT ${SWEPT_AT_ONCE})`;
  });
}
