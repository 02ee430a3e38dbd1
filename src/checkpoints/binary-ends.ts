import { createHash } from 'node:crypto';
import type { BinaryChange } from '../../schema/changes.ts';
import { readImage } from '../attachments/image.ts';
import type { Between } from './list-changes.ts';
import { objectsAt } from './objects-at.ts';
import { readObjects } from './tree.ts';

/** Larger ones are told by their size alone. */
const MAX_BYTES = 1024 * 1024;

/** What can be told of a file without lines: sizes, digests, and pictures where both are images. */
export async function binaryEnds(
  { place, from, to }: Between,
  path: string,
  mask: (text: string) => string,
): Promise<BinaryChange | null> {
  if (path.includes('\n')) return null;
  const [before, after] = await objectsAt(place, [`${from}:files/${path}`, `${to}:files/${path}`]);
  const endOf = async (found: typeof before): Promise<BinaryChange['before']> => {
    if (found === undefined || found.object === null) return null;
    const { object, bytes } = found;
    if (bytes > MAX_BYTES) return { bytes, sha256: null, picture: null };
    const [content] = await readObjects(place, [object]);
    if (content === undefined) return { bytes, sha256: null, picture: null };
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { bytes, sha256, picture: pictureOf(content, mask) };
  };
  return { before: await endOf(before), after: await endOf(after) };
}

/** One in which a known secret stands is not shown: nothing can be masked in it. */
function pictureOf(content: Buffer, mask: (text: string) => string) {
  const image = readImage(content);
  if (image?.kind !== 'image') return null;
  const text = content.toString('latin1');
  if (mask(text) !== text) return null;
  return { mediaType: image.mediaType, base64: content.toString('base64') };
}
