import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A program of the project that finds errors without running anything. */
export interface Checker {
  readonly name: string;
  readonly command: string;
  /** True when the command itself looks only at the given paths. */
  readonly isNarrowed: boolean;
  /** What its command starts. */
  readonly program: string;
  /** Files by which the project tells it what an error is. */
  readonly configuration: RegExp;
}

/** A project may be set up for a checker before it is installed. */
interface Found extends Checker {
  readonly isInstalled: boolean;
}

/** Answers with the checkers that the project is set up for, in a stable order. */
type Detector = (ground: Ground) => Promise<Found | null>;

interface Ground {
  readonly has: (path: string) => Promise<boolean>;
  readonly entries: readonly string[];
  /** Shell words of the paths that were asked for; empty = everything. */
  readonly paths: string;
}

const detectors: readonly Detector[] = [typescript, eslint, biome, python, go];

/** Only what the project brings along: an installed checker that it never chose proves little. */
export async function detectCheckers(
  workspace: string,
  paths: readonly string[] = [],
): Promise<Checker[]> {
  return (await findCheckers(workspace, paths)).filter(({ isInstalled }) => isInstalled);
}

/** Also those that wait for their installation. */
export async function findCheckers(
  workspace: string,
  paths: readonly string[] = [],
): Promise<Found[]> {
  const has = (path: string) =>
    access(join(workspace, path)).then(
      () => true,
      () => false,
    );
  const entries = await readdir(workspace).catch(() => []);
  const ground: Ground = { has, entries, paths: paths.map(quoted).join(' ') };
  const found = await Promise.all(detectors.map((detect) => detect(ground)));
  return found.filter((checker) => checker !== null);
}

/** A program of `node_modules/.bin`. */
const modulePath = (name: string): string => `./node_modules/.bin/${name}`;

async function typescript({ has }: Ground): Promise<Found | null> {
  if (!(await has('tsconfig.json'))) return null;
  const program = modulePath('tsc');
  return {
    name: 'tsc',
    command: `${program} --noEmit --pretty false -p tsconfig.json`,
    isNarrowed: false,
    program,
    configuration: /^tsconfig\.json$/,
    isInstalled: await has(program),
  };
}

async function eslint({ has, entries, paths }: Ground): Promise<Found | null> {
  const isConfigured = entries.some((name) => /^(eslint\.config\.|\.eslintrc)/.test(name));
  if (!isConfigured) return null;
  const program = modulePath('eslint');
  return {
    name: 'eslint',
    command: `${program} ${paths || '.'}`,
    isNarrowed: true,
    program,
    configuration: /(^|\/)(eslint\.config\.[^/]+|\.eslintrc[^/]*|\.eslintignore)$/,
    isInstalled: await has(program),
  };
}

async function biome({ has, entries, paths }: Ground): Promise<Found | null> {
  const isConfigured = entries.some((name) => /^\.?biome\.jsonc?$/.test(name));
  if (!isConfigured) return null;
  const program = modulePath('biome');
  return {
    name: 'biome',
    command: `${program} lint --diagnostic-level=error ${paths || '.'}`,
    isNarrowed: true,
    program,
    configuration: /(^|\/)\.?biome\.jsonc?$/,
    isInstalled: await has(program),
  };
}

async function python({ has, entries, paths }: Ground): Promise<Found | null> {
  const isPython = entries.some((name) =>
    /^(pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt)$|\.py$/.test(name),
  );
  if (!isPython) return null;
  for (const path of ['.venv/bin/pyright', 'node_modules/.bin/pyright']) {
    if (!(await has(path))) continue;
    const program = `./${path}`;
    const command = `${program} ${paths}`.trim();
    const configuration = /(^|\/)(pyrightconfig\.json|pyproject\.toml)$/;
    const known = { name: 'pyright', command, program, configuration };
    return { ...known, isNarrowed: true, isInstalled: true };
  }
  return compiler(paths);
}

function compiler(paths: string): Found {
  const left = "'(^|/)(\\.venv|venv|node_modules|\\.git|\\.tox)/'";
  return {
    name: 'python',
    // What it compiles goes to a folder that nobody keeps; -I, so that no module of the workspace
    // can take the compiler's place.
    command:
      'compiled="$(mktemp -d)" && ' +
      `trap 'rm -rf "$compiled"' EXIT && python3 -I -X pycache_prefix="$compiled" -m compileall -q -x ${left} ${paths || '.'}`,
    isNarrowed: true,
    program: 'python3',
    configuration: NOTHING,
    isInstalled: true,
  };
}

const NOTHING = /(?!)/;

async function go({ has }: Ground): Promise<Found | null> {
  if (!(await has('go.mod'))) return null;
  return {
    name: 'go vet',
    command: 'go vet ./...',
    isNarrowed: false,
    program: 'go',
    // A module inside of this one takes its folder out of `./...`.
    configuration: /(^|\/)go\.(work|mod)$/,
    isInstalled: true,
  };
}

const quoted = (path: string): string => `'./${path.replaceAll("'", "'\\''")}'`;
