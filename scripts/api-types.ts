import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiTypes } from './api-document.ts';

/**
 * Types of the console's calls and of the library's client, from the schemas that validate them.
 * What is as it should be is left alone: another check may be reading it.
 */
const types = await apiTypes();
for (const place of ['src/ui/api/schema.d.ts', 'src/library/api.d.ts']) {
  const path = fileURLToPath(new URL(`../${place}`, import.meta.url));
  const isThere = await readFile(path, 'utf8').then(
    (text) => text === types,
    () => false,
  );
  if (!isThere) await writeFile(path, types);
}
