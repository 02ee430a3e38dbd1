import type { MediaType } from '../../schema/attachment.ts';
import type { Size } from './format.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { readWebp } from './webp.ts';

/** What decoders would have to hold in memory is bounded by what the header declares. */
const MOST_PIXELS = 50_000_000;
const LONGEST_SIDE = 16_384;

export type ReadImage =
  | ({ readonly kind: 'image'; readonly mediaType: MediaType } & Size)
  | { readonly kind: 'broken'; readonly why: string };

const FORMATS = [
  { name: 'PNG', mediaType: 'image/png', begins: isPng, read: readPng },
  { name: 'JPEG', mediaType: 'image/jpeg', begins: isJpeg, read: readJpeg },
  { name: 'WebP', mediaType: 'image/webp', begins: isWebp, read: readWebp },
] as const;

/** What an image says of itself, judged from its first byte to its last; null = it is none. */
export function readImage(bytes: Uint8Array): ReadImage | null {
  const format = FORMATS.find(({ begins }) => begins(bytes));
  if (format === undefined) return null;
  const size = format.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const broken = (why: string): ReadImage => ({
    kind: 'broken',
    why: `is a ${format.name} image that ${why}`,
  });
  if ('why' in size) return broken(size.why);
  const { width, height } = size;
  if (width < 1 || height < 1) return broken('declares no size: save it again');
  if (width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_PIXELS) {
    const most = `${LONGEST_SIDE} pixels a side and ${MOST_PIXELS / 1_000_000} million in all`;
    return broken(`declares ${width} × ${height} pixels: at most ${most} are taken, so scale it`);
  }
  return { kind: 'image', mediaType: format.mediaType, width, height };
}

function isPng(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
}

function isJpeg(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0xff, 0xd8, 0xff]);
}

function isWebp(bytes: Uint8Array): boolean {
  return (
    startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) &&
    startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50])
  );
}

const startsWith = (bytes: Uint8Array, beginning: readonly number[]): boolean =>
  beginning.every((byte, at) => bytes[at] === byte);
