import { StringDecoder } from 'node:string_decoder';
import type { Skipped } from '../../contract/effects.ts';

/** The most bytes of new output that a piece shows. */
const SHOWN_BYTES = 16 * 1024;
/** The bytes before the piece that are still searched for secrets; no secret is longer. */
const CONTEXT_BYTES = 16 * 1024;

export interface Piece {
  readonly text: string;
  readonly skipped?: Skipped;
}

/**
 * The newest output of a command. The masker also gets the output before a cut, because the rest
 * of a secret without its beginning looks like any other text.
 */
export class LiveTail {
  #decoder = new StringDecoder('utf8');
  #pending: Buffer[] = [];
  #bytes = 0;
  #isWhole = true;

  add(chunk: Buffer): void {
    this.#pending.push(chunk);
    this.#bytes += chunk.length;
    const most = SHOWN_BYTES + CONTEXT_BYTES;
    if (this.#bytes < 2 * most) return;
    this.#pending = [Buffer.from(Buffer.concat(this.#pending).subarray(-most))];
    this.#bytes = most;
    this.#isWhole = false;
  }

  /** Null where nothing came. */
  take(): Piece | null {
    if (this.#bytes === 0) return null;
    const bytes = Buffer.concat(this.#pending);
    const isWhole = this.#isWhole;
    this.#pending = [];
    this.#bytes = 0;
    this.#isWhole = true;
    // The decoder's partial character belongs to bytes that were dropped.
    if (!isWhole) this.#decoder = new StringDecoder('utf8');
    if (isWhole && bytes.length <= SHOWN_BYTES) return { text: this.#decoder.write(bytes) };
    const cut = lineStart(bytes, bytes.length - SHOWN_BYTES);
    const before = this.#decoder.write(bytes.subarray(0, cut));
    return {
      text: this.#decoder.write(bytes.subarray(cut)),
      skipped: { text: before, isWhole },
    };
  }
}

/** Behind the next end of a line, where something comes after it. */
function lineStart(bytes: Buffer, from: number): number {
  const start = bytes.indexOf(0x0a, from) + 1;
  return start === 0 || start === bytes.length ? from : start;
}
