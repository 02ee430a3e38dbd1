import { describe, expect, test } from 'vitest';
import { CARGO, CC, GO, type Need, PROVE, PYTEST, testWith } from '../../support/needs.ts';
import { type Files, judgeWork, type Project } from './judge-work.ts';
import * as projects from './projects.ts';

const NOTHING: Need = { what: 'nothing', isThere: true };
const commonJs = { 'src/sum.js': 'exports.sum = (a, b) => a + b;\n' };
const esModule = { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' };
const python = { 'sums.py': 'def add(a, b):\n    return a + b\n' };

/** The source with its one fault mended. */
const right = ({ files, source }: Project): Files => ({
  [source]: (files[source] ?? '').replace('a - b', 'a + b'),
});

/** What needs another toolchain takes a minute: pytest stands for them but with GOALKEEPER_TRICKS=all. */
const isPlayed = ([name, , , need]: Flow): boolean =>
  need === NOTHING || name === 'pytest' || process.env.GOALKEEPER_TRICKS === 'all';

type Flow = [string, Project, Files, Need];

describe('honest work holds beside canaries, which fail as they must', () => {
  const flows: Flow[] = [
    ['node:test', projects.node, commonJs, NOTHING],
    ['node:test in one process', projects.nodeAlone, commonJs, NOTHING],
    ['node:test with chai', projects.nodeWithChai, esModule, NOTHING],
    ['Vitest', projects.vitest, esModule, NOTHING],
    ['Vitest with globals', projects.vitestWithGlobals, esModule, NOTHING],
    ['pytest', projects.pytest, python, PYTEST],
    ['unittest', projects.unittest, python, NOTHING],
    [
      'go test',
      projects.go,
      { 'sum.go': 'package sum\n\nfunc Add(a, b int) int { return a + b }\n' },
      GO,
    ],
    [
      'cargo test',
      projects.cargo,
      { 'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 { a + b }\n' },
      CARGO,
    ],
    [
      'a shell script',
      projects.shell,
      { 'src/sum.sh': 'sum() { echo $(( $1 + $2 )); }\n' },
      NOTHING,
    ],
    [
      'a C program',
      projects.c,
      { 'src/sum.c': '#include "sum.h"\nint sum(int a, int b) { return a + b; }\n' },
      CC,
    ],
    [
      'prove',
      projects.perl,
      { 'lib/Sums.pm': 'package Sums;\nsub add { return $_[0] + $_[1]; }\n1;\n' },
      PROVE,
    ],
    ['a script of its own', projects.script, commonJs, NOTHING],
    ['one line', projects.oneLine, commonJs, NOTHING],
    ['a file of expected values', projects.nodeWithFile, commonJs, NOTHING],
    ['a Python script', projects.pythonScript, python, NOTHING],
    ['files that pytest compares', projects.pytestWithFiles, python, PYTEST],
    ['doctest', projects.doctest, right(projects.doctest), NOTHING],
    ['doctest by pytest', projects.doctestOfPytest, right(projects.doctest), PYTEST],
    ['tests inside of a crate', projects.cargoUnit, right(projects.cargoUnit), CARGO],
  ];
  for (const [name, project, work, need] of flows.filter(isPlayed)) {
    testWith(need)(name, async () => {
      const { isVerified, reason, labels } = await judgeWork(project, work);
      expect(isVerified, reason).toBe(true);
      expect(labels).toContain('canary1');
      expect(labels.filter((label) => label.startsWith('canary')).length).toBeLessThanOrEqual(10);
    });
  }
});

describe('honest work is verified where no runner tells of its tests, or not of all', () => {
  const right = commonJs;
  const sum = { 'src/sum.sh': 'sum() { echo $(( $1 + $2 )); }\n' };
  const with_ = (change: Partial<Project>, files: Files = {}): Project => ({
    ...projects.node,
    ...change,
    files: { ...projects.node.files, ...files },
  });
  test.each<[string, Project, Files]>([
    [
      'a filter by name',
      with_({ command: 'node --test --test-name-pattern=sums test/*.test.js' }),
      right,
    ],
    [
      'a script of its own',
      with_(
        { command: 'node check.js' },
        { 'check.js': "if (require('./src/sum.js').sum(1, 2) !== 3) process.exit(1);\n" },
      ),
      right,
    ],
    [
      'a linter before the tests that takes no other line',
      with_(
        { command: 'sh check.sh' },
        { 'check.sh': 'test "$(wc -l < test/sum.test.js)" = 5 && node --test test/*.test.js\n' },
      ),
      right,
    ],
    [
      'a run that ends at the first failure',
      with_(
        { command: 'node --test test/*.test.js && node --test more/*.test.js' },
        {
          'more/more.test.js': "require('node:test').test('more', () => {});\n",
        },
      ),
      right,
    ],
    ['a shell script that walks cases', projects.shellWithCases, sum],
  ])('%s', async (_, project, work) => {
    const { isVerified, reason } = await judgeWork(project, work);
    expect(isVerified, reason).toBe(true);
  });

  testWith(PYTEST)('pytest with --exitfirst and a selection', async () => {
    for (const command of ['python3 -m pytest -x', 'python3 -m pytest test_sums.py::test_adds']) {
      const { isVerified, reason } = await judgeWork({ ...projects.pytest, command }, python);
      expect(isVerified, reason).toBe(true);
    }
  });
});

describe('the proof tells which changed files its checks feel', () => {
  const scope = ['src/**'];
  const work = { ...commonJs, 'src/other.js': 'exports.other = 1;\n' };

  test('each is taken back in turn, and what passes without it is named', async () => {
    const { state, proof } = await judgeWork(projects.node, work, { scope });
    expect(state).toBe('met');
    expect(proof?.felt).toEqual({ felt: ['src/sum.js'], unfelt: ['src/other.js'], untried: [] });
    expect(proof?.criteria).toMatchObject([{ canaries: { state: 'held' } }]);
  });

  test('a policy may ask for a share', async () => {
    const felt = { share: 0.8 };
    const { state, reason } = await judgeWork(projects.node, work, { scope, felt });
    expect(state).toBe('unmet');
    expect(reason).toMatch(/feel 1 of 2 changed files/);
    expect((await judgeWork(projects.node, commonJs, { scope, felt })).state).toBe('met');
  });
});

test('a proof runs as somebody else', async () => {
  const project = { ...projects.node, command: 'test "$USER" != builder' };
  expect(await judgeWork(project, commonJs)).toMatchObject({ exits0: true, state: 'unmet' });
});

test('where nothing is compared, nothing is altered', async () => {
  const project = { ...projects.node, command: 'test -f src/sum.js' };
  const { state, labels } = await judgeWork(project, commonJs);
  expect(state).toBe('met');
  expect(labels).not.toContain('canary1');
});
