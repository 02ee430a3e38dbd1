import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { z } from 'zod';
import { firstMisfit, tellMisfit } from '../../schema/misfits.ts';
import { type Envelope, envelopeSchema } from '../../schema/proof-bundle.ts';
import { BundleRefused } from './refused.ts';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Larger files are nobody's proof. */
export const MOST_BYTES = 64 * 1024 * 1024;
const MOST_LINES = 16;

/** Signs the bytes; see `createSigner`. */
export interface Signer {
  readonly publicKey: KeyObject;
  sign(bytes: Buffer): Promise<Buffer>;
}

/** Pre-authentication encoding of DSSE v1: what a signature covers. */
export function preAuthEncoding(payload: Buffer): Buffer {
  const head = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.byteLength} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** SHA-256 of the key as SubjectPublicKeyInfo: `openssl pkey -pubin -outform DER | sha256sum`. */
export const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');

/** The two kinds that every DSSE library verifies and every KMS has. */
export function isSigningKey(key: KeyObject): boolean {
  if (key.type !== 'public') return false;
  return (
    key.asymmetricKeyType === 'ed25519' ||
    (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1')
  );
}

/** @returns every public key in a PEM file; null where it holds none, or something else */
export function readPublicKeys(pem: string): KeyObject[] | null {
  const blocks = pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  try {
    const keys = blocks.map((block) => createPublicKey(block));
    return keys.length > 0 && keys.every(isSigningKey) && !/PRIVATE KEY/.test(pem) ? keys : null;
  } catch {
    return null;
  }
}

export const isSignedBy = (key: KeyObject, bytes: Buffer, signature: Buffer): boolean =>
  verify(key.asymmetricKeyType === 'ec' ? 'sha256' : null, bytes, key, signature);

export async function signLine(signer: Signer, payload: Buffer): Promise<string> {
  const signature = await signer.sign(preAuthEncoding(payload));
  return lineOf({
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyIdOf(signer.publicKey), sig: signature.toString('base64') }],
  });
}

function lineOf({ payloadType, payload, signatures: [{ keyid, sig }] }: Envelope): string {
  return JSON.stringify({ payloadType, payload, signatures: [{ keyid, sig }] });
}

/** Of an envelope whose signature is of no matter. */
export const payloadOfLine = (line: string): string =>
  Buffer.from((JSON.parse(line) as Envelope).payload, 'base64').toString('utf8');

export interface SignedPayload {
  readonly payload: Buffer;
  readonly keyId: string;
}

/**
 * The payloads of a bundle, each signed by one of the keys. The file has to be byte for byte what
 * an export writes: what a signature doesn't cover has one form only, so that a changed byte shows
 * wherever it is.
 * @throws BundleRefused
 */
export function openBundle(file: Buffer, keys: readonly KeyObject[]): SignedPayload[] {
  const envelopes = readEnvelopes(file);
  return envelopes.map((envelope, index) => {
    const where = `statement ${index + 1}`;
    const [{ keyid, sig }] = envelope.signatures;
    const key = keys.find((one) => keyIdOf(one) === keyid);
    if (key === undefined) {
      throw new BundleRefused('key_unknown', `${where} is signed by ${keyid}, ${whoIs(keys)}`);
    }
    const payload = Buffer.from(envelope.payload, 'base64');
    if (!isSignedBy(key, preAuthEncoding(payload), Buffer.from(sig, 'base64'))) {
      throw new BundleRefused('signature', `the signature of ${where} does not fit it`);
    }
    return { payload, keyId: keyid };
  });
}

const whoIs = (keys: readonly KeyObject[]): string =>
  keys.length === 0
    ? 'and no key was given to trust'
    : `and the trusted key is ${keys.map(keyIdOf).join(' or ')}`;

/** @throws BundleRefused */
export function readEnvelopes(file: Buffer): Envelope[] {
  if (file.byteLength > MOST_BYTES) throw unreadable(`it is larger than ${MOST_BYTES} bytes`);
  const text = decode(file);
  if (!text.endsWith('\n')) throw unreadable('it was cut off: its last line has no end');
  const lines = text.slice(0, -1).split('\n');
  if (lines.length > MOST_LINES) throw unreadable(`it has more than ${MOST_LINES} lines`);
  return lines.map((line, index) => {
    const envelope = parseExactly(line, envelopeSchema, `line ${index + 1}`);
    const { payload, signatures } = envelope;
    for (const base64 of [payload, signatures[0].sig]) {
      if (Buffer.from(base64, 'base64').toString('base64') !== base64) {
        throw unreadable(`line ${index + 1} holds base64 that nobody writes`);
      }
    }
    if (lineOf(envelope) !== line) throw unreadable(`line ${index + 1} is written otherwise`);
    return envelope;
  });
}

export function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable('it is not UTF-8');
  }
}

/** Reads JSON that is written in one way only: no spaces, and no key twice. */
export function parseExactly<Value>(text: string, schema: z.ZodType<Value>, what: string): Value {
  let value: unknown;
  let again: string;
  try {
    value = JSON.parse(text);
    again = JSON.stringify(value);
  } catch {
    throw unreadable(`${what} is not JSON`);
  }
  if (again !== text) {
    throw unreadable(`${what} is not written as an export writes it, such as with a key twice`);
  }
  const { error } = schema.safeParse(value);
  // Not what zod makes of it, whose keys have another order.
  if (error === undefined) return value as Value;
  throw unreadable(`${what}: ${tellMisfit(firstMisfit(error))}`);
}

const unreadable = (problem: string): BundleRefused => new BundleRefused('unreadable', problem);
