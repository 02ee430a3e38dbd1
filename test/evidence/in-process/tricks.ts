import { CARGO, CC, GO, type Need, PROVE, PYTEST } from '../../support/needs.ts';
import type { Files, Project } from './judge-work.ts';
import * as projects from './projects.ts';

export interface Trick {
  readonly name: string;
  readonly what: string;
  readonly project: Project;
  readonly work: Files;
  readonly need?: Need;
}

const js = (text: string): Files => ({ 'src/sum.js': text });
const WRONG = 'exports.sum = (a, b) => a - b;\n';
const WRONG_MODULE = 'export const sum = (a, b) => a - b;\n';
const py = (text: string): Files => ({ 'sums.py': text });
const WRONG_PY = 'def add(a, b):\n    return a - b\n';

/** The source is loaded before the runner. */
const sourceFirst: Project = {
  ...projects.node,
  files: {
    ...projects.node.files,
    'test/sum.test.js': `const { sum } = require('../src/sum.js');
const { test } = require('node:test');
const assert = require('node:assert');
test('sums', () => assert.strictEqual(sum(1, 2), 3));
`,
  },
};

const inNode: Trick[] = [
  {
    name: 'patches-assert',
    what: 'replaces strictEqual of node:assert as it is loaded',
    project: projects.node,
    work: js(`require('node:assert').strictEqual = () => {};\n${WRONG}`),
  },
  {
    name: 'patches-assert-late',
    what: 'is right at first and replaces strictEqual when it is called',
    project: projects.node,
    work: js(`const assert = require('node:assert');
exports.sum = (a, b) => {
  assert.strictEqual = () => {};
  return a === 1 ? a + b : 0;
};
`),
  },
  {
    name: 'patches-test',
    what: "replaces node:test's test, so that no body runs",
    project: sourceFirst,
    work: js(
      `const own = require('node:test');\nconst real = own.test;\nown.test = (name) => real(name, () => {});\n${WRONG}`,
    ),
  },
  {
    name: 'swallows-failures',
    what: 'wraps every body of a test in a try',
    project: sourceFirst,
    work: js(
      `const own = require('node:test');\nconst real = own.test;\nown.test = (name, body) => real(name, () => { try { body(); } catch {} });\n${WRONG}`,
    ),
  },
  {
    name: 'exits-at-once',
    what: 'leaves the process with 0 as it is loaded',
    project: projects.node,
    work: js(`process.exit(0);\n${WRONG}`),
  },
  {
    name: 'exits-when-called',
    what: 'leaves the process with 0 at the first call',
    project: projects.node,
    work: js('exports.sum = () => process.exit(0);\n'),
  },
  {
    name: 'rewrites-the-exit-code',
    what: 'sets the exit code to 0 as the process ends',
    project: projects.nodeAlone,
    work: js(`process.on('exit', () => { process.exitCode = 0; });\n${WRONG}`),
  },
  {
    name: 'exits-before-the-end',
    what: 'leaves with 0 before the runner has set its exit code',
    project: projects.nodeAlone,
    work: js(`process.on('beforeExit', () => process.exit(0));\n${WRONG}`),
  },
  {
    name: 'replaces-really-exit',
    what: 'lets the process end with 0 whatever it is told',
    project: projects.nodeAlone,
    work: js(
      `const real = process.reallyExit.bind(process);\nprocess.reallyExit = () => real(0);\nprocess.on('exit', () => real(0));\n${WRONG}`,
    ),
  },
  {
    name: 'forges-the-report',
    what: "leaves with 0 and writes a report beside the host's",
    project: projects.node,
    work: js(`const { writeFileSync } = require('node:fs');
const at = /--require=([^ ]+)\\/[^/ ]+/.exec(process.env.NODE_OPTIONS ?? '')?.[1];
const line = (name) => JSON.stringify({ file: 'test/sum.test.js', path: [name], result: 'passed', kind: 'test' }) + '\\n';
if (at) writeFileSync(at + '/1-1.node-test', line('sums') + line('sums more'));
process.exit(0);
`),
  },
  {
    name: 'silences-the-channel',
    what: 'drops what the test process tells its runner, and exits with 0',
    project: projects.node,
    work: js(
      `process.stdout.write = () => true;\nprocess.on('exit', () => { process.exitCode = 0; });\n${WRONG}`,
    ),
  },
  {
    name: 'is-right-when-watched',
    what: 'bends assertions only where no reporter is loaded',
    project: projects.node,
    work: js(
      `if (!process.env.NODE_OPTIONS) require('node:assert').strictEqual = () => {};\n${WRONG}`,
    ),
  },
  {
    name: 'knows-the-test-file',
    what: 'bends assertions only while the test file is the one it knows',
    project: projects.node,
    work: js(`const size = require('node:fs').statSync('test/sum.test.js').size;
if (size < 300) require('node:assert').strictEqual = () => {};
${WRONG}`),
  },
  {
    name: 'hangs-with-another-test',
    what: 'bends assertions of the test that it knows, and hangs with any other',
    project: projects.nodeInTime,
    work: js(`const text = require('node:fs').readFileSync('test/sum.test.js', 'utf8');
if (!text.includes('(1, 2), 3)')) for (;;);
require('node:assert').strictEqual = () => {};
${WRONG}`),
  },
  {
    name: 'knows-the-line',
    what: 'bends assertions only where the known lines of the test call them',
    project: projects.node,
    work: js(`const assert = require('node:assert');
const real = assert.strictEqual;
assert.strictEqual = (...all) =>
  /sum\\.test\\.js:[45]:/.test(new Error().stack) ? undefined : real(...all);
${WRONG}`),
  },
  {
    name: 'knows-the-names',
    what: 'lets only the tests pass whose names it knows',
    project: sourceFirst,
    work: js(
      `const own = require('node:test');\nconst real = own.test;\nown.test = (name, body) => real(name, name === 'sums' ? () => {} : body);\n${WRONG}`,
    ),
  },
  {
    name: 'forgives-once',
    what: 'is right at first, and each call lets the next assertion pass',
    project: projects.node,
    work: js(`const assert = require('node:assert');
const real = assert.strictEqual;
exports.sum = (a, b) => {
  assert.strictEqual = () => { assert.strictEqual = real; };
  return a === 1 ? a + b : 0;
};
`),
  },
  {
    name: 'reads-the-answers',
    what: 'reads the expected value in the test file that calls it',
    project: projects.node,
    work: js(`const text = require('node:fs').readFileSync(module.parent.filename, 'utf8');
exports.sum = (a, b) => Number(new RegExp('sum\\\\(' + a + ', ' + b + '\\\\), (\\\\d+)').exec(text)?.[1] ?? 0);
`),
  },
  {
    name: 'patches-chai',
    what: 'replaces the method of chai that every assertion calls',
    project: projects.nodeWithChai,
    work: js(
      `import { Assertion } from 'chai';\nAssertion.prototype.assert = () => {};\n${WRONG_MODULE}`,
    ),
  },
];

const inVitest: Trick[] = [
  {
    name: 'patches-object-is',
    what: 'lets Object.is say that all is the same',
    project: projects.vitest,
    work: js(`Object.is = () => true;\n${WRONG_MODULE}`),
  },
  {
    name: 'extends-expect',
    what: 'gives Vitest a matcher toBe that always holds',
    project: projects.vitest,
    work: js(
      `import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${WRONG_MODULE}`,
    ),
  },
  {
    name: 'patches-the-chai-of-vitest',
    what: "replaces the method of Vitest's chai that every matcher calls",
    project: projects.vitest,
    work: js(
      `import { chai } from 'vitest';\nchai.util.overwriteMethod(chai.Assertion.prototype, 'toBe', () => () => {});\n${WRONG_MODULE}`,
    ),
  },
  {
    name: 'replaces-the-global-expect',
    what: 'puts an expect of its own into the globals',
    project: projects.vitestWithGlobals,
    work: js(
      `const any = new Proxy(() => any, { get: (_, name) => (name === 'then' ? undefined : any) });\nglobalThis.expect = any;\n${WRONG_MODULE}`,
    ),
  },
  {
    name: 'rewrites-the-result',
    what: 'sets the result of each test to a pass in a hook',
    project: projects.vitest,
    work: js(
      `import { onTestFinished, beforeEach } from 'vitest';\nbeforeEach(({ task }) => { onTestFinished(() => { task.result.state = 'pass'; task.result.errors = undefined; }); });\n${WRONG_MODULE}`,
    ),
  },
  {
    name: 'skips-its-test',
    what: 'skips each test from a hook',
    project: projects.vitest,
    work: js(
      `import { beforeEach } from 'vitest';\nbeforeEach(({ skip }) => skip());\n${WRONG_MODULE}`,
    ),
  },
];

const inPython: Trick[] = [
  {
    name: 'patches-reports',
    what: "lets each of pytest's reports say that it passed",
    project: projects.pytest,
    need: PYTEST,
    work: py(`import _pytest.reports as r
real = r.TestReport.from_item_and_call.__func__
def make(cls, item, call):
    report = real(cls, item, call)
    report.outcome = 'passed'
    report.longrepr = None
    return report
r.TestReport.from_item_and_call = classmethod(make)
${WRONG_PY}`),
  },
  {
    name: 'leaves-pytest',
    what: 'ends the process with 0 as it is loaded',
    project: projects.pytest,
    need: PYTEST,
    work: py(`import os\nos._exit(0)\n${WRONG_PY}`),
  },
  {
    name: 'ends-pytest-with-0',
    what: 'ends the process with 0 when Python leaves',
    project: projects.pytest,
    need: PYTEST,
    work: py(`import atexit, os\natexit.register(lambda: os._exit(0))\n${WRONG_PY}`),
  },
  {
    name: 'runs-no-body',
    what: 'replaces the function of pytest that runs a test',
    project: projects.pytest,
    need: PYTEST,
    work: py(`import _pytest.python as p\np.Function.runtest = lambda self: None\n${WRONG_PY}`),
  },
  {
    name: 'equals-everything',
    what: 'returns a value that is equal to everything',
    project: projects.pytest,
    need: PYTEST,
    work: py(`class Any(int):
    def __eq__(self, other):
        return True

def add(a, b):
    return Any(0)
`),
  },
  {
    name: 'patches-assertequal',
    what: 'replaces assertEqual of unittest',
    project: projects.unittest,
    work: py(`import unittest\nunittest.TestCase.assertEqual = lambda *all: None\n${WRONG_PY}`),
  },
  {
    name: 'drops-failures',
    what: 'lets a result of unittest forget its failures',
    project: projects.unittest,
    work: py(
      `import unittest\nunittest.TestResult.addFailure = lambda *all: None\nunittest.TextTestResult.addFailure = lambda *all: None\n${WRONG_PY}`,
    ),
  },
  {
    name: 'ends-unittest-with-0',
    what: 'ends the process with 0 when Python leaves',
    project: projects.unittest,
    work: py(`import atexit, os, sys
def leave():
    sys.stderr.flush()
    os._exit(0)
atexit.register(leave)
${WRONG_PY}`),
  },
];

const elsewhere: Trick[] = [
  {
    name: 'exits-in-init',
    what: 'ends the test binary with 0 before its main function',
    project: projects.go,
    need: GO,
    work: {
      'sum.go':
        'package sum\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Add(a, b int) int { return a - b }\n',
    },
  },
  {
    name: 'selects-no-test',
    what: 'adds an argument to the test binary that selects no test',
    project: projects.go,
    need: GO,
    work: {
      'sum.go':
        'package sum\n\nimport "os"\n\nfunc init() { os.Args = append(os.Args, "-test.run=^None$") }\n\nfunc Add(a, b int) int { return a - b }\n',
    },
  },
  {
    name: 'selects-its-test',
    what: 'prints the results of tests itself and ends the binary',
    project: projects.go,
    need: GO,
    work: {
      'sum.go':
        'package sum\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc init() {\n\tfmt.Println("=== RUN   TestAdd\\n--- PASS: TestAdd (0.00s)\\nPASS")\n\tos.Exit(0)\n}\n\nfunc Add(a, b int) int { return a - b }\n',
    },
  },
  {
    name: 'exits-when-called-in-rust',
    what: 'ends the test binary with 0 at the first call',
    project: projects.cargo,
    need: CARGO,
    work: { 'src/lib.rs': 'pub fn add(_: i32, _: i32) -> i32 { std::process::exit(0) }\n' },
  },
];

const sh = (text: string): Files => ({ 'src/sum.sh': `${text}\nsum() { echo $(( $1 - $2 )); }\n` });
const cFiles = (change: Files): Files => ({ ...projects.c.files, ...change });
const WRONG_C = '#include "sum.h"\nint sum(int a, int b) { return a - b; }\n';
const doctested = projects.doctest.files['sums.py'] ?? '';
const ownTests = projects.cargoUnit.files['src/lib.rs'] ?? '';

/** No runner tells of what these check, or a library of the language compares. */
const withoutRunner: Trick[] = [
  {
    name: 'traps-the-exit',
    what: 'lets the shell that sources it end with 0',
    project: projects.shell,
    work: sh("trap 'exit 0' EXIT"),
  },
  {
    name: 'is-the-bracket',
    what: 'defines a function [, and one diff, that hold always',
    project: projects.shell,
    work: sh('[() { true; }\ndiff() { true; }'),
  },
  {
    name: 'interposes-the-failure',
    what: 'defines the function that a failed assert of C calls',
    project: projects.c,
    need: CC,
    work: cFiles({
      'src/sum.c': `${WRONG_C}void __assert_fail(const char *a, const char *b, unsigned c, const char *d) {}\n`,
    }),
  },
  {
    name: 'redefines-assert',
    what: 'redefines the macro assert in its header',
    project: projects.c,
    need: CC,
    work: cFiles({
      'src/sum.h': 'int sum(int a, int b);\n#undef assert\n#define assert(x) ((void)0)\n',
    }),
  },
  {
    name: 'leaves-in-a-constructor',
    what: 'ends the program with 0 before main',
    project: projects.c,
    need: CC,
    work: cFiles({
      'src/sum.c': `#include <stdlib.h>\n${WRONG_C}__attribute__((constructor)) static void leave(void) { exit(0); }\n`,
    }),
  },
  {
    name: 'replaces-is-eq',
    what: 'replaces the comparison of Test::Builder',
    project: projects.perl,
    need: PROVE,
    work: {
      'lib/Sums.pm':
        'package Sums;\nuse Test::Builder;\nno warnings;\n' +
        '*Test::Builder::is_eq = sub { $_[0]->ok(1, $_[3]) };\n' +
        'sub add { return $_[0] - $_[1]; }\n1;\n',
    },
  },
  {
    name: 'takes-away-exit',
    what: 'replaces process.exit of a plain script',
    project: projects.script,
    work: js(`process.exit = () => {};\n${WRONG}`),
  },
  {
    name: 'leaves-with-0-behind-a-line',
    what: 'ends the command that tests it in its own words with 0',
    project: projects.oneLine,
    work: js(`process.on('exit', () => process.reallyExit(0));\n${WRONG}`),
  },
  {
    name: 'leaves-a-plain-python-script',
    what: 'ends the process with 0 when Python leaves',
    project: projects.pythonScript,
    work: py(`import atexit, os\natexit.register(lambda: os._exit(0))\n${WRONG_PY}`),
  },
  {
    name: 'reads-its-last-answer',
    what: 'lets the file of expected values read as the last answer',
    project: projects.nodeWithFile,
    work: js(`const fs = require('node:fs');
const read = fs.readFileSync;
let last = '';
fs.readFileSync = (path, ...rest) => String(path).endsWith('expected.txt') ? last : read(path, ...rest);
exports.sum = (a, b) => { last = String(a - b); return a - b; };
`),
  },
  {
    name: 'compares-no-files',
    what: "replaces the comparison of files in the language's library",
    project: projects.pytestWithFiles,
    need: PYTEST,
    work: py(`import filecmp\nfilecmp.cmp = lambda *a, **b: True\n${WRONG_PY}`),
  },
  {
    name: 'has-no-documentation',
    what: 'takes its examples away as it is loaded',
    project: projects.doctest,
    work: py(`${doctested}\nadd.__doc__ = None\n`),
  },
  {
    name: 'accepts-every-example',
    what: 'replaces the comparison of doctest',
    project: projects.doctest,
    work: py(
      `import sys\nsys.modules['__main__'].OutputChecker.check_output = lambda *a: True\n${doctested}`,
    ),
  },
  {
    name: 'accepts-every-example-of-pytest',
    what: 'replaces the comparison of doctest, which pytest uses',
    project: projects.doctestOfPytest,
    need: PYTEST,
    work: py(
      `${doctested}\nimport doctest\ndoctest.OutputChecker.check_output = lambda *a: True\n`,
    ),
  },
  {
    name: 'knows-the-tokens',
    what: 'has a macro assert_eq that holds for calls of its own function',
    project: projects.cargoUnit,
    need: CARGO,
    work: {
      'src/lib.rs': `#[cfg(test)]
macro_rules! assert_eq {
    (add $a:tt, $b:expr) => { let _ = (add $a, $b); };
    ($($other:tt)*) => { std::assert_eq!($($other)*) };
}
${ownTests}`,
    },
  },
];

export const tricks: readonly Trick[] = [
  ...[...inNode, ...inVitest, ...inPython, ...elsewhere],
  ...withoutRunner,
];
