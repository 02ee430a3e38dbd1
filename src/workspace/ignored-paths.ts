import { dirname } from 'node:path';
import { type IgnoreRules, isIgnored, readRules, rulesWithin } from './ignore-rules.ts';

/**
 * Tells which paths git ignores by these `.gitignore` files, by path. A folder that is ignored takes
 * all in it along, as git does it.
 *
 * @param outermost rules that apply behind these files
 */
export function ignoredBy(
  files: ReadonlyMap<string, string>,
  outermost: IgnoreRules | null = null,
): (path: string) => boolean {
  const rulesOf = new Map<string, IgnoreRules | null>();
  const rulesIn = (folder: string): IgnoreRules | null => {
    const known = rulesOf.get(folder);
    if (known !== undefined) return known;
    const above = folder === '' ? outermost : rulesWithin(rulesIn(parentOf(folder)), folder);
    const text = files.get(`${folder}.gitignore`);
    const rules = text === undefined ? above : readRules(text, { above, base: folder });
    rulesOf.set(folder, rules);
    return rules;
  };
  const isFolderIgnored = (folder: string): boolean =>
    folder !== '' &&
    (isFolderIgnored(parentOf(folder)) || isIgnored(rulesIn(parentOf(folder)), folder));
  return (path) => isFolderIgnored(parentOf(path)) || isIgnored(rulesIn(parentOf(path)), path);
}

/** With a trailing slash; the workspace itself is the empty path. */
function parentOf(path: string): string {
  const parent = dirname(path);
  return parent === '.' ? '' : `${parent}/`;
}
