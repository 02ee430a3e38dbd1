import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtConsole } from '../browser/built-console.ts';
import { createApi } from './calls.ts';
import { settings } from './memory-ports.ts';

const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-console-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = async (url: string, consoleFolder = folder): Promise<string> => {
  const { server } = createApi({ settings: { ...settings, consoleFolder } });
  const { body } = await server.inject({ method: 'GET', url });
  await server.close();
  return body;
};
const named = (html: string) =>
  [...html.matchAll(/<link rel="modulepreload" crossorigin href="\/([^"]+)" nonce="[^"@]+">/g)].map(
    ([, file]) => file,
  );

test('CON-70 a page names the code that its address shows first, and no other', async () => {
  writeFileSync(join(folder, 'index.html'), '<html><head><title>x</title></head></html>');
  expect(named(await page('/goals'))).toEqual([]);
  const first = { '/goals': ['assets/list.js'], '/goals/*': ['assets/goal.js', 'assets/$&.js'] };
  writeFileSync(join(folder, 'first-files.json'), JSON.stringify(first));
  expect(named(await page('/goals?sort=cost'))).toEqual(['assets/list.js']);
  expect(named(await page('/goals/g-1?turn=2'))).toEqual(['assets/goal.js', 'assets/$&.js']);
  expect(named(await page('/goals/g-1/ledger'))).toEqual([]);
  expect(named(await page('/goals/%22%3E%3Cscript%3E'))).toEqual(first['/goals/*']);
  expect(await page('/goals/%22%3E%3Cscript%3E')).not.toContain('script');
  expect(named(await page('/inbox'))).toEqual([]);
});

test('CON-70 the built console names files that it has, and the list of goals takes at most 200 KB of script', async () => {
  await builtConsole();
  const built = join(process.cwd(), 'dist/console');
  const sizeOf = (file: string) => readFileSync(join(built, `${file}.gz`)).byteLength;
  for (const address of ['/', '/goals', '/goals/g-1', '/goals/g-1/changes', '/inbox']) {
    const html = await page(address, built);
    const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
      ([, file = '']) => file,
    );
    expect(new Set(files).size).toBe(files.length);
    expect(files.filter((file) => !existsSync(join(built, file)))).toEqual([]);
    expect(named(html).length).toBeGreaterThan(1);
    const script = files.reduce((sum, file) => sum + sizeOf(file), 0);
    if (address === '/goals') expect(script).toBeLessThan(200_000);
  }
});
