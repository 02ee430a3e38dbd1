import { FileTooLarge, readRegularFile } from './paths.ts';

const MAX_BYTES = 10 * 1024 * 1024;

export type TextFile =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** UTF-8 text up to 10 MB, with its byte order mark; `name` is how the model knows the file. */
export async function readTextFile(absolute: string, name: string): Promise<TextFile> {
  try {
    const bytes = await readRegularFile(absolute, MAX_BYTES);
    if (bytes === null) return { ok: false, reason: `${name} does not exist` };
    if (bytes.includes(0)) return { ok: false, reason: `${name} is a binary file, not text` };
    return { ok: true, bytes, text: decode(bytes) };
  } catch (error) {
    if (error instanceof FileTooLarge) {
      return { ok: false, reason: `${name} is too large: ${error.message}. Use grep_search` };
    }
    if (error instanceof TypeError) return { ok: false, reason: `${name} is not UTF-8 text` };
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
