import type { CommandCriterion, Criterion } from '../../../schema/criteria.ts';

/**
 * A check with the commands of earlier criteria as its setup, for one that fails in a place where
 * nothing is built: in the workspace `npm test` runs behind `npm run build`.
 */
export function behindOthers(
  spec: Criterion,
  before: readonly Criterion[],
): { readonly behind?: CommandCriterion } {
  if (spec.kind !== 'command') return {};
  const builds = buildsOf(before);
  if (builds.length === 0) return {};
  const own = spec.setup === undefined ? [] : [`(${spec.setup}\n)`];
  return { behind: { ...spec, setup: [...builds, ...own].join(' && ') } };
}

/** What these criteria run, one line each. */
export const buildsOf = (before: readonly Criterion[]): string[] =>
  before.filter(isRun).map(lineOf);

/** One that is expected to fail builds nothing. */
const isRun = (spec: Criterion): spec is CommandCriterion =>
  spec.kind === 'command' && spec.check !== 'receipt' && (spec.expectExit ?? 0) === 0;

/** A line's comment ends with it, and what it sets ends with its shell. */
function lineOf({ command, cwd, setup }: CommandCriterion): string {
  const enter = cwd === undefined ? [] : [`cd '${cwd.replaceAll("'", "'\\''")}'`];
  const check = `(${[...enter, command].join(' && ')}\n)`;
  return setup === undefined ? check : `(${setup}\n) && ${check}`;
}
