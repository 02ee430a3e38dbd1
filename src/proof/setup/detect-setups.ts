import { folderOf, nameOf } from '../scope/code-files.ts';
import { isAside, isJudgeLike } from '../scope/judge-like.ts';
import { managers } from './managers/all.ts';
import { at, type Ground, type PackageManager, type Setup } from './setup.ts';

interface Files extends Pick<Ground, 'read' | 'commands'> {
  readonly paths: Iterable<string>;
}

/** A lock file that no setup comes of. */
export interface UnusedLock {
  readonly tool: string;
  readonly lock: string;
  /** For people: what is the matter, and the way out. */
  readonly why: string;
}

export interface Detected {
  readonly setups: readonly Setup[];
  readonly unused: readonly UnusedLock[];
}

/** More of them are not looked for. */
const MOST_SETUPS = 10;

/** The setups that lock files of the project speak for. */
export async function detectSetups({ paths, read, commands }: Files): Promise<Detected> {
  const all = [...paths].sort();
  const known = new Set(all);
  const ground = { all, has: (path: string) => known.has(path), read, commands };
  const setups: Setup[] = [];
  const unused: UnusedLock[] = [];
  const unusedBy = ({ tool, lock, why }: UnusedLock) => unused.push({ tool, lock, why });
  for (const [manager, folder] of managers.flatMap((one) => placesOf(one, all))) {
    const { tool, locks } = manager;
    const lock = locks.map((name) => at(folder, name)).find((path) => known.has(path)) ?? '';
    const plan = await manager.setupOf(folder, lock, ground);
    if (plan === null) continue;
    if ('why' in plan) unusedBy({ tool, lock, why: plan.why });
    else {
      const filled = setups.find(
        (one) => plan.installs !== undefined && one.installs === plan.installs,
      );
      if (filled !== undefined) {
        unusedBy({ tool, lock, why: `${filled.lock} fills the same folder, and is used` });
      } else if (setups.length === MOST_SETUPS) {
        unusedBy({ tool, lock, why: `${MOST_SETUPS} others are used: name commands (--setup)` });
      } else setups.push({ tool, folder, lock, ...plan });
    }
  }
  return { setups, unused };
}

/** The manager by which a setup was found; null where a person declared it. */
export const managerOf = ({ tool }: Setup): PackageManager | null =>
  managers.find((one) => one.tool === tool) ?? null;

/** Is it a file by which packages are added? */
export const mayAdd = (path: string): boolean =>
  managers.some(({ additions }) => additions?.changes.test(path));

const placesOf = (manager: PackageManager, all: readonly string[]) =>
  foldersWith(all, manager.locks)
    .filter((folder) => folder === '' || manager.isAtTop !== true)
    .map((folder) => [manager, folder] as const);

/** Folders of the product: what a test installs is its own. */
const foldersWith = (paths: readonly string[], names: readonly string[]): string[] => [
  ...new Set(
    paths
      .filter((path) => names.includes(nameOf(path)))
      .map(folderOf)
      .filter((folder) => folder === '' || !(isAside(folder) || isJudgeLike(`${folder}/x.js`))),
  ),
];
