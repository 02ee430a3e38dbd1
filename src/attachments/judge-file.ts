import { type MediaType, MOST_ATTACHMENT_BYTES } from '../../schema/attachment.ts';
import { readImage } from './image.ts';

/** A larger text is no part of a conversation. */
const MOST_TEXT_BYTES = 1024 * 1024;

export type JudgedFile =
  | {
      readonly ok: true;
      readonly mediaType: MediaType;
      readonly width?: number;
      readonly height?: number;
    }
  /** `why` says what is wrong and the way out. */
  | { readonly ok: false; readonly why: string };

const IMAGE_NAME = /\.(?:png|jpe?g|webp)$/i;

/** What a file is: its content says it, and its name only what somebody thought. */
export function judgeFile(name: string, bytes: Uint8Array): JudgedFile {
  if (bytes.length === 0) return refused('is empty: send its content');
  if (bytes.length > MOST_ATTACHMENT_BYTES) {
    return refused(`has ${bytes.length} bytes: at most ${MOST_ATTACHMENT_BYTES} are taken`);
  }
  const image = readImage(bytes);
  if (image?.kind === 'broken') return refused(image.why);
  if (image !== null) {
    const { mediaType, width, height } = image;
    return { ok: true, mediaType, width, height };
  }
  if (IMAGE_NAME.test(name)) {
    const why = 'has the name of an image and is no PNG, JPEG or WebP: convert it, or rename it';
    return refused(why);
  }
  if (!isText(bytes)) return { ok: true, mediaType: 'application/octet-stream' };
  if (bytes.length <= MOST_TEXT_BYTES) return { ok: true, mediaType: 'text/plain' };
  return refused(
    `is a text of ${bytes.length} bytes, and at most ${MOST_TEXT_BYTES} are taken: attach the part that matters, or put it into the workspace`,
  );
}

const refused = (why: string): JudgedFile => ({ ok: false, why });

const utf8 = new TextDecoder('utf-8', { fatal: true });

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
