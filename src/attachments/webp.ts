import type { ReadFormat, Size } from './format.ts';

const HEADER_BYTES = 12;
const IS_ANIMATED = 0x02;
/** A still picture has a handful. */
const MOST_CHUNKS = 1_000;

/** Walks every chunk of the container, which has to end where its header says. */
export function readWebp(bytes: Buffer): ReadFormat {
  if (bytes.length < HEADER_BYTES + 8) return { why: BROKEN_OFF };
  const end = bytes.readUInt32LE(4) + 8;
  if (end > bytes.length) return { why: BROKEN_OFF };
  if (end < bytes.length) {
    const left = bytes.length - end;
    return { why: `has ${left} bytes of something else behind its end: save it again` };
  }
  let canvas: Size | null = null;
  let picture: Size | null = null;
  let chunks = 0;
  for (let at = HEADER_BYTES; at < end; ) {
    chunks += 1;
    if (at + 8 > end || chunks > MOST_CHUNKS) return { why: DAMAGED };
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length) return { why: BROKEN_OFF };
    if (type === 'VP8X' && data.length >= 10) {
      if (((data[0] ?? 0) & IS_ANIMATED) !== 0) return { why: ANIMATED };
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    }
    if (type === 'ANMF') return { why: ANIMATED };
    if (type === 'VP8 ' || type === 'VP8L') {
      picture ??= type === 'VP8 ' ? lossySize(data) : losslessSize(data);
      if (picture === null) return { why: DAMAGED };
    }
    at += 8 + length + (length % 2);
  }
  if (picture === null) return { why: 'holds no pixels: save it again' };
  const isSame =
    canvas === null || (canvas.width === picture.width && canvas.height === picture.height);
  return isSame ? picture : { why: DAMAGED };
}

const BROKEN_OFF = 'breaks off before its end: send the whole file';
const DAMAGED = 'is damaged: save it again';
const ANIMATED = 'is animated, which models are not shown: save one picture of it';

function lossySize(data: Buffer): Size | null {
  const isKeyFrame = data.length >= 10 && ((data[0] ?? 1) & 1) === 0;
  if (!isKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a) return null;
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

function losslessSize(data: Buffer): Size | null {
  if (data.length < 5 || data[0] !== 0x2f) return null;
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
