import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { apiTypes } from '../../scripts/api-document.ts';

test("the types of the console's calls are those of the present document", async () => {
  const written = await readFile(new URL('../../src/ui/api/schema.d.ts', import.meta.url), 'utf8');
  // Otherwise: npx tsx scripts/api-types.ts
  expect(written).toBe(await apiTypes());
});
