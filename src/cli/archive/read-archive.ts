import { createHash } from 'node:crypto';
import type { z } from 'zod';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveEnd,
  type ArchiveHeader,
  type ArchiveRecord,
  archiveEndSchema,
  archiveHeaderSchema,
  archiveRecordSchema,
} from '../../../schema/goal-archive.ts';
import { firstMisfit, tellMisfit } from '../../../schema/misfits.ts';
import { ArchiveRefused } from './archive-refused.ts';

/** Longer lines are nobody's archive. */
const MOST_LINE = 64 * 1024 * 1024;
/** What the first line, which says what the file is, takes at most. */
const MOST_HEADER = 4096;

/**
 * The records of an archive in their order, the first line before them. What was cut off or edited
 * shows at the end, so nothing may be told before that.
 * @throws ArchiveRefused
 */
export async function* archiveRecords(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchiveHeader | ArchiveRecord> {
  const digest = createHash('sha256');
  let header: ArchiveHeader | null = null;
  let end: ArchiveEnd | null = null;
  let count = 0;
  for await (const line of linesOf(bytes)) {
    if (end !== null) throw new ArchiveRefused('altered', 'something stands behind its last line');
    if (header === null) {
      header = headerOf(line);
      digest.update(line);
      yield header;
      continue;
    }
    const value = jsonOf(line, count + 2);
    if ((value as { kind?: unknown } | null)?.kind === 'end') {
      end = parsed(archiveEndSchema, value, count + 2);
      if (end.records !== count || end.sha256 !== digest.digest('hex')) {
        throw new ArchiveRefused('altered', 'it is not what was written: its SHA-256 is another');
      }
      continue;
    }
    count += 1;
    digest.update(line);
    yield parsed(archiveRecordSchema, value, count + 1);
  }
  if (header === null) throw new ArchiveRefused('no_archive', 'it is empty');
  if (end === null) throw new ArchiveRefused('cut_off', `it ends in line ${count + 1}`);
}

function headerOf(line: Buffer): ArchiveHeader {
  let value: { format?: unknown; version?: unknown; by?: unknown } | null = null;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    // Told below.
  }
  if (value?.format !== ARCHIVE_FORMAT) {
    throw new ArchiveRefused('no_archive', 'it is no archive of a goal');
  }
  if (typeof value.version === 'number' && value.version > ARCHIVE_VERSION) {
    const by = typeof value.by === 'string' ? ` by Goalkeeper ${value.by.slice(0, 40)}` : '';
    throw new ArchiveRefused(
      'too_new',
      `it is written${by} in format ${value.version}, and this version reads ${ARCHIVE_VERSION}`,
    );
  }
  return parsed(archiveHeaderSchema, value, 1);
}

function jsonOf(line: Buffer, number: number): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    throw new ArchiveRefused('altered', `line ${number} is not JSON`);
  }
}

function parsed<Value>(schema: z.ZodType<Value>, value: unknown, number: number): Value {
  const { error, data } = schema.safeParse(value);
  if (error === undefined) return data as Value;
  throw new ArchiveRefused('altered', `line ${number}: ${tellMisfit(firstMisfit(error))}`);
}

/** Each with its end; a last one without an end is cut off. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let [parts, held, number]: [Uint8Array[], number, number] = [[], 0, 1];
  for await (const piece of bytes) {
    let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      yield Buffer.concat([...parts, rest.subarray(0, at + 1)]);
      rest = rest.subarray(at + 1);
      [parts, held, number] = [[], 0, number + 1];
    }
    parts.push(rest);
    held += rest.byteLength;
    if (number === 1 && held > MOST_HEADER) {
      throw new ArchiveRefused('no_archive', 'it is no archive of a goal');
    }
    if (held > MOST_LINE) {
      throw new ArchiveRefused('altered', `line ${number} is longer than any that is written`);
    }
  }
  if (held === 0) return;
  if (number === 1) throw new ArchiveRefused('no_archive', 'it is no archive of a goal');
  throw new ArchiveRefused('cut_off', `it ends within line ${number}`);
}
