import { sha256 } from './paths.ts';
import { readResolvedFile } from './regular-file.ts';

/** Larger files can't be written by a tool, but they can be replaced. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The path has to be free of links. */
export async function hashResolvedFile(absolute: string): Promise<string | null> {
  const bytes = await readResolvedFile(absolute, MAX_BYTES);
  return bytes === null ? null : sha256(bytes);
}
