import { folderOf, nameOf } from '../scope/code-files.ts';
import { isAside, isJudgeLike } from '../scope/judge-like.ts';
import { Json } from '../scope/tree.ts';

/** How packages come to be where a proof needs them. */
export interface Setup {
  readonly tool: 'npm' | 'pnpm' | 'declared';
  /** Where the command runs; '' is the top of the tree. */
  readonly folder: string;
  readonly command: string;
  /** Paths of all that decides what is installed, sorted; null = the whole tree. */
  readonly inputs: readonly string[] | null;
}

interface Files {
  readonly paths: Iterable<string>;
  /** Null where it is no file. */
  readonly read: (path: string) => Promise<string | null>;
}

/** Scripts of packages never run here: the network is open. */
const COMMANDS = {
  npm: 'npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1',
  pnpm: 'pnpm install --frozen-lockfile --ignore-scripts --fetch-retries=1',
} as const;

/** More of them are not looked for. */
const MOST_SETUPS = 10;

/** The setups that lock files of the project speak for. */
export async function detectSetups({ paths, read }: Files): Promise<Setup[]> {
  const all = [...paths].sort();
  const known = new Set(all);
  const setups: Setup[] = [];
  for (const folder of foldersWith(all, ['package-lock.json', 'npm-shrinkwrap.json'])) {
    const inputs = await npmInputs(folder, known, read);
    if (inputs !== null) setups.push({ tool: 'npm', folder, command: COMMANDS.npm, inputs });
  }
  for (const folder of foldersWith(all, ['pnpm-lock.yaml'])) {
    const inputs = all.filter((path) => isBelow(folder, path) && PNPM_INPUTS.has(nameOf(path)));
    setups.push({ tool: 'pnpm', folder, command: COMMANDS.pnpm, inputs });
  }
  return setups.slice(0, MOST_SETUPS);
}

const PNPM_INPUTS = new Set([
  ...['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', '.pnpmfile.cjs'],
]);

const isBelow = (folder: string, path: string): boolean =>
  folder === '' || path.startsWith(`${folder}/`);

/** Folders of the product: what a test installs is its own. */
const foldersWith = (paths: readonly string[], names: readonly string[]): string[] => [
  ...new Set(
    paths
      .filter((path) => names.includes(nameOf(path)))
      .map(folderOf)
      .filter((folder) => folder === '' || !(isAside(folder) || isJudgeLike(`${folder}/x.js`))),
  ),
];

const at = (folder: string, path: string): string => (folder === '' ? path : `${folder}/${path}`);

/** @returns null where nothing is to be installed */
async function npmInputs(
  folder: string,
  known: ReadonlySet<string>,
  read: Files['read'],
): Promise<string[] | null> {
  const lock = npmLock(folder, known);
  const packages = jsonOf(await read(lock)).at('packages');
  const places = packages.entries.map(([place]) => place);
  if (!places.some((place) => place.includes('node_modules/'))) return null;
  const members = places.filter((place) => !place.includes('node_modules/'));
  const manifests = members.map((member) => at(folder, at(member, 'package.json')));
  return [lock, at(folder, '.npmrc'), ...manifests].filter((path) => known.has(path)).sort();
}

/** Npm heeds the first of them. */
export const npmLock = (folder: string, known: { has(path: string): boolean }): string => {
  const shrinkwrap = at(folder, 'npm-shrinkwrap.json');
  return known.has(shrinkwrap) ? shrinkwrap : at(folder, 'package-lock.json');
};

export function jsonOf(text: string | null): Json {
  try {
    return new Json(JSON.parse(text ?? ''));
  } catch {
    return new Json(undefined);
  }
}
