/** A line as a span of the text, without its terminator. */
export interface Line {
  readonly start: number;
  readonly end: number;
  /** Behind the terminator; equal to `end` for a last line without one. */
  readonly next: number;
}

export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const next = feed === -1 ? text.length : feed + 1;
    const bare = feed === -1 ? text.length : feed;
    const end = feed > start && text[feed - 1] === '\r' ? bare - 1 : bare;
    lines.push({ start, end, next });
    start = next;
  }
  return lines;
}

/** `line:column`, both from 1. */
export function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `${line}:${offset - before.lastIndexOf('\n')}`;
}

/** Line feeds become what the text uses at `offset`; a text that brings its own is left alone. */
export function adaptLineEndings(inserted: string, text: string, offset: number): string {
  if (inserted.includes('\r')) return inserted;
  const after = text.indexOf('\n', offset);
  const feed = after === -1 ? text.lastIndexOf('\n') : after;
  return feed > 0 && text[feed - 1] === '\r' ? inserted.replaceAll('\n', '\r\n') : inserted;
}
