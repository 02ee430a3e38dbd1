import { runGit } from './run-git.ts';

export interface CommittedFile {
  /** As git writes it; links are 120000. */
  readonly mode: string;
  readonly object: string;
}

/**
 * Files and links of a commit, by path relative to the folder.
 * @param commit its id, in full
 * @returns null where the repository doesn't have it
 */
export async function filesOfCommit(
  folder: string,
  commit: string,
): Promise<ReadonlyMap<string, CommittedFile> | null> {
  const listed = await runGit({ folder }, ['ls-tree', '-r', '-z', `${commit}^{commit}`]);
  if (listed === null) return null;
  const files = new Map<string, CommittedFile>();
  for (const line of listed.split('\0')) {
    const [, mode, object, path] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || object === undefined || path === undefined) continue;
    files.set(path, { mode: mode === '100664' ? '100644' : mode, object });
  }
  return files;
}
