/** Bounds what one call may compare: about a nanosecond or two a unit. */
export class Effort {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  spend(units: number): void {
    this.#left -= units;
  }
}

/** The most edits between two texts that are at least `least` similar. */
export function mostEdits(longest: number, least: number): number {
  return Math.floor((1 - least) * longest + 1e-9);
}

/** A part of a text, compared where it stands. */
export interface Part {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * 1 − edit distance ÷ length of the longer text, or null when that is below `least`: then the
 * exact value costs more than it is worth.
 */
export function similarity(
  wanted: Pattern,
  part: Part,
  least: number,
  effort = new Effort(Number.POSITIVE_INFINITY),
): number | null {
  const length = part.end - part.start;
  const longest = Math.max(wanted.length, length);
  if (longest === 0) return 1;
  const most = mostEdits(longest, least);
  if (Math.abs(wanted.length - length) > most) return null;
  const distance = wanted.distance(part, most, effort);
  return distance === null ? null : 1 - distance / longest;
}

const BITS = 32;
const TOP = 1 << (BITS - 1);

/**
 * Levenshtein by Myers' bit vectors, in blocks of 32 rows, of which only those near the diagonal
 * are looked at. Made once for a text that is compared with many others.
 */
export class Pattern {
  readonly length: number;
  readonly #blocks: number;
  readonly #equal = new Map<number, Int32Array>();
  readonly #nothing: Int32Array;
  readonly #columns: Columns;

  constructor(text: string) {
    this.length = text.length;
    this.#blocks = Math.max(1, Math.ceil(text.length / BITS));
    this.#nothing = new Int32Array(this.#blocks);
    this.#columns = new Columns(this.#blocks);
    for (let row = 0; row < text.length; row += 1) {
      const code = text.charCodeAt(row);
      const rows = this.#equal.get(code) ?? new Int32Array(this.#blocks);
      this.#equal.set(code, rows);
      const block = Math.floor(row / BITS);
      rows[block] = (rows[block] as number) | (1 << (row % BITS));
    }
  }

  /** Null when it is more than `most`, or the effort is spent. */
  distance({ text, start, end }: Part, most: number, effort: Effort): number | null {
    if (this.length === 0 || start === end) return Math.max(this.length, end - start);
    const columns = this.#columns;
    columns.begin(most);
    for (let at = start; at < end; at += 1) {
      const equal = this.#equal.get(text.charCodeAt(at)) ?? this.#nothing;
      effort.spend(columns.advance(equal, at - start));
      if (effort.isSpent || columns.least > most) return null;
    }
    const distance = columns.valueAt(this.length);
    return distance > most ? null : distance;
  }
}

/** A column of the table, moved along: per block its steps up and down, and the value in its last row. */
class Columns {
  readonly #up: Int32Array;
  readonly #down: Int32Array;
  readonly #values: Int32Array;
  #most = 0;
  #last = -1;
  /** No value of the column is less. */
  least = 0;

  constructor(blocks: number) {
    this.#up = new Int32Array(blocks);
    this.#down = new Int32Array(blocks);
    this.#values = new Int32Array(blocks);
  }

  begin(most: number): void {
    this.#most = most;
    this.#last = -1;
    this.least = 0;
  }

  /** @returns how many blocks were looked at */
  advance(equal: Int32Array, column: number): number {
    const first = Math.max(0, Math.floor((column - this.#most) / BITS));
    const last = Math.min(equal.length - 1, Math.floor((column + this.#most + 1) / BITS));
    while (this.#last < last) this.#enter(column);
    let carry = 1;
    let least = Number.POSITIVE_INFINITY;
    for (let block = first; block <= last; block += 1) {
      carry = this.#step(block, equal[block] as number, carry);
      const value = (this.#values[block] as number) + carry;
      this.#values[block] = value;
      if (value - BITS + 1 < least) least = value - BITS + 1;
    }
    this.least = least;
    return last - first + 1;
  }

  /** The value in a row, counted from 1: what stands below it in its block is taken back. */
  valueAt(row: number): number {
    const block = Math.floor((row - 1) / BITS);
    let value = this.#values[block] as number;
    for (let bit = BITS - 1; bit > (row - 1) % BITS; bit -= 1) {
      const mask = 1 << bit;
      if (((this.#up[block] as number) & mask) !== 0) value -= 1;
      if (((this.#down[block] as number) & mask) !== 0) value += 1;
    }
    return value;
  }

  /** A block that comes near the diagonal: at most a step up from each row to the next. */
  #enter(column: number): void {
    const above = this.#last < 0 ? column : (this.#values[this.#last] as number);
    this.#last += 1;
    this.#values[this.#last] = above + BITS;
    this.#up[this.#last] = -1;
    this.#down[this.#last] = 0;
  }

  #step(block: number, given: number, carryIn: number): number {
    const up = this.#up[block] as number;
    const down = this.#down[block] as number;
    const vertical = given | down;
    const equal = carryIn < 0 ? given | 1 : given;
    const horizontal = ((((equal & up) + up) | 0) ^ up) | equal;
    let plus = down | ~(horizontal | up);
    let minus = up & horizontal;
    const carry = (plus & TOP) !== 0 ? 1 : (minus & TOP) !== 0 ? -1 : 0;
    plus = (plus << 1) | (carryIn > 0 ? 1 : 0);
    minus = (minus << 1) | (carryIn < 0 ? 1 : 0);
    this.#up[block] = minus | ~(vertical | plus);
    this.#down[block] = plus & vertical;
    return carry;
  }
}
