import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A program of the project that finds errors without running anything. */
export interface Checker {
  readonly name: string;
  readonly command: string;
  /** True when the command itself looks only at the given paths. */
  readonly isNarrowed: boolean;
}

/** Answers with the checkers that are there, in a stable order. */
type Detector = (ground: Ground) => Promise<Checker | null>;

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

async function typescript({ has }: Ground): Promise<Checker | null> {
  if (!(await has('tsconfig.json')) || !(await has('node_modules/.bin/tsc'))) return null;
  const command = './node_modules/.bin/tsc --noEmit --pretty false -p tsconfig.json';
  return { name: 'tsc', command, isNarrowed: false };
}

async function eslint({ has, entries, paths }: Ground): Promise<Checker | null> {
  const isConfigured = entries.some((name) => /^(eslint\.config\.|\.eslintrc)/.test(name));
  if (!isConfigured || !(await has('node_modules/.bin/eslint'))) return null;
  return {
    name: 'eslint',
    command: `./node_modules/.bin/eslint ${paths || '.'}`,
    isNarrowed: true,
  };
}

async function biome({ has, entries, paths }: Ground): Promise<Checker | null> {
  const isConfigured = entries.some((name) => /^\.?biome\.jsonc?$/.test(name));
  if (!isConfigured || !(await has('node_modules/.bin/biome'))) return null;
  const command = `./node_modules/.bin/biome lint --diagnostic-level=error ${paths || '.'}`;
  return { name: 'biome', command, isNarrowed: true };
}

async function python({ has, entries, paths }: Ground): Promise<Checker | null> {
  const isPython = entries.some((name) =>
    /^(pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt)$|\.py$/.test(name),
  );
  if (!isPython) return null;
  for (const program of ['.venv/bin/pyright', 'node_modules/.bin/pyright']) {
    if (!(await has(program))) continue;
    return { name: 'pyright', command: `./${program} ${paths}`.trim(), isNarrowed: true };
  }
  const left = "'(^|/)(\\.venv|venv|node_modules|\\.git|\\.tox)/'";
  return {
    name: 'python',
    // What it compiles goes to a folder that nobody keeps.
    command:
      'PYTHONPYCACHEPREFIX="$(mktemp -d)" && export PYTHONPYCACHEPREFIX && ' +
      `trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT && python3 -m compileall -q -x ${left} ${paths || '.'}`,
    isNarrowed: true,
  };
}

async function go({ has }: Ground): Promise<Checker | null> {
  if (!(await has('go.mod'))) return null;
  return { name: 'go vet', command: 'go vet ./...', isNarrowed: false };
}

const quoted = (path: string): string => `'./${path.replaceAll("'", "'\\''")}'`;
