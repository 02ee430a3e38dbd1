/** The offsets of a text's lines in a table of numbers, which keeps ten million lines small. */
export class LineTable {
  readonly count: number;
  readonly #text: string;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    this.count = countLines(text);
    this.#starts = new Uint32Array(this.count + 1);
    let start = 0;
    for (let line = 1; line <= this.count; line += 1) {
      const feed = text.indexOf('\n', start);
      start = feed === -1 ? text.length : feed + 1;
      this.#starts[line] = start;
    }
  }

  start(line: number): number {
    return this.#starts[line] ?? this.#text.length;
  }

  /** Behind the terminator; the same as `end` for a last line without one. */
  next(line: number): number {
    return this.start(line + 1);
  }

  /** Before the terminator. */
  end(line: number): number {
    const next = this.next(line);
    if (this.#text[next - 1] !== '\n') return next;
    return this.#text[next - 2] === '\r' && next - 2 >= this.start(line) ? next - 2 : next - 1;
  }

  text(line: number): string {
    return this.#text.slice(this.start(line), this.end(line));
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** `line:column`, both from 1. */
export function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `${line}:${offset - before.lastIndexOf('\n')}`;
}

/** Line feeds become the text's line end at `offset`; an insert with `\r\n` is left alone. */
export function adaptLineEndings(inserted: string, text: string, offset: number): string {
  if (inserted.includes('\r')) return inserted;
  const after = text.indexOf('\n', offset);
  const feed = after === -1 ? text.lastIndexOf('\n') : after;
  return feed > 0 && text[feed - 1] === '\r' ? inserted.replaceAll('\n', '\r\n') : inserted;
}
