import { diffArrays } from 'diff';

/** With more changed lines than this in one step, nothing is told. */
const MOST_EDITS = 5000;

export interface LineOrigins {
  /** For each line of the last version, the step that wrote it; null = it was there at first. */
  readonly written: readonly (number | null)[];
  /** For each line of the first version, the step that removed it; null = it is still there. */
  readonly removed: readonly (number | null)[];
}

/**
 * Which step wrote or removed each line, where step n leads from version n to version n + 1.
 *
 * @param versions lines of one file, oldest first
 * @returns null where two versions differ too much to be compared
 */
export function lineOrigins(versions: readonly (readonly string[])[]): LineOrigins | null {
  const [first = [], ...later] = versions;
  const removed: (number | null)[] = first.map(() => null);
  let lines = first.map((_, index) => ({
    step: null as number | null,
    first: index as number | null,
  }));
  let known = first;
  for (const [step, next] of later.entries()) {
    const parts = diffArrays([...known], [...next], { maxEditLength: MOST_EDITS });
    if (parts === undefined) return null;
    const after: typeof lines = [];
    let at = 0;
    for (const { added, removed: isGone, value } of parts) {
      if (added) {
        after.push(...value.map(() => ({ step, first: null })));
        continue;
      }
      const part = lines.slice(at, at + value.length);
      at += value.length;
      if (!isGone) after.push(...part);
      else for (const one of part) if (one.first !== null) removed[one.first] = step;
    }
    lines = after;
    known = next;
  }
  return { written: lines.map(({ step }) => step), removed };
}

/** Lines as a diff counts them. */
export function linesOf(content: Buffer | null): string[] {
  const text = content?.toString('latin1') ?? '';
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
