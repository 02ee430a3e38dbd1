import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Larger files say nothing about what the product is. */
const MOST_READ_BYTES = 256 * 1024;

/** The content of a regular file that is not too large; null for all else. */
export function contentOfFile(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= MOST_READ_BYTES ? readFileSync(file) : null;
  } finally {
    closeSync(file);
  }
}
