import { crc32 } from 'node:zlib';
import type { ReadFormat, Size } from './format.ts';

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const AROUND = 12;
/** Encoders write pieces of some kilobytes; more of them only cost whoever reads them. */
const MOST_CHUNKS = 20_000;

/** Walks every chunk, with its checksum, up to the end mark, which has to be the end. */
export function readPng(bytes: Buffer): ReadFormat {
  let size: Size | null = null;
  let hasPixels = false;
  let chunks = 0;
  for (let at = SIGNATURE_BYTES; at + AROUND <= bytes.length; ) {
    chunks += 1;
    if (chunks > MOST_CHUNKS)
      return { why: 'has more pieces than any encoder writes: save it again' };
    const length = bytes.readUInt32BE(at);
    const end = at + AROUND + length;
    if (end > bytes.length) break;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const sum = bytes.readUInt32BE(end - 4);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== sum) return { why: DAMAGED };
    if (size === null) {
      if (type !== 'IHDR' || length !== 13) return { why: DAMAGED };
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    hasPixels ||= type === 'IDAT' && length > 0;
    if (type === 'IEND') return ended(bytes, end, hasPixels ? size : null);
    at = end;
  }
  return { why: 'breaks off before its end: send the whole file' };
}

const DAMAGED = 'is damaged: a checksum or its header is wrong; save it again';

function ended(bytes: Buffer, end: number, size: Size | null): ReadFormat {
  if (size === null) return { why: 'holds no pixels: save it again' };
  if (end === bytes.length) return size;
  return { why: `has ${bytes.length - end} bytes of something else behind its end: save it again` };
}
