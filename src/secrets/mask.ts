import { setImmediate } from 'node:timers/promises';
import { formsOf, type SecretForms } from './encoded-secrets.ts';
import { replaceEncoded } from './mask-encoded.ts';
import { type Grain, safeCut } from './safe-cut.ts';
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

/** Masks a stream: passes on text as soon as no secret can begin in it. */
export class StreamMask {
  readonly #known: SecretForms;
  readonly #grain: Grain;
  #held = '';
  hasMasked = false;

  constructor(secrets: readonly string[] | SecretForms, grain: Grain = 'lines') {
    this.#known = 'plain' in secrets ? secrets : knownForms(secrets);
    this.#grain = grain;
  }

  push(piece: string): string {
    this.#held += piece;
    const end = safeCut(this.#held, this.#known, this.#grain);
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
