import { readEach, sizesOfObjects } from '../../../checkpoints/tree.ts';
import { lastSign, literalsOf, otherSign, withLiterals } from '../../../proof/canaries/literals.ts';
import type { Source } from '../../../proof/scope/code-files.ts';
import { LONGEST_BYTES } from '../judge-texts.ts';
import type { ProofTree } from '../proof-tree.ts';
import { textOf } from '../text-of.ts';

/** Of data together; what is more keeps its name. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Files of any kind, as many as there is room for. */
export async function contentsOf(
  store: ProofTree['store'],
  entries: ProofTree['entries'],
  paths: readonly string[],
): Promise<Source[]> {
  const objects = paths.map((path) => entries.get(path)?.object ?? '');
  const sizes = await sizesOfObjects(store, objects);
  let room = MOST_BYTES;
  const fitting = paths.flatMap((path, index) => {
    const [size = 0, object = ''] = [sizes[index], objects[index]];
    if (size > room) return [];
    room -= size;
    return [[path, { object }] as const];
  });
  const found: Source[] = [];
  for await (const [path, content] of readEach(store, fitting)) {
    found.push({ path, text: textOf(content) });
  }
  return found;
}

/** Something else: other values, or another last sign where it has none. */
export function otherwise(path: string, text: string): string {
  if (isOpaque(text)) return text.replaceAll(/[A-Za-z0-9]/g, otherSign).replace(/.$/s, otherByte);
  const values = literalsOf(text, { isName: () => false, path });
  const apart = values.filter(
    ({ at, end }, index) => !values.slice(0, index).some((one) => one.at < end && at < one.end),
  );
  const now = withLiterals(text, apart.length > 0 ? apart : lastSign(text));
  return now === text ? `${text}0` : now;
}

/** No text that anybody reads for its words. */
export const isOpaque = (text: string): boolean =>
  text.length > LONGEST_BYTES || text.includes('\0');

const otherByte = (sign: string): string => String.fromCharCode((sign.charCodeAt(0) + 1) % 128);
