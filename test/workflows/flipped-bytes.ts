import type { KeyObject } from 'node:crypto';
import { expect } from 'vitest';
import { openBundle } from '../../src/attest/dsse.ts';
import { BundleRefused } from '../../src/attest/refused.ts';
import { readStatements } from '../../src/attest/statements.ts';

/** One bit of every `step`-th byte of a bundle, one after the other, after the whole was read. */
export function flipBytes(file: Buffer, keys: readonly KeyObject[], step: number): void {
  const read = (bytes: Buffer) => readStatements(openBundle(bytes, keys));
  read(file);
  for (let at = 0; at < file.length; at += step) {
    const bytes = Buffer.from(file);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
    expect(() => read(bytes), `byte ${at}`).toThrow(BundleRefused);
  }
}
