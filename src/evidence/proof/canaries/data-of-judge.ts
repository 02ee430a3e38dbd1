import { readObjects, sizesOfObjects } from '../../../checkpoints/tree.ts';
import { lastSign, literalsOf, otherSign, withLiterals } from '../../../proof/canaries/literals.ts';
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
): Promise<{ readonly path: string; readonly text: string }[]> {
  const objects = paths.map((path) => entries.get(path)?.object ?? '');
  const sizes = await sizesOfObjects(store, objects);
  let room = MOST_BYTES;
  const fitting = paths.flatMap((path, index) => {
    const [size = 0, object = ''] = [sizes[index], objects[index]];
    if (size > room) return [];
    room -= size;
    return [{ path, object }];
  });
  const contents = await readObjects(
    store,
    fitting.map(({ object }) => object),
  );
  return fitting.map(({ path }, index) => ({
    ...{ path, text: textOf(contents[index] ?? Buffer.alloc(0)) },
  }));
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
