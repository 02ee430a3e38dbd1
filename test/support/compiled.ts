import { fileURLToPath } from 'node:url';

/** Below the project, so that its packages are found; and below what is ignored. */
const TARGET = new URL('../../dist/compiled-tests/', import.meta.url);

/** JavaScript of a file of this project, as compile-setup.ts makes it for processes of their own. */
export const compiled = (file: string): string =>
  fileURLToPath(new URL(file.replace(/\.ts$/, '.js'), TARGET));
