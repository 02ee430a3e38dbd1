import { access, constants, readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { CheckerSetting } from '../../schema/checker.ts';
import { scrubEnvironment } from '../workspace/helper/environment.ts';
import type { Checker } from './checker.ts';
import { configuredChecker, withConfigured } from './configured.ts';
import {
  parseBiome,
  parseCargo,
  parseCompileall,
  parseEslint,
  parseGo,
  parseMypy,
  parsePyright,
  parseRuff,
  parseTypescript,
} from './parse.ts';

/** A project may be set up for a checker before it is installed. */
interface DetectedChecker extends Checker {
  readonly isInstalled: boolean;
}

/** Answers with the checkers that the project is set up for, in a stable order. */
type Detector = (ground: Project) => Promise<DetectedChecker | null>;

interface Project {
  readonly has: (path: string) => Promise<boolean>;
  /** Empty where there is none. */
  readonly read: (path: string) => Promise<string>;
  readonly entries: readonly string[];
  /** Shell words of the paths that were asked for; empty = everything. */
  readonly paths: string;
}

const detectors: readonly Detector[] = [typescript, eslint, biome, python, ruff, mypy, go, cargo];

/** Only the project's own checkers count; one that it never chose proves little. */
export async function detectCheckers(
  workspace: string,
  paths: readonly string[] = [],
  configured: readonly CheckerSetting[] = [],
): Promise<Checker[]> {
  const found = await findCheckers(workspace, paths, configured);
  return found.filter(({ isInstalled }) => isInstalled);
}

/** Includes checkers that are not installed yet. */
export async function findCheckers(
  workspace: string,
  paths: readonly string[] = [],
  configured: readonly CheckerSetting[] = [],
): Promise<DetectedChecker[]> {
  const has = (path: string) =>
    access(join(workspace, path)).then(
      () => true,
      () => false,
    );
  const entries = await readdir(workspace).catch(() => []);
  const read = (path: string) => readFile(join(workspace, path), 'utf8').catch(() => '');
  const ground: Project = { has, read, entries, paths: paths.map(quoted).join(' ') };
  const found = await Promise.all(detectors.map((detect) => detect(ground)));
  const own = configured.map((setting) => ({
    ...configuredChecker(setting, ground.paths),
    isInstalled: true,
  }));
  return withConfigured(
    found.filter((checker) => checker !== null),
    own,
  );
}

/** A program of `node_modules/.bin`. */
const modulePath = (name: string): string => `./node_modules/.bin/${name}`;

async function typescript({ has }: Project): Promise<DetectedChecker | null> {
  if (!(await has('tsconfig.json'))) return null;
  const program = modulePath('tsc');
  return {
    name: 'tsc',
    command: `${program} --noEmit --pretty false -p tsconfig.json`,
    listing: `${program} --listFilesOnly -p tsconfig.json`,
    isNarrowed: false,
    program,
    configuration: /^tsconfig\.json$/,
    parse: parseTypescript,
    isInstalled: await has(program),
  };
}

async function eslint({ has, entries, paths }: Project): Promise<DetectedChecker | null> {
  const isConfigured = entries.some((name) => /^(eslint\.config\.|\.eslintrc)/.test(name));
  if (!isConfigured) return null;
  const program = modulePath('eslint');
  return {
    name: 'eslint',
    command: `${program} ${paths || '.'}`,
    isNarrowed: true,
    program,
    configuration: /(^|\/)(eslint\.config\.[^/]+|\.eslintrc[^/]*|\.eslintignore)$/,
    parse: parseEslint,
    isInstalled: await has(program),
  };
}

async function biome({ has, entries, paths }: Project): Promise<DetectedChecker | null> {
  const isConfigured = entries.some((name) => /^\.?biome\.jsonc?$/.test(name));
  if (!isConfigured) return null;
  const program = modulePath('biome');
  return {
    name: 'biome',
    command: `${program} lint --diagnostic-level=error ${paths || '.'}`,
    isNarrowed: true,
    program,
    configuration: /(^|\/)\.?biome\.jsonc?$/,
    parse: parseBiome,
    isInstalled: await has(program),
  };
}

async function python({ has, entries, paths }: Project): Promise<DetectedChecker | null> {
  const isPython = entries.some((name) =>
    /^(pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt)$|\.py$/.test(name),
  );
  if (!isPython) return null;
  for (const path of ['.venv/bin/pyright', 'node_modules/.bin/pyright']) {
    if (!(await has(path))) continue;
    const program = `./${path}`;
    const command = `${program} ${paths}`.trim();
    const configuration = /(^|\/)(pyrightconfig\.json|pyproject\.toml)$/;
    const known = { name: 'pyright', command, program, configuration, parse: parsePyright };
    return { ...known, isNarrowed: true, isInstalled: true };
  }
  return compiler(paths);
}

function compiler(paths: string): DetectedChecker {
  const left = "'(^|/)(\\.venv|venv|node_modules|\\.git|\\.tox)/'";
  return {
    name: 'python',
    // Output goes to a temporary folder; -I keeps workspace modules from replacing the compiler.
    command:
      'compiled="$(mktemp -d)" && ' +
      `trap 'rm -rf "$compiled"' EXIT && python3 -I -X pycache_prefix="$compiled" -m compileall -q -x ${left} ${paths || '.'}`,
    isNarrowed: true,
    program: 'python3',
    configuration: NOTHING,
    parse: parseCompileall,
    isInstalled: true,
  };
}

const NOTHING = /(?!)/;

/** Of each package its files, one a line. */
const GO_FILES = ['GoFiles', 'CgoFiles', 'TestGoFiles', 'XTestGoFiles']
  .map((kind) => `{{range .${kind}}}{{$.Dir}}/{{.}}{{"\\n"}}{{end}}`)
  .join('');

async function go({ has }: Project): Promise<DetectedChecker | null> {
  if (!(await has('go.mod'))) return null;
  return {
    name: 'go vet',
    command: 'go vet ./...',
    listing: `go list -e -f '${GO_FILES}' ./...`,
    isNarrowed: false,
    program: 'go',
    // A module inside of this one takes its folder out of `./...`.
    configuration: /(^|\/)go\.(work|mod)$/,
    parse: parseGo,
    isInstalled: true,
  };
}

const RUFF_FILES = /(^|\/)(\.?ruff\.toml|pyproject\.toml)$/;

async function ruff(ground: Project): Promise<DetectedChecker | null> {
  const { entries, read, paths } = ground;
  const isConfigured =
    entries.some((name) => /^\.?ruff\.toml$/.test(name)) ||
    /^\[tool\.ruff\b/m.test(await read('pyproject.toml'));
  if (!isConfigured) return null;
  const { program, isInstalled } = await pythonProgram('ruff', ground);
  return {
    name: 'ruff',
    command: `${program} check --no-cache --output-format concise ${paths || '.'}`,
    isNarrowed: true,
    program,
    configuration: RUFF_FILES,
    parse: parseRuff,
    isInstalled,
  };
}

const MYPY_FILES = /(^|\/)(\.?mypy\.ini|setup\.cfg|pyproject\.toml)$/;

async function mypy(ground: Project): Promise<DetectedChecker | null> {
  const { entries, read, paths } = ground;
  const isConfigured =
    entries.some((name) => /^\.?mypy\.ini$/.test(name)) ||
    /^\[tool\.mypy\b/m.test(await read('pyproject.toml')) ||
    /^\[mypy\]/m.test(await read('setup.cfg'));
  if (!isConfigured) return null;
  const { program, isInstalled } = await pythonProgram('mypy', ground);
  return {
    name: 'mypy',
    command: `${program} --cache-dir=/dev/null --show-column-numbers --no-color-output ${paths || '.'}`,
    isNarrowed: true,
    program,
    configuration: MYPY_FILES,
    parse: parseMypy,
    isInstalled,
  };
}

/** A program of the project's own environment, or else of the machine. */
async function pythonProgram(
  name: string,
  { has }: Project,
): Promise<{ program: string; isInstalled: boolean }> {
  for (const folder of ['.venv', 'venv']) {
    const path = `${folder}/bin/${name}`;
    if (await has(path)) return { program: `./${path}`, isInstalled: true };
  }
  return { program: name, isInstalled: await isOnPath(name) };
}

async function cargo({ has }: Project): Promise<DetectedChecker | null> {
  if (!(await has('Cargo.toml'))) return null;
  return {
    name: 'cargo check',
    command: 'cargo check --quiet --message-format short --all-targets',
    isNarrowed: false,
    program: 'cargo',
    configuration: /(^|\/)(Cargo\.toml|\.cargo\/config(\.toml)?|rust-toolchain(\.toml)?)$/,
    parse: parseCargo,
    isInstalled: true,
  };
}

async function isOnPath(program: string): Promise<boolean> {
  const folders = (scrubEnvironment(process.env).PATH ?? '').split(delimiter);
  const looks = folders.map((folder) => access(join(folder, program), constants.X_OK));
  return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled');
}

const quoted = (path: string): string => `'./${path.replaceAll("'", "'\\''")}'`;

export const KNOWN_CHECKERS =
  'tsc, eslint, biome, pyright, python, ruff, mypy, go vet or cargo check';
