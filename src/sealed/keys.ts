import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';

/** The key by which sealed criteria are encrypted. */
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

/**
 * @param given secrets of the setting: the first one seals, all of them open. Without one, the home
 *   keeps a secret of its own, which only its owner may read.
 */
export function sealedKeys(given: readonly string[], home: string): SealedKeys {
  const path = join(home, 'sealed.key');
  const kept = (): SealedKey[] => {
    const secret = readFileIfAny(path)?.trim();
    return secret ? [keyOf(secret)] : [];
  };
  const known = () => [...given.map(keyOf), ...kept()];
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

const keyOf = (secret: string): SealedKey => ({
  keyId: createHmac('sha256', secret).update('goalkeeper sealed key').digest('hex').slice(0, 8),
  bytes: Buffer.from(hkdfSync('sha256', secret, 'goalkeeper', 'sealed criteria', 32)),
});
