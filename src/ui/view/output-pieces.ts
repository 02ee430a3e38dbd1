import { bytes } from './format.ts';

/** The size of one request, so that a 20 MB output is loaded only as far as it is read. */
export const PIECE_BYTES = 128 * 1024;

/** The offset of the last piece. */
export const lastPiece = (total: number): number =>
  Math.floor(Math.max(0, total - 1) / PIECE_BYTES) * PIECE_BYTES;

/** The piece at this place; null = the output has none there. */
export const pieceAt = (offset: number, total: number): number | null =>
  offset >= 0 && offset < total ? offset : null;

/** Which part of the output the loaded pieces are: `128 KB of 20 MB`, `the last 20 KB of 20 MB`. */
export function rangeText(offsets: readonly number[], total: number): string {
  const first = offsets[0];
  const last = offsets.at(-1);
  if (first === undefined || last === undefined) return bytes(total);
  const read = Math.min(total, last + PIECE_BYTES) - first;
  return `${first > 0 ? 'the last ' : ''}${bytes(read)} of ${bytes(total)}`;
}
