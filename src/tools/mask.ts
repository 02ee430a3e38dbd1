import { setImmediate } from 'node:timers/promises';

const MASK = '[masked]';
const TOKEN_SHAPES = [
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{30,}/g,
  /\bglpat-[A-Za-z0-9_-]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

export function maskText(given: string, secrets: readonly string[]): string {
  const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), given);
  return TOKEN_SHAPES.reduce((rest, shape) => rest.replace(shape, MASK), known);
}

const SLICE_BYTES = 256 * 1024;
/** Longer than any secret: what may be the beginning of one is looked at again with what follows. */
const HELD_BYTES = 16 * 1024;
const BLANK = /\s\S*$/;

/**
 * The same for bytes of any size and encoding. Latin-1 gives each byte its own character, so what
 * isn't masked stays as it is. A slice ends at a blank where there is one: no token is cut.
 */
export async function maskBytes(
  given: Uint8Array,
  secrets: readonly string[],
): Promise<Uint8Array> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const asBytes = secrets.map((secret) => Buffer.from(secret, 'utf8').toString('latin1'));
  const done: string[] = [];
  let held = '';
  let isChanged = false;
  for (let start = 0; start < bytes.length; ) {
    const end = endOfSlice(bytes, start);
    const before = held + bytes.toString('latin1', start, end);
    const after = maskText(before, asBytes);
    isChanged ||= after !== before;
    const cut = end === bytes.length ? after.length : Math.max(0, after.length - HELD_BYTES);
    done.push(after.slice(0, cut));
    held = after.slice(cut);
    start = end;
    await setImmediate();
  }
  return isChanged ? Uint8Array.from(Buffer.from(done.join(''), 'latin1')) : given;
}

function endOfSlice(bytes: Buffer, start: number): number {
  const end = start + SLICE_BYTES;
  if (end >= bytes.length) return bytes.length;
  const tail = bytes.toString('latin1', end - HELD_BYTES, end);
  const word = BLANK.exec(tail)?.[0].length ?? 1;
  return end - word + 1;
}
