import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * The helper of effects in one file, `<folder>/helper.cjs`: it starts for each turn that has
 * effects. A module that is loaded singly costs half a millisecond, and the loader of ES modules six.
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
      rolldownOptions: { output: { entryFileNames: 'helper.cjs', format: 'cjs' } },
    },
  });
}
