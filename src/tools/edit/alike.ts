import { BUCKETS, PIECE, piecesOf } from './pieces.ts';
import { type Effort, mostEdits, type Part, Pattern, similarity } from './similarity.ts';
import type { NormalLines } from './text-index.ts';

export interface AlikeLines {
  /** First line of a run with the wanted number of lines. */
  readonly first: number;
  readonly score: number;
}

/**
 * Runs of lines that reach the given similarity to `wanted`, whitespace aside. Null if the search
 * would take more than the remaining effort.
 */
export function alikeLines(
  normal: NormalLines,
  wanted: readonly string[],
  least: number,
  effort: Effort,
): AlikeLines[] | null {
  const target = new Pattern(wanted.join('\n'));
  const found: AlikeLines[] = [];
  for (const first of promising(normal, wanted, least, effort)) {
    const score = similarity(target, partOf(normal, first, wanted.length), least, effort);
    if (effort.isSpent) return null;
    if (score !== null) found.push({ first, score });
  }
  return effort.isSpent ? null : found;
}

function partOf({ joined, before }: NormalLines, first: number, count: number): Part {
  const start = (before[first] as number) + first;
  return { text: joined, start, end: (before[first + count] as number) + first + count - 1 };
}

/**
 * Runs with nearly the same pieces in any order; only these are compared. The counts are updated
 * as the run moves on, so all runs together cost two passes over the text.
 */
function promising(
  { texts, before, pieces }: NormalLines,
  wanted: readonly string[],
  least: number,
  effort: Effort,
): number[] {
  const ends = wanted.length - 1;
  const length = wanted.reduce((sum, line) => sum + line.length, ends);
  const counts = new Surplus();
  for (const line of wanted) counts.add(piecesOf(line), 1);
  const found: number[] = [];
  for (let last = 0; last < texts.length; last += 1) {
    counts.add(pieces[last] as Uint16Array, -1);
    effort.spend((texts[last] as string).length + 1);
    if (effort.isSpent) return [];
    const first = last - ends;
    if (first < 0) continue;
    const there = (before[last + 1] as number) - (before[first] as number) + ends;
    const most = mostEdits(Math.max(length, there), least);
    if (Math.abs(length - there) <= most && counts.most <= most * PIECE) found.push(first);
    counts.add(pieces[first] as Uint16Array, 1);
  }
  return found;
}

/** How many pieces one text has that the other one lacks. */
class Surplus {
  readonly #counts = new Int32Array(BUCKETS);
  #more = 0;
  #less = 0;

  get most(): number {
    return Math.max(this.#more, this.#less);
  }

  add(pieces: Uint16Array, change: 1 | -1): void {
    for (let at = 0; at < pieces.length; at += 1) {
      const bucket = pieces[at] as number;
      const count = this.#counts[bucket] as number;
      this.#counts[bucket] = count + change;
      if (change === 1) {
        if (count >= 0) this.#more += 1;
        else this.#less -= 1;
      } else if (count > 0) this.#more -= 1;
      else this.#less += 1;
    }
  }
}
