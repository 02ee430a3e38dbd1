import { readRegularFile } from '../../workspace/regular-file.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads a regular file only: the code under test controls the path, and a pipe or device would
 * block the host.
 */
export async function readReported(path: string): Promise<string> {
  const bytes = await readRegularFile(path, MOST_BYTES).catch(() => null);
  return bytes?.toString('utf8') ?? '';
}
