import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftOut } from '../workspace/folder-index.ts';

/**
 * All files and links of a folder but those that these rules ignore; installed packages and git's
 * own folders are no part of it. The rules in the folder itself have no say: they could hide files.
 *
 * @param isIgnored of folders with a trailing slash
 */
export async function pathsIn(
  root: string,
  isIgnored: (path: string) => boolean,
): Promise<string[]> {
  const paths: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      if (isLeftOut(entry.name)) continue;
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) {
        if (!isIgnored(path)) paths.push(path);
      } else if (!isIgnored(`${path}/`)) folders.push(`${path}/`);
    }
  }
  return paths;
}
