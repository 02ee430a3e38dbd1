import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const rows = read('docs/acceptance.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| item'));

test.each(rows)('%s', (row) => {
  const shown = [...row.matchAll(/`(test\/[^`]+)`((?:,? [A-Z]+-?\d+)*)/g)];
  expect(shown.length).toBeGreaterThan(0);
  for (const [, path = '', ids = ''] of shown) {
    expect(existsSync(new URL(`../${path}`, import.meta.url)), path).toBe(true);
    for (const id of ids.match(/[A-Z]+-?\d+/g) ?? []) expect(read(path)).toContain(id);
  }
});
