import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { inAscii, type Look } from './look.ts';

/** One part of a line. Fixed parts are never cut; of the others the last gives way first. */
export interface Part {
  readonly text: string;
  readonly paint?: (text: string) => string;
  /** Cut in the middle, so that both ends of a path can be read. */
  readonly keepsEnds?: true;
  /** Taken out whole where the line is too narrow, the highest number first. */
  readonly drop?: number;
  /** Cut at its end where needed. */
  readonly gives?: true;
}

const LEAST = 8;

/**
 * A line of at most the look's width: `left` at the beginning, `right` at the end. What may be
 * dropped goes first, then what gives way is cut, and only then the end of the whole line.
 */
export function line(look: Look, left: readonly Part[], right: readonly Part[] = []): string {
  const kept = fitting(look.width, left, right);
  const texts = (parts: readonly Part[]) => parts.filter((part) => kept.has(part));
  const over = widthOf([...texts(left), ...texts(right)]) + gap(texts(right)) - look.width;
  const cut = cutBy(over, [...texts(left), ...texts(right)], look);
  const show = (parts: readonly Part[]) =>
    texts(parts)
      .map((part) => (part.paint ?? same)(cut.get(part) ?? part.text))
      .join('');
  const [start, end] = [show(left), show(right)];
  const space = look.width - stringWidth(start) - stringWidth(end);
  const whole = end === '' ? start : start + ' '.repeat(Math.max(1, space)) + end;
  return cutTo(whole, look);
}

const same = (text: string): string => text;
const gap = (right: readonly Part[]): number => (widthOf(right) === 0 ? 0 : 2);
const widthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { text }) => sum + stringWidth(text), 0);

function fitting(width: number, left: readonly Part[], right: readonly Part[]): Set<Part> {
  const kept = new Set([...left, ...right]);
  const least = ({ text, gives }: Part) =>
    gives ? Math.min(LEAST, stringWidth(text)) : stringWidth(text);
  const needed = () =>
    [...kept].reduce((sum, part) => sum + least(part), 0) + gap(right.filter((p) => kept.has(p)));
  const droppable = [...kept]
    .filter(({ drop }) => drop !== undefined)
    .sort((one, other) => (other.drop ?? 0) - (one.drop ?? 0));
  for (const part of droppable) {
    if (needed() <= width) break;
    kept.delete(part);
  }
  return kept;
}

function cutBy(over: number, parts: readonly Part[], look: Look): Map<Part, string> {
  const cut = new Map<Part, string>();
  let left = over;
  for (const part of parts.filter(({ gives }) => gives === true).toReversed()) {
    if (left <= 0) break;
    const had = stringWidth(part.text);
    const room = Math.max(Math.min(LEAST, had), had - left);
    const text = cutTo(part.text, { ...look, width: room }, part.keepsEnds);
    cut.set(part, text);
    left -= had - stringWidth(text);
  }
  return cut;
}

/** At most so wide, with a mark where something was left out. */
export function cutTo(
  text: string,
  { width, isAscii }: Pick<Look, 'width' | 'isAscii'>,
  keepsEnds = false,
): string {
  if (stringWidth(text) <= width) return text;
  const truncationCharacter = isAscii ? (width < 4 ? '.' : '...') : '…';
  const cut = cliTruncate(text, width, {
    position: keepsEnds ? 'middle' : 'end',
    truncationCharacter,
  });
  return stringWidth(cut) <= width ? cut : '';
}

/** A line as the screen takes it: some signs are wider in ASCII than those that were measured. */
export const shownIn =
  (look: Look) =>
  (text: string): string =>
    cutTo(look.isAscii ? inAscii(text) : text, look);

/** How wide words are that begin behind an indent; lines of files are not broken. */
export const broken = (
  { width, isFile }: Pick<Look, 'width' | 'isFile'>,
  indent: number,
): number => (isFile ? Number.POSITIVE_INFINITY : Math.max(20, width - indent));

/** In lines of at most so many columns, broken between words where there are any. */
export function wrapped(text: string, width: number): string[] {
  if (text === '') return [''];
  if (width === Number.POSITIVE_INFINITY) return text.split('\n');
  // The blank at which a line was broken is nobody's indent.
  return text.split('\n').flatMap((line) =>
    wrapAnsi(line, width, { hard: true, trim: false })
      .split('\n')
      .map((one, at) => (at === 0 ? one : one.replace(/^ /, '')).trimEnd()),
  );
}

/** Broken between words, each line behind the indent that the text begins with, or a deeper one. */
export function hanging(
  text: string,
  look: Pick<Look, 'width' | 'isFile'>,
  indent = /^ */.exec(text)?.[0].length ?? 0,
): string[] {
  const [first = '', ...rest] = wrapped(text.slice(indent), broken(look, indent));
  return [text.slice(0, indent) + first, ...rest.map((one) => ' '.repeat(indent) + one)];
}

/** A text that a person has to read to its end, in at most so many lines. */
export function inLines(text: string, look: Look, most: number): string[] {
  const lines = wrapped(text, look.width);
  if (lines.length <= most) return lines;
  const rest = lines.slice(most - 1).join(' ');
  return [...lines.slice(0, most - 1), cutTo(rest, look)];
}

/** So wide, filled with blanks. */
export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));
