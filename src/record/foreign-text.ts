/** What others wrote (models, commands, files, forges), as it may stand among words of ours. */

const UNSEEN_OR_TURNED = /(?![\n\t])[\p{Control}\p{Bidi_Control}]/gu;

/** What shows as nothing, or moves what stands beside it; line breaks and tabs are left. */
const HIDING = /(?![\t\n])[\p{Control}\p{Format}\p{Private_Use}\p{Unassigned}\p{Surrogate}]/gu;

const LINE_ENDS = /[\p{Control}\p{Zl}\p{Zp}]+/gu;

/** For models: nothing in it begins a line. */
export const withoutLineEnds = (text: string): string => text.replace(LINE_ENDS, ' ');

/** For terminals and pages: what would steer them, or turn the direction of a text, is a mark. */
export const printable = (text: string): string => text.replaceAll(UNSEEN_OR_TURNED, '�');

/** For whoever decides by it: what hides or turns other signs is named. */
export const visible = (text: string): string =>
  text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(HIDING, nameOf);

const nameOf = (sign: string): string =>
  `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

export const visibleLine = (text: string): string =>
  visible(text)
    .replace(/[\t\n]+/g, ' ')
    .trim();

const SHARE_OF_HEAD = 0.6;

/** The first and the last words of a line that is too long, and how much went. */
export function firstAndLast(line: string, most: number): string {
  if (line.length <= most) return line;
  const head = line.slice(0, Math.ceil(most * SHARE_OF_HEAD)).replace(/[\uD800-\uDBFF]$/, '');
  const end = line.slice(line.length - Math.floor(most * (1 - SHARE_OF_HEAD)));
  const tail = end.replace(/^[\uDC00-\uDFFF]/, '');
  return `${head} [… ${line.length - head.length - tail.length} characters left out …] ${tail}`;
}
