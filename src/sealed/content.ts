import { createHash } from 'node:crypto';
import type { SealedCheck } from '../../schema/sealed.ts';
import type { SealedContent, SealedFile } from '../contract/sealed.ts';

interface Header {
  readonly check: SealedCheck;
  readonly files: readonly {
    readonly path: string;
    readonly mode: SealedFile['mode'];
    readonly bytes: number;
  }[];
}

const LENGTH_BYTES = 4;

/** One row of bytes: the length of a JSON header, the header, and the files behind each other. */
export function packContent({ check, files }: SealedContent): Buffer {
  const ordered = [...files].sort((left, right) => (left.path < right.path ? -1 : 1));
  const header: Header = {
    check,
    files: ordered.map(({ path, mode, content }) => ({ path, mode, bytes: content.byteLength })),
  };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.byteLength);
  return Buffer.concat([length, text, ...ordered.map(({ content }) => content)]);
}

export function unpackContent(packed: Buffer): SealedContent {
  const start = LENGTH_BYTES + packed.readUInt32BE(0);
  const header = JSON.parse(packed.subarray(LENGTH_BYTES, start).toString()) as Header;
  let at = start;
  const files = header.files.map(({ path, mode, bytes }): SealedFile => {
    const content = packed.subarray(at, at + bytes);
    at += bytes;
    return { path, mode, content };
  });
  return { check: header.check, files };
}

export const sha256Of = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
