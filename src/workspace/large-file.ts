import { closeSync } from 'node:fs';
import { type OpenFile, openResolvedFile, readPiece } from './regular-file.ts';
import { whyNoText } from './text-file.ts';

const PIECE_BYTES = 256 * 1024;
/** The limit of one line; the rest of the line is skipped. */
const MAX_LINE_BYTES = 32 * 1024;
const PATIENCE_MS = 10_000;
const FEED = 0x0a;

export interface PartOfFile {
  readonly lines: readonly string[];
  readonly hasMore: boolean;
}

/**
 * Reads lines of a file of any size in bounded memory: piece by piece, and at most `maxBytes` of
 * the wanted lines. A string says why there are none.
 *
 * @param first from 1
 */
export async function readPart(
  absolute: string,
  wanted: { readonly first: number; readonly limit: number; readonly maxBytes: number },
  signal: AbortSignal,
): Promise<PartOfFile | string> {
  const file = openResolvedFile(absolute);
  if (file === null) return 'does not exist';
  try {
    return await collect(file, wanted, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
  } finally {
    closeSync(file.descriptor);
  }
}

async function collect(
  file: OpenFile,
  { first, limit, maxBytes }: Parameters<typeof readPart>[1],
  signal: AbortSignal,
): Promise<PartOfFile | string> {
  const lines = new Lines(first, limit, maxBytes);
  for (let at = 0; !lines.isFull; ) {
    if (signal.aborted) return `is so large that line ${first} was not reached in time`;
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    const bytesRead = await readPiece(file, buffer, at);
    if (bytesRead === 0) return lines.atEnd();
    const piece = buffer.subarray(0, bytesRead);
    const reason = at === 0 || lines.hasBegun ? whyNoText(piece) : null;
    if (reason !== null) return reason;
    lines.add(piece);
    at += bytesRead;
  }
  return { lines: lines.taken, hasMore: true };
}

class Lines {
  readonly taken: string[] = [];
  readonly #first: number;
  readonly #limit: number;
  #room: number;
  #line = 1;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #isUnended = false;

  constructor(first: number, limit: number, maxBytes: number) {
    this.#first = first;
    this.#limit = limit;
    this.#room = maxBytes;
  }

  get isFull(): boolean {
    return this.taken.length >= this.#limit || this.#room <= 0;
  }

  get hasBegun(): boolean {
    return this.#line >= this.#first;
  }

  add(piece: Buffer): void {
    this.#isUnended = piece.at(-1) !== FEED;
    for (let at = 0; at < piece.length && !this.isFull; ) {
      const feed = piece.indexOf(FEED, at);
      const end = feed === -1 ? piece.length : feed;
      if (this.hasBegun) this.#keep(piece.subarray(at, end));
      if (feed === -1) return;
      this.#endLine();
      at = feed + 1;
    }
  }

  atEnd(): PartOfFile | string {
    if (this.#isUnended) this.#endLine();
    if (this.taken.length === 0) return `has only ${this.#line - 1} lines`;
    return { lines: this.taken, hasMore: false };
  }

  #keep(part: Buffer): void {
    const room = Math.max(0, MAX_LINE_BYTES - this.#pendingBytes);
    this.#pendingBytes += part.length;
    if (room > 0) this.#pending.push(Buffer.from(part.subarray(0, room)));
  }

  #endLine(): void {
    if (this.hasBegun) {
      const bytes = Buffer.concat(this.#pending);
      this.taken.push(bytes.toString('utf8').replace(/\r$/, ''));
      this.#room -= bytes.length;
    }
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#line += 1;
  }
}
