import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';

/** A key by which something is encrypted. */
export interface SealedKey {
  /** Stored beside what it encrypted. */
  readonly keyId: string;
  readonly bytes: Buffer;
}

export interface SealedKeys {
  /** The key for what is sealed now; made in the home where none is given. */
  sealing(): SealedKey;
  /** Undefined where this host doesn't have it. */
  find(keyId: string): SealedKey | undefined;
}

/** What keys are for: the same secret gives each purpose a key of its own. */
interface Purpose {
  /** Of the secret that the home keeps where none is given. */
  readonly file: string;
  readonly label: string;
}

const SEALED_CRITERIA: Purpose = { file: 'sealed.key', label: 'sealed' };
const TEMPORAL: Purpose = { file: 'temporal.key', label: 'temporal' };

/** Keys of sealed criteria. */
export const sealedKeys = (given: readonly string[], home: string): SealedKeys =>
  keyRing(given, home, SEALED_CRITERIA, 'sealed criteria');

/**
 * Keys of all that is sent to Temporal. They are read once: each workflow task decodes many
 * payloads.
 */
export function temporalKeys(given: readonly string[], home: string): SealedKeys {
  const ring = keyRing(given, home, TEMPORAL, 'temporal payloads');
  const sealing = ring.sealing();
  const known = new Map([[sealing.keyId, sealing]]);
  return {
    sealing: () => sealing,
    find(keyId) {
      const key = known.get(keyId) ?? ring.find(keyId);
      if (key !== undefined) known.set(keyId, key);
      return key;
    },
  };
}

/**
 * @param given secrets of the setting: the first one seals, all of them open. Without one, the home
 *   keeps a secret of its own, which only its owner may read.
 */
function keyRing(
  given: readonly string[],
  home: string,
  { file, label }: Purpose,
  info: string,
): SealedKeys {
  const path = join(home, file);
  const toKey = (secret: string): SealedKey => ({
    keyId: createHmac('sha256', secret).update(`goalkeeper ${label} key`).digest('hex').slice(0, 8),
    bytes: Buffer.from(hkdfSync('sha256', secret, 'goalkeeper', info, 32)),
  });
  const configured = given.map(toKey);
  const kept = (): SealedKey[] => {
    const secret = readFileIfAny(path)?.trim();
    return secret ? [toKey(secret)] : [];
  };
  const known = () => [...configured, ...kept()];
  return {
    sealing() {
      const [first] = known();
      if (first !== undefined) return first;
      makeKey(path);
      return kept()[0] as SealedKey;
    },
    find: (keyId) => known().find((key) => key.keyId === keyId),
  };
}

/** The first of several processes makes it; the others find theirs in the way. */
function makeKey(path: string): void {
  const own = `${path}.${process.pid}.new`;
  writePrivateFile(own, `${randomBytes(32).toString('base64url')}\n`);
  try {
    linkSync(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}
