import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database, Executor } from '../client.ts';
import type { Row } from '../row.ts';

/** Small enough to block neither the driver nor the event loop. */
const CHUNK_BYTES = 256 * 1024;
/** A search finds a term across a cut if it isn't longer than this. */
const NEXT_HEAD_BYTES = 1024;

export interface StoredOutput {
  /** Names its pieces. */
  readonly ref: string;
  readonly outputBytes: number;
  readonly outputSha256: string;
}

/**
 * Stores an output before the row that references it: no lock is held meanwhile, and an output
 * orphaned by a crash stays unreferenced. A repeat finds its own pieces; where somebody else's stand
 * under this name, it takes another one.
 */
export async function storeOutput(
  db: Database,
  ref: string,
  output: Uint8Array,
): Promise<StoredOutput> {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  const digest = createHash('sha256').update(bytes).digest('hex');
  let free = ref;
  while (!(await storePieces(db, free, bytes))) free += '+';
  return { ref: free, outputBytes: bytes.length, outputSha256: digest };
}

/** @returns false where a piece of this name says something else */
async function storePieces(db: Database, ref: string, bytes: Buffer): Promise<boolean> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const end = start + CHUNK_BYTES;
    const content = bytes.subarray(start, end);
    const { count } = await db`
      INSERT INTO output_chunk (ref, start, content, next_head)
      VALUES (${ref}, ${start}, ${content}, ${bytes.subarray(end, end + NEXT_HEAD_BYTES)})
      ON CONFLICT (ref, start) DO NOTHING`;
    if (count === 0) {
      const [stands] = await db<Row<'output_chunk', 'content'>[]>`
        SELECT content FROM output_chunk WHERE ref = ${ref} AND start = ${start}`;
      if (stands === undefined || !content.equals(stands.content)) return false;
    }
    await setImmediate();
  }
  return true;
}

/**
 * One piece at a time, so that a large output costs its reader no more than a small one. A piece lies
 * at the place of its size alone: what somebody adds between two is read by nobody.
 */
export async function* readOutput(
  sql: Executor,
  ref: string,
  range: { readonly offset: number; readonly limit: number } = { offset: 0, limit: 2 ** 31 - 1 },
): AsyncGenerator<Buffer> {
  const end = range.offset + range.limit;
  for (let at = range.offset; at < end; ) {
    const [piece] = await sql<Row<'output_chunk', 'start' | 'content'>[]>`
      SELECT start, content FROM output_chunk
      WHERE ref = ${ref} AND start = ${Math.floor(at / CHUNK_BYTES) * CHUNK_BYTES}`;
    if (piece === undefined) return;
    const part = piece.content.subarray(at - piece.start, end - piece.start);
    if (part.length === 0) return;
    yield part;
    at += part.length;
  }
}
