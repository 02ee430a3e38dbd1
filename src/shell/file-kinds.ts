import { hasMagic, matchesWhole } from '../../schema/glob.ts';

const TEST_FOLDERS = /(^|\/)(tests?|__tests__|specs?|__snapshots__)\//;

const TEST_NAMES =
  /(\.|_|-)(test|tests|spec)\.[A-Za-z]+$|(^|\/)test_[^/]+\.py$|_test\.(go|py)$|\.snap$/;

/** Is this a file of tests, or one beside them that they use? */
export function isTestFile(path: string): boolean {
  if (path.includes(':') || path.includes('#')) return false;
  return (TEST_FOLDERS.test(path) || TEST_NAMES.test(path)) && !isRunnerFile(path);
}

/** Files by which a runner decides what a check means; a change to one weakens or moves it. */
const RUNNER_FILES = [
  '.npmrc',
  '.pnpmfile.cjs',
  'pnpm-workspace.yaml',
  '.yarnrc',
  '.yarnrc.yml',
  '.mocharc*',
  '.taprc',
  'ava.config.*',
  'jest.config.*',
  'jest.setup.*',
  'vitest.config.*',
  'vitest.setup.*',
  'vitest.workspace.*',
  'vite.config.*',
  'playwright.config.*',
  'karma.conf.*',
  'babel.config.*',
  '.babelrc*',
  '.swcrc',
  'tsconfig*.json',
  'eslint.config.*',
  '.eslintrc*',
  '.eslintignore',
  'biome.json',
  'biome.jsonc',
  'turbo.json',
  'nx.json',
  'project.json',
  'pytest.ini',
  '.pytest.ini',
  'setup.cfg',
  'tox.ini',
  'noxfile.py',
  'conftest.py',
  'sitecustomize.py',
  '.python-version',
  '.nvmrc',
  '.node-version',
  '.tool-versions',
  'pyproject.toml',
  'Makefile',
  'makefile',
  'GNUmakefile',
  '*.mk',
  'justfile',
  'Taskfile.yml',
  'go.work',
];

const RUNNER_NAMES: ReadonlySet<string> = new Set(RUNNER_FILES);
const RUNNER_GLOB = `{${RUNNER_FILES.filter(hasMagic).join(',')}}`;

/** Is this the configuration of something that runs checks? */
export function isRunnerFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return RUNNER_NAMES.has(name) || matchesWhole(RUNNER_GLOB, name);
}

/** Is this a file that some check may rest on: a test, or the configuration of what runs it? */
export const isBasisFile = (path: string): boolean => isTestFile(path) || isRunnerFile(path);
