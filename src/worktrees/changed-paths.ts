import { readGit, type StorePlace } from '../checkpoints/store-git.ts';

export interface Entry {
  readonly mode: string;
  readonly object: string;
}

/** One path of two trees; null = it is in none of that one. */
export interface ChangedPath {
  readonly path: string;
  readonly was: Entry | null;
  readonly is: Entry | null;
}

const GITLINK = '160000';

export const isBlob = ({ mode }: Entry): boolean => mode !== GITLINK;

const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) [A-Z]$/;

/** @throws StoreFailed */
export async function changedPaths(
  place: StorePlace,
  from: string,
  to: string,
): Promise<ChangedPath[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--no-abbrev', from, to];
  const parts = (await readGit(place, args)).toString().split('\0');
  const changes: ChangedPath[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, oldMode = '', newMode = '', before = '', after = ''] = RAW.exec(parts[at] ?? '') ?? [];
    const entry = (mode: string, object: string): Entry | null =>
      /^0*$/.test(mode) ? null : { mode, object };
    changes.push({
      path: parts[at + 1] ?? '',
      was: entry(oldMode, before),
      is: entry(newMode, after),
    });
  }
  return changes;
}

/** A tree may name what no file of a workspace is to be: git's own, or a place outside. */
export const isSafeName = (path: string): boolean =>
  path !== '' &&
  !path.includes('\uFFFD') &&
  !path.startsWith('/') &&
  path.split('/').every((part) => !/^(?:|\.{1,2}|\.git[ .]*|git~\d+)$/i.test(part));
