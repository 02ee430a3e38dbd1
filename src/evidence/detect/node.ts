import { type Detector, type FoundCheck, type Purpose, readText } from './found-check.ts';

/** Usual names of scripts, the most common first. */
const NAMES: Readonly<Record<Purpose, readonly string[]>> = {
  test: ['test'],
  typecheck: ['typecheck', 'type-check', 'check-types', 'check:types', 'tsc'],
  lint: ['lint'],
  build: ['build'],
};

/** Scripts that change the sources, or never end, check nothing. */
const NOT_A_CHECK = /--fix\b|--write\b|--watch\b|\bwatch\b|\bnodemon\b/;

export const detectNode: Detector = async (workspace) => {
  const scripts = scriptsIn(await readText(workspace, 'package.json'));
  const run = await runnerIn(workspace);
  return (Object.keys(NAMES) as Purpose[]).flatMap((purpose): FoundCheck[] => {
    const name = NAMES[purpose].find((one) => isCheck(scripts[one]));
    if (name === undefined) return [];
    return [{ purpose, command: name === 'test' ? `${run} test` : `${run} run ${name}` }];
  });
};

const isCheck = (script: unknown): boolean =>
  typeof script === 'string' && script.trim() !== '' && !NOT_A_CHECK.test(script);

function scriptsIn(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  try {
    const parsed = JSON.parse(text) as { scripts?: unknown } | null;
    const scripts = parsed?.scripts;
    return typeof scripts === 'object' && scripts !== null ? { ...scripts } : {};
  } catch {
    return {};
  }
}

async function runnerIn(workspace: string): Promise<'npm' | 'pnpm' | 'yarn'> {
  if ((await readText(workspace, 'pnpm-lock.yaml')) !== null) return 'pnpm';
  return (await readText(workspace, 'yarn.lock')) === null ? 'npm' : 'yarn';
}
