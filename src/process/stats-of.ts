import { type BigIntStats, lstatSync, type Stats } from 'node:fs';

/**
 * What the system answers where a path leads to nothing: no such name, a file as if it were a
 * folder, links in a circle, more bytes than any path may have. Commands can leave each of them.
 */
const LEADS_NOWHERE: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/** The most bytes that the kernel takes as one path, with the NUL behind them. */
const LONGEST_PATH = 4096;

/** The system tells nothing of what lies there. */
export const isTooLong = (path: string): boolean => Buffer.byteLength(path) >= LONGEST_PATH;

const leadsNowhere = (error: unknown): boolean =>
  LEADS_NOWHERE.includes((error as NodeJS.ErrnoException).code ?? '');

/** Of the entry itself, without following a link at its end; undefined where the path leads to nothing. */
export function statsOf(path: string): Stats | undefined;
export function statsOf(path: string, options: { readonly bigint: true }): BigIntStats | undefined;
export function statsOf(
  path: string,
  { bigint = false }: { readonly bigint?: boolean } = {},
): Stats | BigIntStats | undefined {
  try {
    // Without an error for the usual case, which would cost a stack.
    return lstatSync(path, { bigint, throwIfNoEntry: false });
  } catch (error) {
    if (leadsNowhere(error)) return undefined;
    throw error;
  }
}
