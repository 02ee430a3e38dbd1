import { FileTooLarge, readResolvedFile } from './regular-file.ts';

export const MAX_TEXT_BYTES = 10 * 1024 * 1024;

export type TextFile =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * UTF-8 text up to 10 MB, with its byte order mark; `name` is how the model knows the file.
 *
 * @param absolute without links
 */
export async function readTextFile(absolute: string, name: string): Promise<TextFile> {
  try {
    const bytes = await readResolvedFile(absolute, MAX_TEXT_BYTES);
    if (bytes === null) return { ok: false, reason: `${name} does not exist` };
    const reason = whyNoText(bytes);
    if (reason !== null) return { ok: false, reason: `${name} ${reason}` };
    return { ok: true, bytes, text: decode(bytes) };
  } catch (error) {
    if (error instanceof FileTooLarge) {
      const way =
        'Read it in parts with read_file, search it with grep_search, or change it with a command';
      return { ok: false, reason: `${name} is too large: ${error.message}. ${way}` };
    }
    if (error instanceof TypeError) return { ok: false, reason: `${name} is not UTF-8 text` };
    throw error;
  }
}

/** Null when it may well be text. */
export function whyNoText(bytes: Uint8Array): string | null {
  if (isWide(bytes)) return 'is UTF-16 text; convert it to UTF-8 first, for example with iconv';
  return bytes.includes(0) ? 'is a binary file, not text' : null;
}

export function looksBinary(beginning: Uint8Array): boolean {
  return !isWide(beginning) && beginning.includes(0);
}

const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
