import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { compiled } from './compiled.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OF_SERVICE = /^(?:schema|workflows|activities|src(?!\/ui))\/.*\.ts$/;

/** Node loads these itself, once a process. */
export const COMPILED_MODULES = /\/dist\/compiled-tests\//;

/**
 * What tests import of the service is the JavaScript that compile-setup.ts made of it, as Node loads
 * it: six processes that each take it through Vite need a tenth of the whole run for that alone.
 */
export const serviceAsCompiled: Plugin = {
  name: 'service-as-compiled',
  enforce: 'pre',
  resolveId(source, importer) {
    // What sets the run up comes before there is any.
    if (this.environment.name === '__vitest__' || !process.env.GOALKEEPER_COMPILED_TESTS)
      return null;
    if (importer === undefined || !/^\.{1,2}\//.test(source)) return null;
    const file = relative(ROOT, resolve(dirname(importer), source));
    return OF_SERVICE.test(file) ? compiled(file) : null;
  },
};
