import { runGit } from './run-git.ts';

/**
 * The rule by which git ignores a path, as a person finds it: `.gitignore:3: dist/`. Null where it
 * has none, as there is no repository. Whether git tracks the path nonetheless does not matter.
 *
 * @param path relative to the workspace; need not be there
 */
export async function ignoringRule(workspace: string, path: string): Promise<string | null> {
  const args = ['check-ignore', '-v', '--no-index', '--', path];
  const said = (await runGit({ folder: workspace }, args)) ?? '';
  const [, source = '', line = '', pattern = ''] = /^(.*?):(\d+):(.*)\t/s.exec(said) ?? [];
  // A pattern that takes back is told as well.
  if (pattern === '' || pattern.startsWith('!')) return null;
  return `${source.replace(/^.*\/(?=info\/exclude$)/, '')}:${line}: ${pattern}`;
}
