/** Files by which a runner decides what a check means; a change to one weakens or moves it. */
const RUNNER_FILES = [
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.mocharc*',
  'jest.config.*',
  'vitest.config.*',
  'vite.config.*',
  'playwright.config.*',
  'karma.conf.*',
  'babel.config.*',
  'tsconfig*.json',
  'eslint.config.*',
  '.eslintrc*',
  'biome.json',
  'biome.jsonc',
  'pytest.ini',
  'setup.cfg',
  'tox.ini',
  'noxfile.py',
  'conftest.py',
  'pyproject.toml',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'justfile',
  'Taskfile.yml',
];

const TEST_FOLDERS = /(^|\/)(tests?|__tests__|specs?)\//;
const TEST_NAMES = /(\.|_|-)(test|tests|spec)\.[A-Za-z]+$|(^|\/)test_[^/]+\.py$|_test\.go$/;

const RUNNER_NAMES = RUNNER_FILES.map(
  (glob) => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
);

/** Is this a file that a check rests on: a test, or the configuration of what runs it? */
export function isBasisFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    TEST_FOLDERS.test(path) || TEST_NAMES.test(path) || RUNNER_NAMES.some((glob) => glob.test(name))
  );
}

/** Sections of package.json that configure a runner; dependencies may change freely. */
const RUNNER_SECTIONS = ['scripts', 'jest', 'mocha', 'ava', 'tap', 'c8', 'nyc', 'type'];

/** Entries `script:<section>.<name>` → text, for what a package.json says of its checks. */
export function packageBasis(text: string): Record<string, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { 'package.json': text };
  }
  const sections = Object.entries((parsed ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    sections
      .filter(([section]) => RUNNER_SECTIONS.includes(section))
      .flatMap(([section, value]) => entriesOf(section, value)),
  );
}

function entriesOf(section: string, value: unknown): [string, string][] {
  if (section !== 'scripts' || typeof value !== 'object' || value === null) {
    return [[`package.json#${section}`, JSON.stringify(value)]];
  }
  return Object.entries(value).map(([name, script]) => [
    `package.json#scripts.${name}`,
    String(script),
  ]);
}

/**
 * What changed or vanished since the baseline, but for what a person accepted as it is now (null:
 * accepted as gone). New files and scripts don't weaken a check.
 * @returns names in order, such as `test/sum.test.js` or `package.json#scripts.test`
 */
export function weakenedBasis(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  accepted: Readonly<Record<string, string | null>> = {},
): string[] {
  return Object.keys(before)
    .filter((name) => now[name] !== before[name] && accepted[name] !== (now[name] ?? null))
    .sort();
}
