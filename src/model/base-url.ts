/** Where a provider's addresses have their version. */
export interface Versioned {
  /** The last part of its own base URL. */
  readonly version: string;
  /** Gateways put this provider's version behind a path of their own; absent = they leave it out. */
  readonly isBehindPaths?: true;
}

const NAMES_VERSION = /\/v\d+[a-z]*\d*$/;

/**
 * A base URL as people write it, with its version or without. A path without one is whole where
 * gateways of this provider have none behind it.
 */
export function baseUrlOf(url: string, { version, isBehindPaths }: Versioned): string {
  const plain = url.replace(/\/+$/, '');
  if (NAMES_VERSION.test(plain)) return plain;
  const hasPath = new URL(plain).pathname !== '/';
  return hasPath && isBehindPaths !== true ? plain : `${plain}/${version}`;
}

export const OPENAI: Versioned = { version: 'v1' };
export const ANTHROPIC: Versioned = { version: 'v1', isBehindPaths: true };
export const GOOGLE: Versioned = { version: 'v1beta', isBehindPaths: true };
