import { createHmac } from 'node:crypto';
import { withoutLineEnds } from '../record/foreign-text.ts';

/**
 * What the host's words in a conversation carry, so that nobody else can speak as the host. It is
 * one for the whole goal, as another one for each request would void the provider's prompt cache;
 * it may be known to the model, since whatever others say is rid of it before the model reads it.
 *
 * @param key known to the service alone
 */
export const hostMarkOf = (key: Uint8Array, goalId: string): string =>
  createHmac('sha256', key).update(`host mark ${goalId}`).digest('hex').slice(0, 16);

/** Is not read between two letters: invisible signs, accents, blanks, line ends. */
const UNREAD = /[\p{DI}\p{M}\p{Z}\p{C}\u2800]/u;
/** Of the mark's letters, so many stand for themselves; the others may be signs that look alike. */
const LEAST_OWN = 8;

/** The text of somebody else, who must not speak as the host. */
export function withoutMark(text: string, mark: string | undefined): string {
  if (mark === undefined) return text;
  const safe = replaceMark(text, mark);
  // Letters of other widths and kinds read like the plain ones.
  const folded = safe.normalize('NFKC');
  if (folded === safe) return safe;
  const safeFolded = replaceMark(folded, mark);
  return safeFolded === folded ? safe : safeFolded;
}

/**
 * Replaces what reads like the mark: its letters in whatever case, with what isn't read between
 * them. Any sign beyond ASCII may stand for a letter, as no list of those that look alike is whole.
 */
function replaceMark(text: string, mark: string): string {
  const { letters, starts, ends } = lettersOf(text);
  let rest = 0;
  let safe = '';
  for (let at = 0; at + mark.length <= letters.length; at += 1) {
    if (!readsLike(letters, at, mark)) continue;
    safe += text.slice(rest, starts[at]) + NOT_HOST;
    at += mark.length - 1;
    rest = ends[at] ?? text.length;
  }
  return rest === 0 ? text : safe + text.slice(rest);
}

/** `?`: a sign beyond ASCII. `!`: one that the mark doesn't have. */
interface Letters {
  readonly letters: readonly string[];
  /** Where each of them begins and ends in the text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

function lettersOf(text: string): Letters {
  const letters: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    const end = at + (point > 0xffff ? 2 : 1);
    const letter = ASCII[point] ?? (UNREAD.test(text.slice(at, end)) ? '' : '?');
    if (letter !== '') {
      letters.push(letter);
      starts.push(at);
      ends.push(end);
    }
    at = end;
  }
  return { letters, starts, ends };
}

/** Empty for what isn't read. */
const ASCII = [...Array(128).keys()].map((code) => {
  const sign = String.fromCharCode(code).toLowerCase();
  if (/[0-9a-f]/.test(sign)) return sign;
  return /[!-~]/.test(sign) ? '!' : '';
});

function readsLike(letters: readonly string[], from: number, mark: string): boolean {
  let own = 0;
  for (let at = 0; at < mark.length; at += 1) {
    const letter = letters[from + at];
    if (letter === mark.charAt(at)) own += 1;
    else if (letter !== '?') return false;
  }
  return own >= LEAST_OWN;
}

const NOT_HOST = '[not the host]';

/** The host's words about a result, behind it, on one line: names in them are chosen by others. */
export function hostNote(note: string, mark: string | undefined): string {
  const words = withoutMark(withoutLineEnds(note), mark);
  return `\n[host${mark === undefined ? '' : ` ${mark}`}] ${words}`;
}
