import { createHash } from 'node:crypto';
import { readImage } from '../attachments/image.ts';
import { attachmentRefOf, type JudgedAttachment } from '../contract/attachments.ts';

/** An image as a result carries it, what is wrong with it, or null where it is none. */
export function imageIn(
  name: string,
  content: Uint8Array,
): JudgedAttachment | { readonly why: string } | null {
  const image = readImage(content);
  if (image === null) return null;
  if (image.kind === 'broken') return { why: image.why };
  const { mediaType, width, height } = image;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const shown = name.replace(/[\p{C}\u2028\u2029]/gu, '_').slice(0, 200);
  return { sha256, name: shown, mediaType, width, height, bytes: content.byteLength, content };
}

/** The image in words, for the record and for models that are shown none. */
export function imageWords(image: JudgedAttachment): string {
  const { mediaType, width, height, bytes } = image;
  return `${mediaType}, ${width} × ${height} pixels, ${bytes} bytes, ref ${attachmentRefOf(image)}`;
}
