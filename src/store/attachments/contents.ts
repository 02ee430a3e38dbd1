import { createHash } from 'node:crypto';
import type { AttachmentRef, GoalAttachment } from '../../../schema/attachment.ts';
import type { JudgedAttachment } from '../../contract/attachments.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Executor, Transaction } from '../client.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';

/** Whoever needs a content shares it; the sweep of unneeded ones has it alone. */
const LOCK = 7420_0023;

const holdContents = (tx: Transaction) => tx`SELECT pg_advisory_xact_lock_shared(${LOCK})`;

export const sweepAlone = (tx: Transaction) => tx`SELECT pg_advisory_xact_lock(${LOCK})`;

/** Stores contents that are not there yet; they stay until this transaction has ended. */
export async function keepContents(
  tx: Transaction,
  files: readonly JudgedAttachment[],
): Promise<void> {
  await holdContents(tx);
  for (const { sha256, content } of files) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    await tx`
      INSERT INTO attachment_content (sha256, content) VALUES (${sha256}, ${bytes})
      ON CONFLICT (sha256) DO NOTHING`;
  }
}

export interface Carrier {
  readonly goalId: string;
  readonly source: GoalAttachment['source'];
  /** Goal, message or call that brings them. */
  readonly sourceId: string;
}

/**
 * Makes files a part of the goal's record.
 * @throws Refusal invalid_request where a content has gone meanwhile
 */
export async function giveToGoal(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, source, sourceId }: Carrier,
  refs: readonly AttachmentRef[],
): Promise<void> {
  if (refs.length === 0) return;
  await holdContents(tx);
  const hashes = refs.map(({ sha256 }) => sha256);
  const kept = await tx<Row<'attachment_content', 'sha256'>[]>`
    SELECT sha256 FROM attachment_content WHERE sha256 IN ${tx(hashes)}`;
  const found = new Set(kept.map(({ sha256 }) => sha256));
  const gone = hashes.findIndex((hash) => !found.has(hash));
  if (gone >= 0) {
    const detail = `attachments: ${refs[gone]?.name} has expired: upload it again.`;
    throw new Refusal('invalid_request', detail, { field: `attachments.${gone}` });
  }
  const rows = refs.map((ref) => ({
    ...{ goal_id: goalId, sha256: ref.sha256, source, source_id: sourceId, ref: refOf(ref) },
  }));
  await addToGoal(tx, keys, rows);
}

type HeldFile = Row<'goal_attachment', 'goal_id' | 'sha256' | 'source' | 'source_id' | 'ref'>;

async function addToGoal(
  tx: Transaction,
  keys: LedgerKeys,
  rows: readonly HeldFile[],
): Promise<void> {
  for (const row of rows) {
    const seal = sealWritten(keys, 'goal_attachment', row);
    await tx`
      INSERT INTO goal_attachment ${tx({ ...row, ref: tx.json(storable(row.ref)), seal })}
      ON CONFLICT DO NOTHING`;
  }
}

/** The files of a goal's conversation belong to the goal that goes it on. */
export async function handAttachments(
  tx: Transaction,
  keys: LedgerKeys,
  from: string,
  to: string,
): Promise<void> {
  const rows = await tx<HeldFile[]>`
    SELECT goal_id, sha256, source, source_id, ref FROM goal_attachment
    WHERE goal_id = ${from} ORDER BY number`;
  await addToGoal(
    tx,
    keys,
    rows.map((row) => ({ ...row, goal_id: to })),
  );
}

/** What of a file is stored: nothing that only a request knows. */
export const refOf = (file: AttachmentRef): AttachmentRef => {
  const { sha256, name, mediaType, bytes, width, height } = file;
  const size = width === undefined || height === undefined ? {} : { width, height };
  return { sha256, name, mediaType, bytes, ...size };
};

type ContentRow = Row<'attachment_content', 'sha256' | 'content'>;

/** Contents that the goal holds. One that isn't what its hash says is none. */
export async function readContents(
  sql: Executor,
  goalId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (hashes.length === 0) return new Map();
  const rows = await sql<ContentRow[]>`
    SELECT c.sha256, c.content FROM attachment_content c
    WHERE c.sha256 IN ${sql(hashes as string[])} AND EXISTS (
      SELECT FROM goal_attachment g WHERE g.goal_id = ${goalId} AND g.sha256 = c.sha256)`;
  return new Map(
    rows
      .filter(({ sha256, content }) => hashOf(content) === sha256)
      .map(({ sha256, content }) => [sha256, content]),
  );
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
