import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * The helper of effects in one file, `<folder>/helper.js`: it starts for each turn that has effects,
 * and a module that is loaded singly costs half a millisecond.
 */
export async function buildHelper(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: fileURLToPath(new URL('../src/workspace/helper/helper.ts', import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'helper.js' } },
    },
  });
}
