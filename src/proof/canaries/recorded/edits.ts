import type { Span } from '../spans.ts';

/** What stands here instead, or more where `at` is `end`. */
export interface Edit {
  readonly at: number;
  readonly end: number;
  readonly now: string;
}

/** An edit that begins within the one before is left out. Of those at one place the first comes first. */
export function edited(text: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((one, other) => one.at - other.at || one.end - other.end);
  let [all, from] = ['', 0];
  for (const { at, end, now } of ordered) {
    if (at < from) continue;
    all += text.slice(from, at) + now;
    from = end;
  }
  return all + text.slice(from);
}

/** Without the spaces around what it says. */
export function trimmed(text: string, [from, to]: Span): Span {
  const said = text.slice(from, to);
  const begin = from + said.length - said.trimStart().length;
  return [begin, Math.max(begin, from + said.trimEnd().length)];
}
