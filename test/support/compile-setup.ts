import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';
import { buildHelper } from '../../scripts/build-helper.ts';
import { bundleCommandLine } from './bundled-command-line.ts';
import { COMPILED_RUNS, compiled } from './compiled.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['schema', 'workflows', 'activities', 'src', 'test/chaos', 'test/stack'];

/**
 * JavaScript of what the tests start as processes of their own, hundreds of times: loading it takes
 * a third of the time of loading TypeScript.
 */
export default async function setup(): Promise<() => void> {
  clearEndedRuns();
  const own = join(COMPILED_RUNS, String(process.pid));
  process.env.GOALKEEPER_COMPILED_TESTS = own;
  await Promise.all(FOLDERS.flatMap(sourcesIn).map(compile));
  const plain = [
    'src/temporal/failure-converter.cjs',
    'src/process/launcher.cjs',
    'src/stack/relay.cjs',
    'src/store/generated/driver',
  ];
  for (const data of ['src/context/prompts', 'schema/migrations', 'package.json', ...plain]) {
    cpSync(join(ROOT, data), compiled(data), { recursive: true });
  }
  await bundleCommandLine();
  const folder = compiled('src/workspace/helper');
  await buildHelper(folder);
  process.env.GOALKEEPER_EFFECTS_HELPER = join(folder, 'helper.cjs');
  return () => rmSync(own, { recursive: true, force: true });
}

/** What killed runs left: its name is the number of a process that is gone. */
function clearEndedRuns(): void {
  mkdirSync(COMPILED_RUNS, { recursive: true });
  for (const name of readdirSync(COMPILED_RUNS)) {
    if (!isRunning(Number(name)))
      rmSync(join(COMPILED_RUNS, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));

async function compile(file: string): Promise<void> {
  const { code } = await transformWithOxc(readFileSync(join(ROOT, file), 'utf8'), file, {
    typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
    sourcemap: false,
    target: 'es2023',
  });
  const target = compiled(file);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}
