import { setImmediate } from 'node:timers/promises';
import { formsOf, type SecretForms } from './encoded-secrets.ts';
import { beforeEncoded, replaceEncoded } from './mask-encoded.ts';
import { SHAPES } from './secret-shapes.ts';

export const MASK = '[masked]';

export function maskText(given: string, secrets: readonly string[]): string {
  return replaceSecrets(given, knownForms(secrets), () => MASK);
}

/** The same, with as many lines as before. */
export function maskLines(given: string, secrets: readonly string[]): string {
  const forms = knownForms(secrets);
  return replaceSecrets(given, forms, (secret) => MASK + secret.replace(/[^\n]+/g, ''));
}

/** Masks only known secrets, for texts that may look like one by chance. */
export function maskKnown(given: string, secrets: readonly string[]): string {
  return replaceKnown(given, knownForms(secrets), () => MASK);
}

const forms = new WeakMap<readonly string[], SecretForms>();

/** A worker has one list of secrets, and masks every text by it. */
function knownForms(secrets: readonly string[]): SecretForms {
  const known = forms.get(secrets);
  if (known !== undefined) return known;
  const made = formsOf(secrets);
  forms.set(secrets, made);
  return made;
}

type Replace = (secret: string) => string;

function replaceSecrets(given: string, known: SecretForms, replace: Replace): string {
  return replaceKnown(given, known, replace).replace(
    SHAPES,
    (
      whole: string,
      scheme: string | undefined,
      host: string | undefined,
      name: string | undefined,
    ) => {
      const kept = scheme ?? host ?? name ?? '';
      return kept + replace(whole.slice(kept.length));
    },
  );
}

function replaceKnown(given: string, { plain, encoded }: SecretForms, replace: Replace): string {
  const rest = plain.reduce(
    (text, secret) => (text.includes(secret) ? text.replaceAll(secret, replace) : text),
    given,
  );
  return replaceEncoded(rest, encoded, () => MASK);
}

const SLICE_BYTES = 256 * 1024;
/** The most text to hold back because a secret may begin in it; longer than any secret. */
const HELD = 16 * 1024;

/**
 * The same for bytes of any size and encoding. Latin-1 gives each byte its own character, so what
 * isn't masked stays as it is.
 */
export async function maskBytes(
  given: Uint8Array,
  secrets: readonly string[],
): Promise<Uint8Array> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const { plain, encoded } = knownForms(secrets);
  const asBytes = plain.map((secret) => Buffer.from(secret, 'utf8').toString('latin1'));
  const masking = new StreamMask({ plain: asBytes, encoded });
  const done: string[] = [];
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    done.push(masking.push(bytes.toString('latin1', start, start + SLICE_BYTES)));
    await setImmediate();
  }
  done.push(masking.end());
  return masking.hasMasked ? Uint8Array.from(Buffer.from(done.join(''), 'latin1')) : given;
}

/** The unit to pass on: whole lines, or whole words for live readers. */
export type Grain = 'lines' | 'words';

/** Masks a stream: passes on text as soon as no secret can begin in it. */
export class StreamMask {
  readonly #known: SecretForms;
  readonly #broken: readonly string[];
  readonly #grain: Grain;
  #held = '';
  hasMasked = false;

  constructor(secrets: readonly string[] | SecretForms, grain: Grain = 'lines') {
    this.#known = 'plain' in secrets ? secrets : knownForms(secrets);
    this.#grain = grain;
    this.#broken = this.#known.plain.filter((secret) => BLANK.test(secret));
  }

  push(piece: string): string {
    this.#held += piece;
    const end = safeEnd(this.#held, this.#known, this.#broken, this.#grain);
    const ready = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return this.#mask(ready);
  }

  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#mask(rest);
  }

  #mask(text: string): string {
    if (text === '') return '';
    const masked = replaceSecrets(text, this.#known, () => MASK);
    this.hasMasked ||= masked !== text;
    return masked;
  }
}

const BLANK = /[ \t\r\n]/;
const BLANKS = [' ', '\t', '\r', '\n'] as const;
/** A word that announces a secret behind the next blank. */
const SCHEME_AT_END =
  /(?:\b(?:bearer|basic|token)[ \t:]*|aws_?secret[a-z_]{0,16}["']?[ \t]{0,4}(?:[:=][ \t]{0,4}["']?)?)$/i;
const LONGEST_SCHEME = 60;
const KEY_BEGINS = '-----BEGIN ';
/** The whole of its last line: words of it may still be to come. */
const KEY_ENDS = /-----END [^-\n]{0,80}-----/;

/** Behind the last whole line, or word where a line is very long, unless a secret goes on there. */
function safeEnd(
  text: string,
  { plain, encoded }: SecretForms,
  broken: readonly string[],
  grain: Grain,
): number {
  const least = Math.max(0, text.length - HELD);
  const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  const isLine = grain === 'lines' && (line > least || least === 0);
  const end = isLine ? line : wordEnd(text, least);
  // In a text without any blank the end lies anywhere.
  const cut = end === least && least > 0 ? plain : broken;
  let now = beforeKey(text, end, least);
  for (let last = -1; last !== now; ) {
    last = now;
    now = cut.reduce((at, secret) => beforePart(text, at, secret), now);
    now = beforeEncoded(text, now, encoded);
    // Before a part of one secret may lie the whole of another one, which may not be cut.
    if (now !== end) now = plain.reduce((at, secret) => beforeWhole(text, at, secret), now);
  }
  return now;
}

function beforeWhole(text: string, end: number, secret: string): number {
  const at = text.lastIndexOf(secret, end - 1);
  return at !== -1 && at + secret.length > end ? at : end;
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

/** A secret of several words of which only the first ones lie before the end. */
function beforePart(text: string, end: number, secret: string): number {
  const from = Math.max(0, end - secret.length + 1);
  for (let at = text.indexOf(secret.charAt(0), from); at !== -1 && at < end; ) {
    if (secret.startsWith(text.slice(at, end))) return at;
    at = text.indexOf(secret.charAt(0), at + 1);
  }
  return end;
}
