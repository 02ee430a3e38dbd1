import { dirname, join } from 'node:path';
import { readSmall } from '../../sandbox/safe-read.ts';
import { type IgnoreRules, outermostRules } from '../ignore-rules.ts';
import { ignoredBy } from '../ignored-paths.ts';
import { runGit } from './run-git.ts';

/** What a repository makes git ignore in a workspace by files that lie outside of it. */
export interface IgnoredAround {
  /** Of the workspace in its repository: empty, or with a trailing slash. */
  readonly prefix: string;
  /** `.gitignore` files of the folders above, by their paths from the top of the repository. */
  readonly above: ReadonlyMap<string, string>;
  readonly outermost: IgnoreRules | null;
}

export const NOTHING_AROUND: IgnoredAround = { prefix: '', above: new Map(), outermost: null };

/**
 * The workspace may be a folder of its repository. Null where it is in none, or in one that ignores
 * the workspace as a whole.
 */
export async function ignoredAround(workspace: string): Promise<IgnoredAround | null> {
  const asked = ['--git-common-dir', '--show-toplevel', '--show-prefix'];
  const args = ['rev-parse', '--path-format=absolute', ...asked];
  const [common, top, prefix] = (await runGit({ folder: workspace }, args))?.split('\n') ?? [];
  if (!common || !top || prefix === undefined) return null;
  const above = new Map<string, string>();
  for (let at = dirname(prefix); prefix !== ''; at = dirname(at)) {
    const path = at === '.' ? '.gitignore' : `${at}/.gitignore`;
    const text = await readSmall(join(top, path));
    if (text !== null) above.set(path, text);
    if (at === '.') break;
  }
  const outermost = await excludedIn(common);
  const isLeftAlone = prefix !== '' && ignoredBy(above, outermost)(prefix);
  return isLeftAlone ? null : { prefix, above, outermost };
}

/**
 * The patterns that git ignores in all trees of a repository, behind their own `.gitignore` files.
 *
 * @param common the folder of the repository
 */
export async function excludedIn(common: string): Promise<IgnoreRules | null> {
  const text = (await readSmall(join(common, 'info', 'exclude'))) ?? '';
  return /^[^#\s]/m.test(text) ? outermostRules(text) : null;
}
