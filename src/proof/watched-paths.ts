import type { TrackedCriterion } from '../../schema/criteria.ts';
import { normalisePath } from './evidence.ts';

/** Files in which package managers note what they installed. */
const INSTALLED = ['.package-lock.json', '.yarn-state.yml', '.modules.yaml'];

/**
 * Files that count however git treats them: what criteria name, and what their commands may run.
 * Relative to the workspace; most of them need not exist.
 */
export function watchedPaths(criteria: readonly Pick<TrackedCriterion, 'spec'>[]): string[] {
  const paths = INSTALLED.map((name) => `node_modules/${name}`);
  for (const { spec } of criteria) {
    if (spec.kind === 'file') paths.push(normalisePath(spec.path));
    if (spec.kind === 'command') paths.push(...pathsOfCommand(spec.command, spec.cwd ?? '.'));
  }
  return [...new Set(paths)].filter((path) => path !== '' && !/^(\/|\.\.(\/|$))/.test(path));
}

function pathsOfCommand(command: string, cwd: string): string[] {
  const words = command.split(/[\s;&|<>()'"`=]+/).filter((word) => /[./]/.test(word));
  const named = words.flatMap((word) => [normalisePath(`${cwd}/${word}`), normalisePath(word)]);
  const executables = [cwd, '.'].map((folder) => normalisePath(`${folder}/node_modules/.bin`));
  return [...named, ...executables];
}
