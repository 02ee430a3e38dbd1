import { type Anchor, anchorSchema } from '../../schema/anchor.ts';

/** @throws when what is kept there already is of another history */
export function isKept(last: Anchor | undefined, { size, root }: Anchor): boolean {
  if (last === undefined || last.size < size) return false;
  if (last.size > size || last.root === root) return true;
  throw new Error(`another head of size ${size} is kept there: it is of another database`);
}

/** A line that a crash cut off, or that somebody wrote, is none. */
export function parseAnchor(text: string): Anchor | null {
  try {
    return anchorSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
