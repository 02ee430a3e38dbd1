import { folderOf, nameOf } from '../scope/code-files.ts';
import { isAside, isJudgeLike } from '../scope/judge-like.ts';
import { Json } from '../scope/tree.ts';

/** How packages come to be where a proof needs them. */
export interface Setup {
  readonly tool: 'npm' | 'pnpm' | 'pip' | 'go' | 'maven' | 'declared';
  /** Where the command runs; '' is the top of the tree. */
  readonly folder: string;
  readonly command: string;
  /** Paths of all that decides what is installed, sorted; null = the whole tree. */
  readonly inputs: readonly string[] | null;
  /** The command needs files beside its inputs, and gets those of the original. */
  readonly needsTree?: boolean;
  /** What it installs works under one path only. */
  readonly isBoundToPath?: boolean;
}

interface Files {
  readonly paths: Iterable<string>;
  /** Null where it is no file. */
  readonly read: (path: string) => Promise<string | null>;
  /** Commands of the criteria. */
  readonly commands: readonly string[];
}

/** Scripts of packages never run here: the network is open. */
const COMMANDS = {
  npm: 'npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1',
  pnpm: 'pnpm install --frozen-lockfile --ignore-scripts --fetch-retries=1',
} as const;

/** More of them are not looked for. */
const MOST_SETUPS = 10;

/** The setups that lock files of the project speak for. */
export async function detectSetups({ paths, read, commands }: Files): Promise<Setup[]> {
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
  return [
    ...setups,
    ...pipSetup(known, commands),
    ...foldersWith(all, ['go.sum']).flatMap((folder) => goSetup(folder, all)),
    ...(known.has('pom.xml') ? [mavenSetup(all)] : []),
  ].slice(0, MOST_SETUPS);
}

const REQUIREMENTS = [
  ...['requirements.txt', 'requirements-dev.txt', 'requirements-test.txt'],
  ...['dev-requirements.txt', 'test-requirements.txt', 'requirements_dev.txt'],
];

/** An environment is made where a check runs a program of one: wheels alone, which run nothing. */
function pipSetup(known: ReadonlySet<string>, commands: readonly string[]): Setup[] {
  const [, environment] = /(?:^|[\s;&|'"(./])(\.?venv|env)\/bin\//.exec(commands.join('\n')) ?? [];
  const inputs = REQUIREMENTS.filter((path) => known.has(path)).sort();
  if (environment === undefined || inputs.length === 0) return [];
  const install = `${environment}/bin/python -m pip install --no-input --disable-pip-version-check`;
  const files = inputs.map((path) => `-r ${path}`).join(' ');
  const command = `python3 -m venv ${environment} && ${install} --only-binary :all: ${files}`;
  const others = ['pip.conf', 'constraints.txt'].filter((path) => known.has(path));
  const own = { folder: '', command, inputs: [...inputs, ...others].sort() };
  return [{ tool: 'pip', ...own, needsTree: true, isBoundToPath: true }];
}

/** Go compares what it fetches with `go.sum`. */
function goSetup(folder: string, all: readonly string[]): Setup[] {
  if (all.includes(at(folder, 'vendor/modules.txt'))) return [];
  // A workspace of modules lies above or beside them.
  const inputs = all.filter((path) => GO_INPUTS.has(nameOf(path)));
  return [{ tool: 'go', folder, command: 'go mod download', inputs }];
}

const GO_INPUTS = new Set(['go.mod', 'go.sum', 'go.work', 'go.work.sum']);

/** Maven says what a build needs only by building, here the original. */
function mavenSetup(all: readonly string[]): Setup {
  const inputs = all.filter((path) => nameOf(path) === 'pom.xml' || path.startsWith('.mvn/'));
  const command = 'mvn -B -q test -Dmaven.test.failure.ignore=true';
  return { tool: 'maven', folder: '', command, inputs, needsTree: true };
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
