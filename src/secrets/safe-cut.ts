import type { SecretForms } from './encoded-secrets.ts';
import { startOfEncoded } from './mask-encoded.ts';
import { SHAPES } from './secret-shapes.ts';

/** The unit to pass on: whole lines, or whole words for live readers. */
export type Grain = 'lines' | 'words';

/** The most text to hold back because a secret may begin in it; longer than any secret. */
const HELD = 16 * 1024;
/** Secrets that begin within each other, of which no cut divides one. */
const MOST_CHAINED = 20;
/** How far a token by its shape is looked for on both sides of a cut. */
const SHAPE_REACH = 2048;

const BLANK = /[ \t\r\n]/;
const BLANKS = [' ', '\t', '\r', '\n'] as const;
/** A word that announces a secret behind the next blank. */
const SCHEME_AT_END =
  /(?:\b(?:bearer|basic|token)[ \t:]*|aws_?secret[a-z_]{0,16}["']?[ \t]{0,4}(?:[:=][ \t]{0,4}["']?)?)$/i;
const LONGEST_SCHEME = 60;
const KEY_BEGINS = '-----BEGIN ';
/** The whole of its last line: words of it may still be to come. */
const KEY_ENDS = /-----END [^-\n]{0,80}-----/;

/**
 * Where a text whose end is still to come may be cut, so that each part masked alone is what the
 * whole is masked: behind the last whole line, or word where a line is very long, and in no secret.
 * A cut lies in a secret only if what stands behind it goes on with that secret, to its end or to
 * the end of the text.
 */
export function safeCut(text: string, known: SecretForms, grain: Grain): number {
  const least = Math.max(0, text.length - HELD);
  const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  const isLine = grain === 'lines' && (line > least || least === 0);
  let cut = beforeKey(text, isLine ? line : wordEnd(text, least), least);
  // Nothing is held for good: only a value that repeats itself makes a longer chain.
  for (let chain = 0; chain < MOST_CHAINED; chain += 1) {
    const start = startOfSecret(text, cut, known);
    if (start === cut) break;
    cut = start;
  }
  return cut;
}

/** Where the secret begins in which the cut lies, else the cut. */
function startOfSecret(text: string, cut: number, { plain, encoded }: SecretForms): number {
  const isBehindBlank = BLANK.test(text.charAt(cut - 1));
  const starts = plain.map((secret) =>
    isBehindBlank && !BLANK.test(secret) ? cut : startOfPlain(text, cut, secret),
  );
  const shape = isBehindBlank ? cut : startOfShape(text, cut);
  return Math.min(startOfEncoded(text, cut, encoded), shape, ...starts);
}

function startOfPlain(text: string, cut: number, secret: string): number {
  const from = Math.max(0, cut - secret.length + 1);
  const whole = text.slice(from, cut + secret.length - 1).indexOf(secret);
  if (whole !== -1) return from + whole;
  const first = Math.max(from, text.length - secret.length + 1);
  for (let at = text.indexOf(secret.charAt(0), first); at !== -1 && at < cut; ) {
    if (secret.startsWith(text.slice(at))) return at;
    at = text.indexOf(secret.charAt(0), at + 1);
  }
  return cut;
}

function startOfShape(text: string, cut: number): number {
  const from = Math.max(0, cut - SHAPE_REACH);
  for (const { 0: found, index } of text.slice(from, cut + SHAPE_REACH).matchAll(SHAPES)) {
    if (from + index >= cut) break;
    if (from + index + found.length > cut) return from + index;
  }
  return cut;
}

function wordEnd(text: string, least: number): number {
  const blank = Math.max(...BLANKS.map((letter) => text.lastIndexOf(letter))) + 1;
  if (blank <= least) return least;
  const before = text.slice(Math.max(0, blank - LONGEST_SCHEME), blank);
  const scheme = SCHEME_AT_END.exec(before)?.[0].length ?? 0;
  return blank - scheme;
}

/** A private key that has begun and not ended. */
function beforeKey(text: string, end: number, least: number): number {
  const begin = end === 0 ? -1 : text.lastIndexOf(KEY_BEGINS, end - 1);
  const isOpen = begin >= least && !KEY_ENDS.test(text.slice(begin, end));
  return isOpen ? begin : end;
}
