import { isUtf8 } from 'node:buffer';

/** What shows as nothing, as a space, or moves what stands beside it; tabs are left. */
const UNSEEN = /(?![ \t])[\p{Control}\p{Format}\p{Private_Use}\p{Unassigned}\p{Separator}]/gu;

/**
 * A line as it is: characters that can't be seen, or that change how others are seen, as
 * `<U+202E>`; of what is no text each byte outside of ASCII as `<9F>`.
 */
export function visibleLine(line: Buffer): string {
  const text = isUtf8(line) ? line.toString('utf8') : latin(line);
  return text.replaceAll(UNSEEN, (found) => `<U+${hex(found.codePointAt(0) ?? 0, 4)}>`);
}

const latin = (line: Buffer): string =>
  line
    .toString('latin1')
    .replaceAll(/[\u0080-\u00ff]/g, (found) => `<${hex(found.charCodeAt(0), 2)}>`);

const hex = (code: number, digits: number): string =>
  code.toString(16).toUpperCase().padStart(digits, '0');
