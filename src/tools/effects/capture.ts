/** Keeps the head and the tail of an output and counts the rest. */
export class Capture {
  readonly #limit: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = Math.max(2, limit);
  }

  get total(): number {
    return this.#total;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = Math.ceil(this.#limit / 2) - this.#headBytes;
    const head = chunk.subarray(0, Math.max(0, room));
    if (head.length > 0) this.#head.push(head);
    this.#headBytes += head.length;
    this.#addTail(chunk.subarray(head.length));
  }

  bytes(): Buffer {
    const tail = Buffer.concat(this.#tail);
    const kept = tail.subarray(Math.max(0, tail.length - Math.floor(this.#limit / 2)));
    const left = this.#total - this.#headBytes - kept.length;
    const gap = left > 0 ? Buffer.from(`\n[… ${left} bytes left out …]\n`) : Buffer.alloc(0);
    return Buffer.concat([...this.#head, gap, kept]);
  }

  #addTail(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    if (this.#tailBytes < this.#limit * 2) return;
    const kept = Buffer.concat(this.#tail).subarray(-Math.floor(this.#limit / 2));
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
  }
}
