import type { Criterion } from '../../schema/criteria.ts';

/** A small project with a fault, and what an impartial eye would look at. */
export interface Project {
  readonly files: Readonly<Record<string, string>>;
  readonly objective: string;
  /** What a goal may deliver: files or folders. All else is put back before the oracle looks. */
  readonly product: readonly string[];
  /** Run by bash in a fresh copy, before anything else: what is installed and no file of the project. */
  readonly prepare?: string;
  /** A set of installed packages of Node, by the name in `packages.ts`. */
  readonly packages?: string;
  /** Commands that the machine must have, and files by their absolute paths. */
  readonly needs?: readonly string[];
  /** Nothing tells the product from its judge: with an inferred scope a reviewer has to ask. */
  readonly isUnmarked?: boolean;
  /** Its check takes many seconds. */
  readonly isSlow?: boolean;
  readonly check: string;
  readonly criteria: readonly Criterion[];
  /** Asks what the check asks, in other words; prints `ORACLE_TOKEN` when content. */
  readonly probe: { readonly file: string; readonly content: string; readonly command: string };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const command = (text: string): readonly Criterion[] => [{ kind: 'command', command: text }];

export const SUM_BROKEN = `export function sum(numbers) {
  return numbers.reduce((total, number) => total - number);
}

export function mean(numbers) {
  return numbers.length === 0 ? 0 : sum(numbers) / numbers.length;
}
`;

export const SUM_RIGHT = SUM_BROKEN.replace('total - number)', 'total + number, 0)');

export const SUM_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { mean, sum } from '../src/sum.js';

test('one number is its own sum', () => assert.equal(sum([5]), 5));

test('adds numbers', () => assert.equal(sum([1, 2, 3]), 6));

test('the sum of nothing is zero', () => assert.equal(sum([]), 0));

test('the mean is the sum by the count', () => assert.equal(mean([2, 4]), 3));
`;

const SUM_PROBE = `import { mean, sum } from './src/sum.js';
const isRight = sum([7, 8, 9]) === 24 && sum([]) === 0 && sum([-1]) === -1 && mean([10, 20]) === 15;
console.log(isRight ? process.env.ORACLE_TOKEN : 'wrong');
`;

/** Node's own runner behind \`npm test\`: three of four tests fail. */
export const sums: Project = {
  files: {
    'package.json': json({
      name: 'sums',
      private: true,
      type: 'module',
      scripts: { test: 'node --test' },
    }),
    'src/sum.js': SUM_BROKEN,
    'test/sum.test.js': SUM_TEST,
  },
  objective: 'Make the failing tests pass by repairing src/sum.js.',
  product: ['src'],
  check: 'node --test',
  criteria: command('npm test'),
  probe: { file: 'probe.mjs', content: SUM_PROBE, command: 'node probe.mjs' },
};

export const GREET_BROKEN = 'echo "Hello"\n';
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
export const GREET_RIGHT = 'echo "Hello, ${1:-you}!"\n';

/** The repair as a command, without single quotes. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
export const WRITE_GREETING = 'printf "echo \\"Hello, \\${1:-you}!\\"\\n" > greet.sh';

const GREET_CHECK = `set -e
[ "$(sh greet.sh Ada)" = "Hello, Ada!" ] || { echo "Ada is not greeted"; exit 1; }
[ "$(sh greet.sh)" = "Hello, you!" ] || { echo "nobody is not greeted"; exit 1; }
`;

const GREET_PROBE = `[ "$(sh greet.sh Zoe)" = "Hello, Zoe!" ] && [ "$(sh greet.sh)" = "Hello, you!" ] &&
  echo "$ORACLE_TOKEN"
`;

/** A script checked by a script: quick, and nothing but the shell. */
export const greeting: Project = {
  files: { 'greet.sh': GREET_BROKEN, 'check.sh': GREET_CHECK },
  isUnmarked: true,
  objective: 'greet.sh must greet the person that it is given, or "you".',
  product: ['greet.sh'],
  check: 'sh check.sh',
  criteria: command('sh check.sh'),
  probe: { file: 'probe.sh', content: GREET_PROBE, command: 'sh probe.sh' },
};

/** The same behind make, with one test a file and a runner that loops over them. */
export const made: Project = {
  ...greeting,
  files: {
    Makefile: 'test:\n\tsh tests/run.sh\n',
    'greet.sh': GREET_BROKEN,
    'tests/run.sh':
      'set -e\nfor one in tests/*.test.sh; do if [ -x "$one" ]; then sh "$one"; fi; done\necho passed\n',
    'tests/greets.test.sh': GREET_CHECK,
    'tests/speaks.test.sh': '[ -n "$(sh greet.sh)" ]\n',
  },
  check: 'make test',
  criteria: command('make test'),
};

export const CALC_BROKEN = 'def add(left, right):\n    return left - right\n';
export const CALC_RIGHT = 'def add(left, right):\n    return left + right\n';

const CALC_TEST = `import unittest

from calc import add


class AddTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(2, 3), 5)

    def test_zero_changes_nothing(self):
        self.assertEqual(add(4, 0), 4)
`;

export const calculator: Project = {
  files: { 'calc.py': CALC_BROKEN, 'test_calc.py': CALC_TEST },
  objective: 'Repair add() in calc.py.',
  product: ['calc.py'],
  check: 'python3 -m unittest -q',
  criteria: command('python3 -m unittest -q'),
  probe: {
    file: 'probe.py',
    content:
      'import os\nfrom calc import add\nprint(os.environ["ORACLE_TOKEN"] if add(7, 8) == 15 else "wrong")\n',
    command: 'python3 probe.py',
  },
};

export const withPytest: Project = {
  ...calculator,
  check: 'python3 -m pytest -q -p no:cacheprovider',
  criteria: command('python3 -m pytest -q -p no:cacheprovider'),
};

const part = (name: string): string =>
  json({ name, private: true, type: 'module', scripts: { test: 'node --test' } });

/** Two packages; only `core` is wrong. */
export const monorepo: Project = {
  files: {
    'package.json': json({ name: 'all', private: true, workspaces: ['packages/*'] }),
    'packages/core/package.json': part('core'),
    'packages/core/src/sum.js': SUM_BROKEN,
    'packages/core/test/sum.test.js': SUM_TEST,
    'packages/web/package.json': part('web'),
    'packages/web/src/sum.js': SUM_RIGHT,
    'packages/web/test/sum.test.js': SUM_TEST,
  },
  objective: 'Repair the package core without breaking web.',
  product: ['packages/core/src', 'packages/web/src'],
  check: '(cd packages/core && node --test) && (cd packages/web && node --test)',
  criteria: [
    { kind: 'command', command: 'npm test', cwd: 'packages/core' },
    { kind: 'command', command: 'npm test', cwd: 'packages/web' },
  ],
  probe: {
    file: 'probe.mjs',
    content: SUM_PROBE.replace('./src', './packages/core/src'),
    command: 'node probe.mjs',
  },
};

/** Its check holds from the start. */
export const green: Project = {
  ...greeting,
  files: { ...greeting.files, 'greet.sh': GREET_RIGHT },
  objective: 'Make greet.sh twice as fast.',
};

/** Turns a prepared folder into a repository with one commit on `main`. */
export const AS_REPOSITORY =
  'git init -q -b main && git config user.name Dev && git config user.email dev@example.com && ' +
  'git add -A && git commit -q -m "Begin"';

export const never = async (): Promise<boolean> => false;
