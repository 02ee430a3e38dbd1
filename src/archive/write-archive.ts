import { createHash } from 'node:crypto';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveHeader,
  type ArchiveRecord,
} from '../../schema/goal-archive.ts';

/** The lines of an archive, each with its end. */
export async function* archiveLines(
  { goalId, at, by }: Pick<ArchiveHeader, 'goalId' | 'at' | 'by'>,
  records: AsyncIterable<ArchiveRecord>,
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const lineOf = (value: object): string => {
    const text = `${JSON.stringify(value)}\n`;
    digest.update(text);
    return text;
  };
  const header: ArchiveHeader = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    goalId,
    at,
    by,
  };
  yield lineOf(header);
  let count = 0;
  for await (const record of records) {
    count += 1;
    yield lineOf(record);
  }
  yield `${JSON.stringify({ kind: 'end', records: count, sha256: digest.digest('hex') })}\n`;
}

const PIECE = 256 * 1024;

/** Bytes as they are, in pieces of one line each: text where they are text. */
export async function* byteRecords(
  of: 'output' | 'attachment',
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchiveRecord> {
  let [held, at] = [Buffer.alloc(0), 0];
  const record = (piece: Buffer): ArchiveRecord => {
    const text = piece.toString('utf8');
    const value = Buffer.from(text).equals(piece) ? { text } : { base64: piece.toString('base64') };
    const made: ArchiveRecord = { kind: 'bytes', of, name, at, value };
    at += piece.byteLength;
    return made;
  };
  for await (const part of bytes) {
    held = Buffer.concat([held, part]);
    while (held.byteLength > PIECE) {
      const end = signBefore(held, PIECE);
      yield record(held.subarray(0, end));
      held = held.subarray(end);
    }
  }
  if (held.byteLength > 0) yield record(held);
}

/** The last place up to `end` where no sign of UTF-8 is split. */
function signBefore(bytes: Buffer, end: number): number {
  for (let at = end; at > end - 4; at -= 1) {
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at;
  }
  return end;
}
