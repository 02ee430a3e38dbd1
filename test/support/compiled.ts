import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Below the project, so that its packages are found; and below what is ignored. */
export const COMPILED_RUNS = fileURLToPath(new URL('../../dist/compiled-tests/', import.meta.url));

/**
 * JavaScript of a file of this project, as compile-setup.ts makes it for processes of their own.
 * Each run has a folder: one that ends takes nothing from another in the same checkout.
 */
export const compiled = (file: string): string => {
  const folder = process.env.GOALKEEPER_COMPILED_TESTS;
  if (folder === undefined) throw new TypeError('compile-setup.ts has not compiled for this run');
  return join(folder, file.replace(/\.ts$/, '.js'));
};
