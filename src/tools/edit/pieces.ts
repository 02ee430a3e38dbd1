/** Short pieces of text share buckets, which makes a bound by them a little lower and never wrong. */
export const BUCKETS = 4096;
/** Characters of a piece: one edit changes that many pieces at most. */
export const PIECE = 3;

/** The buckets of a line's pieces; those across a line's end are left out, which lowers the bound. */
export function piecesOf(line: string): Uint16Array {
  const pieces = new Uint16Array(Math.max(0, line.length - PIECE + 1));
  let piece = 0;
  for (let at = 0; at < line.length; at += 1) {
    piece = ((piece << 9) ^ line.charCodeAt(at)) & 0x7ffffff;
    if (at >= PIECE - 1) pieces[at - PIECE + 1] = Math.imul(piece, 0x9e3779b1) >>> 20;
  }
  return pieces;
}
