import { inflateRawSync } from 'node:zlib';

const TAR_BLOCK = 512;

/** The content of one file of a tar archive. */
export function readTarEntry(archive: Buffer, wanted: string): Buffer {
  for (let at = 0; at + TAR_BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + TAR_BLOCK);
    const name = text(header.subarray(0, 100)).replace(/^\.\//, '');
    const size = Number.parseInt(text(header.subarray(124, 136)).trim() || '0', 8);
    const start = at + TAR_BLOCK;
    if (name === wanted) return archive.subarray(start, start + size);
    at = start + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  throw new Error(`the archive holds no ${wanted}`);
}

function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

const ZIP_END = 0x06054b50;
const ZIP_ENTRY = 0x02014b50;
const STORED = 0;

/** The content of one file of a zip archive (no ZIP64: those begin at 4 GB). */
export function readZipEntry(archive: Buffer, wanted: string): Buffer {
  const end = endOfDirectory(archive);
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== ZIP_ENTRY) break;
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (name === wanted) return entryContent(archive, at);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`the archive holds no ${wanted}`);
}

function endOfDirectory(archive: Buffer): number {
  for (let at = archive.length - 22; at >= 0; at -= 1) {
    if (archive.readUInt32LE(at) === ZIP_END) return at;
  }
  throw new Error('not a zip archive');
}

function entryContent(archive: Buffer, directoryEntry: number): Buffer {
  const method = archive.readUInt16LE(directoryEntry + 10);
  const size = archive.readUInt32LE(directoryEntry + 20);
  const local = archive.readUInt32LE(directoryEntry + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + size);
  return method === STORED ? packed : inflateRawSync(packed);
}
