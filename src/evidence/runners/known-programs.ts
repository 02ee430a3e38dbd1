import type { Runner } from '../../proof/test-report.ts';

/** Programs that run the command in their arguments, with the number of their own words to skip. */
const WRAPPERS: Readonly<Record<string, (words: readonly string[]) => number>> = {
  time: () => 1,
  command: () => 1,
  exec: () => 1,
  nice: skipOptions,
  nohup: () => 1,
  'xvfb-run': skipOptions,
  c8: skipOptions,
  nyc: skipOptions,
  env: skipAssignments,
  'cross-env': skipAssignments,
  'cross-env-shell': skipAssignments,
  timeout: (words) => skipOptions(words) + 1,
  dotenv: (words) => words.indexOf('--') + 1 || 1,
  poetry: (words) => (words[1] === 'run' ? 2 : 0),
  pipenv: (words) => (words[1] === 'run' ? 2 : 0),
  pdm: (words) => (words[1] === 'run' ? 2 : 0),
  uv: (words) => (words[1] === 'run' ? 2 : 0),
  rye: (words) => (words[1] === 'run' ? 2 : 0),
  coverage: (words) => (words[1] === 'run' ? skipOptions(words.slice(1)) + 1 : 0),
};

function skipOptions(words: readonly string[]): number {
  let index = 1;
  while (words[index]?.startsWith('-') && words[index] !== '-m') index += 1;
  return index;
}

function skipAssignments(words: readonly string[]): number {
  let index = 1;
  while (/^(-|[A-Za-z_]\w*=)/.test(words[index] ?? '')) index += 1;
  return index;
}

/** The program that does the work, without the wrappers before it. */
export function unwrap(words: readonly string[]): readonly string[] {
  const [program = ''] = words;
  const skipped = WRAPPERS[program]?.(words) ?? 0;
  if (skipped === 0 || skipped >= words.length) return words;
  // `coverage run -m pytest`
  return unwrap(words[skipped] === '-m' ? words.slice(skipped + 1) : words.slice(skipped));
}

/** The test runner of a command, as far as its words tell. */
export function runnerOf(words: readonly string[]): Runner | null {
  const [path = '', second = '', third = ''] = words;
  const program = path.slice(path.lastIndexOf('/') + 1);
  if (/^python[\d.]*$/.test(program) && second === '-m') return runnerOf([third]);
  if (/^(node|tsx)$/.test(program)) {
    return words.includes('--test') ? 'node:test' : runnerByPath(words);
  }
  if (program === 'react-scripts' && second === 'test') return 'jest';
  if (program === 'go' && second === 'test') return 'go test';
  if (program === 'cargo' && second === 'test') return 'cargo test';
  return BY_NAME[program] ?? null;
}

/** `node --experimental-vm-modules node_modules/jest/bin/jest.js` */
function runnerByPath(words: readonly string[]): Runner | null {
  const path = words.find((word) => /(^|\/)(jest|vitest|mocha)(\.m?js)?$/.test(word)) ?? '';
  return BY_NAME[path.slice(path.lastIndexOf('/') + 1).replace(/\.m?js$/, '')] ?? null;
}

const BY_NAME: Readonly<Record<string, Runner>> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  pytest: 'pytest',
  'py.test': 'pytest',
  unittest: 'unittest',
};

const BUILT_IN =
  'cd test [ [[ echo printf true false exit export set unset : return pwd read wait shift local eval source . trap ulimit umask type hash';

const PLAIN =
  'grep egrep fgrep rg cat ls head tail wc sort uniq cut tr diff cmp find xargs stat mkdir rm rmdir cp mv touch ln chmod sleep date seq basename dirname realpath tee jq awk sed curl kill ps git sha256sum md5sum node tsx python python3 ruby perl sh bash dash';
const CHECKERS = 'tsc vue-tsc eslint biome mypy ruff flake8';
/** Programs that start no test runner by themselves. */
export const RUNS_NO_TESTS: ReadonlySet<string> = new Set(
  `${BUILT_IN} ${PLAIN} ${CHECKERS}`.split(' '),
);
