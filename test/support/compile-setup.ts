import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { buildHelper } from '../../scripts/build-helper.ts';
import { compiled } from './compiled.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['schema', 'workflows', 'activities', 'src', 'test/chaos', 'test/stack'];

/**
 * JavaScript of what the tests start as processes of their own, hundreds of times: loading it takes
 * a third of the time of loading TypeScript.
 */
export default async function setup(): Promise<() => void> {
  for (const file of FOLDERS.flatMap(sourcesIn)) compile(file);
  for (const data of ['src/context/prompts', 'schema/migrations', 'package.json']) {
    cpSync(join(ROOT, data), compiled(data), { recursive: true });
  }
  const helper = compiled('src/workspace/helper/helper.ts');
  await buildHelper(dirname(helper));
  process.env.GOALKEEPER_EFFECTS_HELPER = helper;
  return () => rmSync(compiled('.'), { recursive: true, force: true });
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
  const target = compiled(file);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, outputText);
}
