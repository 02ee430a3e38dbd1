import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/** What a shell puts in the place of `<(…)`, and standard input: somebody writes to it, and it ends. */
const OF_THE_SHELL = /^\/dev\/(?:stdin|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

/**
 * What lies there, if reading it may never begin or never end; null = a file, a folder, nothing, or
 * what the shell gives.
 */
export async function unendingFile(path: string): Promise<string | null> {
  if (OF_THE_SHELL.test(resolve(path))) return null;
  const stats = await stat(path).catch(() => null);
  if (stats === null || stats.isFile() || stats.isDirectory()) return null;
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
