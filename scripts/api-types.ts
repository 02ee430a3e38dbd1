import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiTypes } from './api-document.ts';

/** Types of the console's calls and of the library's client, from the schemas that validate them. */
const types = await apiTypes();
for (const place of ['src/ui/api/schema.d.ts', 'src/library/api.d.ts']) {
  await writeFile(fileURLToPath(new URL(`../${place}`, import.meta.url)), types);
}
