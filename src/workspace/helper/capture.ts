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
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const kept = tail.subarray(Math.max(0, tail.length - Math.floor(this.#limit / 2)));
    if (head.length + kept.length === this.#total) return Buffer.concat([head, kept]);
    const [first, last] = [wholeHead(head), wholeTail(kept)];
    const left = this.#total - first.length - last.length;
    return Buffer.concat([first, Buffer.from(`\n[… ${left} bytes left out …]\n`), last]);
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

/** The most bytes to drop so that a cut falls on a line's end and leaves no half word. */
const MOST_CUT = 4096;
const FEED = 0x0a;

function wholeHead(head: Buffer): Buffer {
  const end = head.lastIndexOf(FEED) + 1;
  return head.length - end > MOST_CUT || end === 0 ? head : head.subarray(0, end);
}

function wholeTail(tail: Buffer): Buffer {
  const start = tail.indexOf(FEED) + 1;
  return start > MOST_CUT ? tail : tail.subarray(start);
}
