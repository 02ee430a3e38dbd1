import type { ReadFormat, Size } from './format.ts';

/** Frames that hold a size; the three others in their range are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a length: restarts, and one that nobody writes. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const END = 0xd9;
const SCAN = 0xda;

/**
 * Walks every segment up to the end mark. Cameras put more pictures of the same kind behind it
 * (previews, brightness of bright screens); anything else there is refused.
 */
export function readJpeg(bytes: Buffer): ReadFormat {
  let first: Size | null = null;
  for (let at = 0; at < bytes.length; ) {
    const isPicture = bytes[at] === 0xff && bytes[at + 1] === 0xd8 && bytes[at + 2] === 0xff;
    if (first !== null && !isPicture) {
      const left = bytes.length - at;
      return { why: `has ${left} bytes of something else behind its end: save it again` };
    }
    const picture = readPicture(bytes, at + 2);
    if ('why' in picture) return picture;
    first ??= picture;
    at = picture.end;
  }
  return first ?? { why: BROKEN_OFF };
}

const BROKEN_OFF = 'breaks off before its end: send the whole file';
const DAMAGED = 'is damaged: save it again';

function readPicture(
  bytes: Buffer,
  start: number,
): (Size & { readonly end: number }) | { readonly why: string } {
  let size: Size | null = null;
  let hasScan = false;
  for (let at = start; ; ) {
    if (bytes[at] !== 0xff) return { why: at >= bytes.length ? BROKEN_OFF : DAMAGED };
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    at += 1;
    if (marker === undefined) return { why: BROKEN_OFF };
    if (marker === END) return size && hasScan ? { ...size, end: at } : { why: 'holds no pixels' };
    if (isBare(marker)) continue;
    if (marker === 0x00 || marker === 0xd8) return { why: DAMAGED };
    if (at + 2 > bytes.length) return { why: BROKEN_OFF };
    const length = bytes.readUInt16BE(at);
    if (at + length > bytes.length) return { why: BROKEN_OFF };
    if (length < 2 || (isFrame(marker) && length < 8)) return { why: DAMAGED };
    if (isFrame(marker)) {
      size ??= { width: bytes.readUInt16BE(at + 5), height: bytes.readUInt16BE(at + 3) };
    }
    at += length;
    if (marker !== SCAN) continue;
    hasScan = true;
    at = endOfScan(bytes, at);
    if (at < 0) return { why: BROKEN_OFF };
  }
}

/** Where the next marker stands behind coded pixels; -1 = there is none. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return -1;
    const isData = next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  return -1;
}
