import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  read,
  readdirSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { PathRefused } from './paths.ts';

/** Smaller files are read synchronously, because a hop to another thread takes longer. */
const READ_AT_ONCE_BYTES = 128 * 1024;
const PIECE_BYTES = 1024 * 1024;

export class FileTooLarge extends Error {
  constructor(bytes: number, limit: number) {
    super(`it has ${bytes} bytes, more than the limit of ${limit}`);
    this.name = 'FileTooLarge';
  }
}

/** The caller closes the descriptor with `closeSync`. */
export interface OpenFile {
  readonly descriptor: number;
  readonly bytes: number;
}

/**
 * Null when there is no such file.
 * @throws FileTooLarge
 */
export async function readRegularFile(absolute: string, limit: number): Promise<Buffer | null> {
  return readAndClose(openRegularFile(absolute), limit);
}

/**
 * The same for a path without links: no folder on the way may have become one meanwhile.
 * @throws FileTooLarge, PathRefused
 */
export async function readResolvedFile(absolute: string, limit: number): Promise<Buffer | null> {
  return readAndClose(openResolvedFile(absolute), limit);
}

/** @throws PathRefused */
export function openResolvedFile(absolute: string): OpenFile | null {
  const file = openRegularFile(absolute);
  if (file === null) return null;
  // The kernel names the opened file, and marks one that was replaced since.
  const opened = targetOf(`/proc/self/fd/${file.descriptor}`);
  if (opened === null || [absolute, `${absolute} (deleted)`].includes(opened)) return file;
  closeSync(file.descriptor);
  throw new PathRefused(absolute, 'leads elsewhere since it was looked up');
}

/**
 * The names in a folder; none if a folder on the way has become a link.
 *
 * @param absolute without links
 */
export function namesInResolvedFolder(absolute: string): string[] {
  const descriptor = openFolder(absolute);
  if (descriptor === null) return [];
  try {
    const opened = `/proc/self/fd/${descriptor}`;
    return targetOf(opened) === absolute ? readdirSync(opened) : [];
  } finally {
    closeSync(descriptor);
  }
}

function openFolder(absolute: string): number | null {
  try {
    return openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY);
  } catch {
    return null;
  }
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

function openRegularFile(absolute: string): OpenFile | null {
  const descriptor = openWithoutWaiting(absolute);
  if (descriptor === null) return null;
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return { descriptor, bytes: stats.size };
  closeSync(descriptor);
  throw new PathRefused(absolute, 'is not a regular file');
}

/** The path was resolved before, so a link or pipe there was put there since. */
function openWithoutWaiting(absolute: string): number | null {
  try {
    return openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'ELOOP') throw new PathRefused(absolute, 'is a link by now');
    if (code === 'ENXIO') throw new PathRefused(absolute, 'is a device, pipe or socket');
    throw error;
  }
}

async function readAndClose(file: OpenFile | null, limit: number): Promise<Buffer | null> {
  if (file === null) return null;
  try {
    if (file.bytes > limit) throw new FileTooLarge(file.bytes, limit);
    return (await readAtRest(file)) ?? (await readToEnd(file, limit));
  } finally {
    closeSync(file.descriptor);
  }
}

/** Null if the file's length has changed. */
async function readAtRest({ descriptor, bytes }: OpenFile): Promise<Buffer | null> {
  const buffer = Buffer.allocUnsafe(bytes + 1);
  const found =
    bytes <= READ_AT_ONCE_BYTES
      ? readSync(descriptor, buffer, 0, bytes + 1, 0)
      : await readPiece({ descriptor }, buffer, 0);
  return found === bytes ? buffer.subarray(0, bytes) : null;
}

/** Reads a growing file up to the limit. */
async function readToEnd(file: OpenFile, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const piece = Buffer.alloc(PIECE_BYTES);
    const found = await readPiece(file, piece, at);
    if (found === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, found));
    at += found;
    if (at > limit) throw new FileTooLarge(at, limit);
  }
}

const readAt = promisify(read);

/** How many bytes from `position` came into `buffer`. */
export async function readPiece(
  { descriptor }: Pick<OpenFile, 'descriptor'>,
  buffer: Buffer,
  position: number,
): Promise<number> {
  return (await readAt(descriptor, buffer, 0, buffer.length, position)).bytesRead;
}
