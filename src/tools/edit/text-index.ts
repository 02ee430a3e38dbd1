import { LineTable } from './lines.ts';
import { piecesOf } from './pieces.ts';

/** An index of the text for all edits of a call; costly parts are made once, on demand. */
export class TextIndex {
  readonly text: string;
  /** Some of its lines end with `\r\n`. */
  readonly hasReturns: boolean;
  #lines: LineTable | null = null;
  #normal: NormalLines | null = null;
  #flat: FlatText | null = null;

  constructor(text: string) {
    this.text = text;
    this.hasReturns = text.includes('\r\n');
  }

  get lines(): LineTable {
    this.#lines ??= new LineTable(this.text);
    return this.#lines;
  }

  get normal(): NormalLines {
    this.#normal ??= normaliseLines(this.lines);
    return this.#normal;
  }

  /** With line feeds as the only line ends. */
  get flat(): FlatText {
    this.#flat ??= flatten(this.text);
    return this.#flat;
  }
}

export interface NormalLines {
  readonly texts: readonly string[];
  readonly joined: string;
  /** Equal lines have equal numbers. */
  readonly ids: Int32Array;
  readonly idOf: ReadonlyMap<string, number>;
  /** Characters before each line, without line ends; one entry more than there are lines. */
  readonly before: Uint32Array;
  /** The pieces that a similarity search counts; equal lines share theirs. */
  readonly pieces: readonly Uint16Array[];
}

export function normaliseLine(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function normaliseLines(lines: LineTable): NormalLines {
  const texts: string[] = [];
  const ids = new Int32Array(lines.count);
  const idOf = new Map<string, number>();
  const before = new Uint32Array(lines.count + 1);
  let pieces: readonly Uint16Array[] | null = null;
  for (let line = 0; line < lines.count; line += 1) {
    const text = normaliseLine(lines.text(line));
    const id = idOf.get(text) ?? idOf.size;
    idOf.set(text, id);
    ids[line] = id;
    texts.push(text);
    before[line + 1] = (before[line] as number) + text.length;
  }
  return {
    texts,
    joined: texts.join('\n'),
    ids,
    idOf,
    before,
    get pieces() {
      pieces ??= piecesOfAll(texts, ids);
      return pieces;
    },
  };
}

function piecesOfAll(texts: readonly string[], ids: Int32Array): Uint16Array[] {
  const known: Uint16Array[] = [];
  return texts.map((text, line) => {
    const id = ids[line] as number;
    const pieces = known[id] ?? piecesOf(text);
    known[id] = pieces;
    return pieces;
  });
}

export interface FlatText {
  readonly text: string;
  /** The place of an offset of the flat text in the original one. */
  original(offset: number): number;
}

function flatten(text: string): FlatText {
  const pieces: string[] = [];
  const returns: number[] = [];
  let start = 0;
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
    pieces.push(text.slice(start, at));
    returns.push(at - returns.length);
    start = at + 1;
  }
  pieces.push(text.slice(start));
  return { text: pieces.join(''), original: (offset) => offset + countBelow(returns, offset) };
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
