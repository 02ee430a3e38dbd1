import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';

const root = fileURLToPath(new URL('../src/ui/', import.meta.url));

const options = (outDir: string): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
  // Filled in by the service, anew for every page.
  html: { cspNonce: '@@nonce@@' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page lets no data: script or font in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

/** The console's files in `folder`, each beside its compressed form. */
export async function buildConsole(folder: string): Promise<void> {
  await build(options(folder));
  const assets = `${folder}/assets`;
  const names = (await readdir(assets)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(names.map((name) => compress(`${assets}/${name}`)));
}

async function compress(file: string): Promise<void> {
  await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level: 9 }));
}
