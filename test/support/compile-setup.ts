import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Below the project, so that its packages are found; and below what is ignored. */
const TARGET = join(ROOT, 'dist', 'compiled-tests');
const FOLDERS = ['schema', 'workflows', 'activities', 'src', 'test/chaos'];

/**
 * JavaScript of what the tests start as processes of their own, hundreds of times: loading it takes
 * half as long as loading TypeScript.
 */
export default function setup(): () => void {
  for (const file of FOLDERS.flatMap(sourcesIn)) compile(file);
  cpSync(join(ROOT, 'src/model/prompts'), join(TARGET, 'src/model/prompts'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(TARGET, 'package.json'));
  process.env.GOALKEEPER_COMPILED_TESTS = join(TARGET, 'test/chaos');
  return () => rmSync(TARGET, { recursive: true, force: true });
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));

function compile(file: string): void {
  const { outputText } = ts.transpileModule(readFileSync(join(ROOT, file), 'utf8'), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
    },
  });
  const target = join(TARGET, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, outputText);
}
