import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * The helper of effects in one file, `<folder>/helper.cjs`: it starts for each turn that has
 * effects. A module that is loaded singly costs half a millisecond, and the loader of ES modules six.
 * The proxy of a command, `proxy.cjs`, likewise.
 */
export async function buildHelper(folder: string): Promise<void> {
  for (const name of ['helper', 'proxy']) await buildEntry(folder, name);
}

async function buildEntry(folder: string, name: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL(`../src/workspace/helper/${name}.ts`, import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: `${name}.cjs`, format: 'cjs' } },
    },
  });
}
