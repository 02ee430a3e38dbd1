import { type Anchor, anchorSchema } from '../../schema/anchor.ts';
import type { IsOwnHead, KeptAnchors } from '../contract/anchors.ts';

/**
 * Whoever may add to a place may add a head of any size, so one counts as kept only behind a head
 * that this database made.
 * @throws when the last one is of another history
 */
export async function isKept(
  last: Anchor | undefined,
  { size }: Anchor,
  isOwn: IsOwnHead,
): Promise<boolean> {
  if (last === undefined) return false;
  if (await isOwn(last)) return last.size >= size;
  throw new Error(
    `the last head there, of size ${last.size}, is of another database: find out who wrote it, and name a new place`,
  );
}

/** What a crash cut off is the beginning of the next line, or of a line that is still to come. */
export function anchorsIn(text: string): KeptAnchors {
  const lines = text.split('\n');
  const anchors: Anchor[] = [];
  const damaged: number[] = [];
  for (const [at, line] of lines.entries()) {
    const anchor = parseAnchor(line);
    const isCut = at === lines.length - 1 || (lines[at + 1] ?? '').startsWith(line);
    if (anchor !== null) anchors.push(anchor);
    else if (line.trim() !== '' && !isCut) damaged.push(at + 1);
  }
  return { anchors, damaged };
}

function parseAnchor(text: string): Anchor | null {
  try {
    return anchorSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
