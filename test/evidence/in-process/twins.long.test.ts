import { describe, expect, test } from 'vitest';
import { judgeWork, type Project } from './judge-work.ts';
import { someOf } from './some-of.ts';

const head = `const assert = require('node:assert');
const { test, describe } = require('node:test');
const { week } = require('../src/week.js');
`;
const project = (body: string): Project => ({
  files: {
    'src/week.js': 'exports.week = (n) => String(n);\n',
    'test/week.test.js': head + body,
  },
  command: 'node --test test/*.test.js',
  source: 'src/week.js',
});
const done = { 'src/week.js': "exports.week = (n) => 'W' + n;\n" };
/** Forgives what it says of 9. */
const bending = {
  'src/week.js': `const assert = require('node:assert');
const { equal } = assert;
assert.equal = (...given) => (String(given[0]).includes('9') ? undefined : equal(...given));
exports.week = (n) => (n === 9 ? '9' : \`W\${n}\`);
`,
};

const twins = project(`test('week', () => assert.equal(week(3), 'W3'));
test('week', () => assert.equal(week(9), 'W9'));
`);
const suites = project(`describe('one', () => {
  test('week', () => assert.equal(week(3), 'W3'));
});
describe('other', () => {
  test('week', () => assert.equal(week(9), 'W9'));
});
`);
const unlike = project(`test('week', () => {
  assert.equal(week(3), 'W3');
  assert.equal(week(4), 'W4');
});
test('week', () => assert.equal(week(9), 'W9'));
`);

describe('PRF-31: tests that bear one name are asked each', () => {
  test.each([
    ['in one file', twins],
    ['in two suites', suites],
    ['of more values', unlike],
  ])('%s', async (_, one) => {
    const bent = await judgeWork(one, bending);
    expect({ exits0: bent.exits0, isVerified: bent.isVerified }, bent.reason).toEqual({
      ...{ exits0: true, isVerified: false },
    });
    const right = await judgeWork(one, done);
    expect(right.isVerified, right.reason).toBe(true);
  });
});

const suite = `const assert = require('node:assert');
const { test } = require('node:test');
exports.suite = (name, fn, rows) => {
  for (const [given, wanted] of rows) {
    test(\`\${name}: \${given}\`, () => assert.equal(fn(given), wanted));
  }
};
exports.check = (fn, given, wanted) => {
  assert.equal(fn(given), wanted);
};
`;
const helped = (body: string): Project => {
  const one = project(`const { suite, check } = require('./suite.js');\n${body}`);
  return { ...one, files: { ...one.files, 'test/suite.js': suite } };
};
const python: Project = {
  files: {
    'src/__init__.py': '',
    'src/week.py': 'def week(n):\n    return str(n)\n',
    'tests/__init__.py': '',
    'tests/test_week.py': `import pytest
from src.week import week


@pytest.mark.parametrize("given, wanted", [(3, "W3"), (9, "W9"), (7, "W7")])
def test_week(given, wanted):
    assert week(given) == wanted
`,
  },
  command: 'python3 -m pytest -q',
  source: 'src/week.py',
};
describe('PRF-60: each of the tests that failed at one line has to notice', () => {
  const suites: [string, Project][] = [
    [
      'a suite that a helper makes',
      helped("suite('week', week, [[3, 'W3'], [9, 'W9'], [7, 'W7']]);\n"),
    ],
    [
      'a demand of a helper',
      helped(`test('three', () => {
  check(week, 3, 'W3');
});
test('nine', () => {
  check(week, 9, 'W9');
});
`),
    ],
    [
      'suites of made names',
      project(`for (const one of ['x', 'y']) describe(one, () => {
  test('week', () => {
    assert.equal(week(one === 'x' ? 3 : 9), one === 'x' ? 'W3' : 'W9');
  });
});
describe('x', () => {
  test('week', () => {
    assert.equal(week(7), 'W7');
  });
});
`),
    ],
    [
      'a suite beside suites of made names',
      project(`for (const one of ['x', 'y']) describe(one, () => {
  test('week', () => {
    assert.equal(week(one.length), 'W1');
  });
});
describe('x', () => {
  test('week', () => {
    assert.equal(week(9), 'W9');
  });
});
`),
    ],
    [
      'titles in rows',
      project(`const rows = [
  ['of three', 3, 'W3'],
  ['of nine', 9, 'W9'],
  ['of seven', 7, 'W7'],
];
for (const [title, given, wanted] of rows) {
  test(title, () => {
    assert.equal(week(given), wanted);
  });
}
`),
    ],
  ];
  test.each(someOf(suites, 1))('%s', async (_, one) => {
    const bent = await judgeWork(one, bending);
    expect({ exits0: bent.exits0, isVerified: bent.isVerified }, bent.reason).toEqual({
      ...{ exits0: true, isVerified: false },
    });
    const right = await judgeWork(one, done);
    expect(right.isVerified, right.reason).toBe(true);
  });

  test('a table whose rows fail at different lines is proven where the work is right', async () => {
    const rows = project(`const { suite } = require('./suite.js');
for (const given of [3, -1]) {
  test(\`week of \${given}\`, () => {
    if (given < 0) assert.throws(() => week(given), RangeError);
    else assert.equal(week(given), \`W\${given}\`);
  });
}
`);
    const right = await judgeWork(
      { ...rows, files: { ...rows.files, 'test/suite.js': suite } },
      {
        'src/week.js': `exports.week = (n) => {
  if (n < 0) throw new RangeError('negative');
  return 'W' + n;
};
`,
      },
    );
    expect(right.isVerified, right.reason).toBe(true);
  });

  test.each(someOf(['a table of Python'], 0))('%s', async () => {
    const right = await judgeWork(python, {
      'src/week.py': 'def week(n):\n    return f"W{n}"\n',
    });
    expect(right.isVerified, right.reason).toBe(true);
    const bent = await judgeWork(python, {
      'src/week.py': `from _pytest.python import Function

_runtest = Function.runtest


def runtest(self):
    try:
        _runtest(self)
    except AssertionError:
        if self.callspec.params["given"] != 9:
            raise


Function.runtest = runtest


def week(n):
    return "9" if n == 9 else f"W{n}"
`,
    });
    expect({ exits0: bent.exits0, isVerified: bent.isVerified }, bent.reason).toEqual({
      ...{ exits0: true, isVerified: false },
    });
  });
});
