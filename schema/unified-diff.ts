/** A part of a unified diff. A line begins with its sign: `+`, `-`, a space, or `\` for a note. */
export interface DiffHunk {
  /** Number of the first line, from 1. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The line above that git takes for the head of what follows; empty where it knows none. */
  readonly section: string;
  readonly lines: readonly string[];
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/** The hunks of one file's unified diff, with or without the lines that name the file. */
export function hunksOf(text: string): DiffHunk[] {
  const hunks: (DiffHunk & { readonly lines: string[] })[] = [];
  for (const line of text.split('\n')) {
    const head = HEAD.exec(line);
    if (head !== null) {
      const [, oldStart, oldLines = '1', newStart, newLines = '1', section = ''] = head;
      hunks.push({
        ...{ oldStart: Number(oldStart), oldLines: Number(oldLines) },
        ...{ newStart: Number(newStart), newLines: Number(newLines) },
        ...{ section, lines: [] },
      });
    } else if (/^[-+ \\]/.test(line)) hunks.at(-1)?.lines.push(line);
  }
  return hunks;
}

/** Lines of a hunk with their numbers; a note belongs to the line above it. */
export function numbered<Hunk extends DiffHunk>({ oldStart, newStart, lines }: Hunk) {
  let [old, young] = [oldStart, newStart];
  return lines.map((line) => {
    const sign = line[0] ?? ' ';
    const before = sign === '-' || sign === ' ' ? old++ : null;
    const after = sign === '+' || sign === ' ' ? young++ : null;
    return { sign, text: line.slice(1), before, after };
  });
}

/**
 * The part of some hunks that begins at this line of them. A hunk that is cut goes on with its own
 * numbers.
 */
export function pageOfHunks<Hunk extends DiffHunk>(
  hunks: readonly Hunk[],
  offset: number,
  limit: number,
): { readonly hunks: Hunk[]; readonly next: number | null } {
  const shown: Hunk[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const [from, to] = [Math.max(0, offset - at), Math.min(hunk.lines.length, offset + limit - at)];
    at += hunk.lines.length;
    if (from < to) shown.push(partOf(hunk, from, to));
  }
  return { hunks: shown, next: offset + limit < at ? offset + limit : null };
}

function partOf<Hunk extends DiffHunk>(hunk: Hunk, from: number, to: number): Hunk {
  if (from === 0 && to === hunk.lines.length) return hunk;
  const count = (lines: readonly string[], other: string) =>
    lines.filter((line) => !line.startsWith(other) && !line.startsWith('\\')).length;
  const [before, lines] = [hunk.lines.slice(0, from), hunk.lines.slice(from, to)];
  return {
    ...hunk,
    oldStart: hunk.oldStart + count(before, '+'),
    oldLines: count(lines, '+'),
    newStart: hunk.newStart + count(before, '-'),
    newLines: count(lines, '-'),
    lines,
  };
}
