import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiTypes } from './api-document.ts';

/** Types of the console's calls, from the schemas that the service validates them with. */
await writeFile(
  fileURLToPath(new URL('../src/ui/api/schema.d.ts', import.meta.url)),
  await apiTypes(),
);
