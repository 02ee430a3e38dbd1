import { dirname } from 'node:path';
import { runGit } from './run-git.ts';

/**
 * The submodule that a path is or lies in, as each of the commits has it; null = none. The index is not
 * asked, which a goal's commands write.
 *
 * @param path relative to the workspace
 */
export async function submoduleAround(
  workspace: string,
  path: string,
  commits: readonly string[],
): Promise<string | null> {
  const folders = wayTo(path);
  const listed = await Promise.all(
    commits.map(async (commit) => {
      const args = ['ls-tree', '-z', commit, '--', ...folders];
      return (await runGit({ folder: workspace }, args))?.split('\0') ?? [];
    }),
  );
  const isLink = (folder: string) =>
    listed.every((lines) =>
      lines.some((line) => line.startsWith('160000 ') && line.endsWith(`\t${folder}`)),
    );
  return folders.find(isLink) ?? null;
}

const wayTo = (path: string): string[] => (path === '.' ? [] : [...wayTo(dirname(path)), path]);
