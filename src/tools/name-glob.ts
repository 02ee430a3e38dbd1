import { matchesWhole, pathProblem } from '../../schema/glob.ts';

/** Why a search can't be narrowed by this glob; null where it can. */
export function globProblem(glob: string | undefined): string | null {
  const problem = glob === undefined ? null : pathProblem(glob);
  return problem === null ? null : `the glob ${JSON.stringify(glob)} can't be used: ${problem}`;
}

/**
 * A glob without a slash means names in every folder; one with a slash is relative to the folder
 * that is searched, or to the workspace.
 *
 * @param name relative to the workspace
 */
export function isWanted(glob: string | undefined, name: string, folder: string): boolean {
  if (glob === undefined) return true;
  if (!glob.includes('/')) return matchesWhole(`**/${glob}`, name);
  const isBelow = folder !== '.' && name.startsWith(`${folder}/`);
  return matchesWhole(glob, name) || (isBelow && matchesWhole(glob, name.slice(folder.length + 1)));
}
