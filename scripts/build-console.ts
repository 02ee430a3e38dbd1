import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { generateConsoleIcons } from './console-icons.ts';

const root = fileURLToPath(new URL('../src/ui/', import.meta.url));

/** Where elements are made, by the name that `src/ui/tsconfig.json` has for it. */
const JSX = 'console';

const options = (outDir: string): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: [react({ jsxImportSource: JSX })],
  resolve: { alias: { [`${JSX}/jsx-runtime`]: `${root}jsx/jsx-runtime.ts` } },
  // Filled in by the service, anew for every page.
  html: { cspNonce: '@@nonce@@' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page lets no data: script or font in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: MANIFEST,
    rolldownOptions: {
      output: {
        // Small parts of many pages are one file: each of its own is one more request.
        codeSplitting: {
          groups: [{ name: 'common', minShareCount: 3, maxModuleSize: 6000, entriesAware: false }],
        },
      },
    },
  },
});

const MANIFEST = 'manifest.json';
const FRAME = 'shell/shell.tsx';
/** What an address shows first, by its pattern; the frame around it comes along. */
const FIRST_SHOWN: Readonly<Record<string, readonly string[]>> = {
  '/': ['pages/goals/goals-page.tsx'],
  '/goals': ['pages/goals/goals-page.tsx'],
  '/goals/*': ['pages/goal/goal-page.tsx'],
  '/goals/*/changes': ['pages/goal/goal-page.tsx', 'pages/changes/changes-page.tsx'],
  '/inbox': ['pages/inbox/inbox-page.tsx'],
};

/** The console's files in `folder`, each beside its compressed form. */
export async function buildConsole(folder: string): Promise<void> {
  generateConsoleIcons();
  await inProduction(() => build(options(folder)));
  await writeFirstFiles(folder);
  const assets = `${folder}/assets`;
  const names = (await readdir(assets)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(names.map((name) => compress(`${assets}/${name}`)));
}

/** Libraries are built as this variable says, and tests have another value in it. */
async function inProduction(work: () => Promise<unknown>): Promise<void> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

type Manifest = Readonly<Record<string, { file: string; imports?: readonly string[] }>>;

/** By address: the code that its page needs beside what every page loads, for the service to name. */
async function writeFirstFiles(folder: string): Promise<void> {
  const path = `${folder}/${MANIFEST}`;
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  const everywhere = closure(manifest, ['index.html']);
  const first = Object.entries(FIRST_SHOWN).map(([address, modules]) => {
    const files = closure(manifest, [FRAME, ...modules]);
    return [address, [...files].filter((file) => !everywhere.has(file)).sort()];
  });
  await writeFile(`${folder}/first-files.json`, JSON.stringify(Object.fromEntries(first)));
  await rm(path);
}

/** The files of modules, and of all that these import. */
function closure(manifest: Manifest, modules: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const open = [...modules];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the console has no module ${name}`);
    if (seen.has(chunk.file)) continue;
    seen.add(chunk.file);
    open.push(...(chunk.imports ?? []));
  }
  return seen;
}

async function compress(file: string): Promise<void> {
  await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level: 9 }));
}
