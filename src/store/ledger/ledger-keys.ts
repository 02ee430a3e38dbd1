import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/**
 * Keys that seal a ledger. The first one seals new rows, the others only verify older rows. Without
 * keys rows are chained, and a writer to the database can rebuild the chain.
 */
export interface LedgerKeys {
  readonly sealing: LedgerKey | null;
  readonly all: readonly LedgerKey[];
  find(keyId: string): LedgerKey | undefined;
}

export interface LedgerKey {
  /** Prefix of each sealed hash; it distinguishes a wrong key from an edited row. */
  readonly keyId: string;
  readonly secret: string;
}

export function ledgerKeys(secrets: readonly string[]): LedgerKeys {
  const keys = secrets.map((secret): LedgerKey => ({ keyId: idOf(secret), secret }));
  return {
    sealing: keys[0] ?? null,
    all: keys,
    find: (keyId) => keys.find((key) => key.keyId === keyId),
  };
}

export const noKeys: LedgerKeys = ledgerKeys([]);

function idOf(secret: string): string {
  const name = createHmac('sha256', secret).update('goalkeeper ledger key').digest('hex');
  return name.slice(0, 8);
}

/** `<key id>.<hex>` for a sealed row, plain hex for one that is only chained. */
export const keyIdOf = (hash: string): string | null =>
  /^([0-9a-f]{8})\.[0-9a-f]{64}$/.exec(hash)?.[1] ?? null;

export function digestUnder(key: LedgerKey | null, feed: (digest: Hash | Hmac) => void): string {
  const digest = key === null ? createHash('sha256') : createHmac('sha256', key.secret);
  feed(digest);
  const hex = digest.digest('hex');
  return key === null ? hex : `${key.keyId}.${hex}`;
}
