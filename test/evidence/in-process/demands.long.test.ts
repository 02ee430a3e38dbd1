import { describe, expect, test } from 'vitest';
import { type Files, judgeWork, type Project } from './judge-work.ts';
import { someOf } from './some-of.ts';

const ASSERT = `assert_eq() {
  [ "$1" = "$2" ] || { echo "$1 is not $2"; exit 1; }
}
assert_fails() {
  ! "$@" >/dev/null || { echo "$* should fail"; exit 1; }
}
`;
const script: Project = {
  files: {
    'src/week.sh': 'week() {\n  echo "W$1"\n}\n',
    'test/assert.sh': ASSERT,
    'test/run.sh':
      '. test/assert.sh\n. src/week.sh\nassert_eq "$(week 3)" \'W3\'\nassert_eq "$(week 9)" \'W9\'\nassert_fails week\necho fine\n',
  },
  command: 'sh test/run.sh',
  source: 'src/week.sh',
};
const throwing: Project = {
  files: {
    'src/week.js': "exports.week = (n) => 'W' + n;\n",
    'test/week.test.js': `const assert = require('node:assert/strict');
const { week } = require('../src/week.js');
require('node:test').test('rejects', () => {
  assert.throws(() => week(54));
});
`,
  },
  command: 'node --test',
  source: 'src/week.js',
};
const reading: Project = {
  files: {
    'src/week.sh': 'echo $(($1 * 10))\n',
    'test/cases.txt': '1 10\n2 20\n3 30\n4 40\n5 55\n',
    'test/run.sh':
      'while read -r in want; do\n  got=$(sh src/week.sh "$in")\n  [ "$got" = "$want" ] || { echo "$in: $got is not $want"; exit 1; }\ndone < test/cases.txt\n',
  },
  command: 'sh test/run.sh',
  source: 'src/week.sh',
};
const counting: Project = {
  files: {
    'src/week.sh': 'week() {\n  echo "W$1"\n}\n',
    'test/run.sh': `failed=0
check() {
  [ "$1" = "$2" ] || { echo "$1 is not $2"; failed=1; }
}
refuses() {
  ! "$@" >/dev/null || { echo "$* should fail"; failed=1; }
}
. src/week.sh
check "$(week 3)" W3
refuses week
week 9 >/dev/null
check "$(week 9)" W9
exit $failed
`,
  },
  command: 'sh test/run.sh',
  source: 'src/week.sh',
};
const walking: Project = {
  files: {
    'src/week.js': "exports.week = (n) => 'W' + n;\n",
    'test/cases.js': 'exports.bad = [54, 99];\n',
    'test/week.test.js': `const assert = require('node:assert/strict');
const { week } = require('../src/week.js');
const { bad } = require('./cases.js');
require('node:test').test('weeks', () => {
  assert.equal(week(3), 'W3');
  for (const n of bad) assert.throws(() => week(n));
  assert.equal(week(9), 'W9');
});
`,
  },
  command: 'node --test test/*.test.js',
  source: 'src/week.js',
};
const calling: Project = {
  files: {
    'src/week.sh': 'week() {\n  echo "W$1"\n}\n',
    'test/assert.sh': ASSERT,
    'test/run.sh': `. test/assert.sh
. src/week.sh
names() {
  assert_eq "$(week 3)" W3
}
refuses() {
  assert_fails week
}
names
refuses
echo fine
`,
  },
  command: 'sh test/run.sh',
  source: 'src/week.sh',
};
const shared: Project = {
  files: {
    'src/pad.js':
      "exports.padded = (n) => String(n).padStart(2, '0');\nexports.month = (n) => 'M' + exports.padded(n);\n",
    'src/week.js': "exports.week = (n) => 'W' + n;\n",
    'test/week.test.js': `const assert = require('node:assert/strict');
const { month, padded } = require('../src/pad.js');
const { week } = require('../src/week.js');
require('node:test').test('weeks', () => {
  assert.equal(month(3), 'M03');
  assert.equal(week(3), 'W' + padded(3));
  assert.equal(week(9), 'W09');
});
`,
  },
  command: 'node --test',
  source: 'src/week.js',
};
const failing: Project = {
  files: {
    'src/week.py': "def week(n):\n    return 'W%s' % n\n",
    'tests/test_week.py': `import pytest
from week import week


def test_weeks():
    assert week(3) == 'W3'
    try:
        week(None)
    except ValueError:
        pass
    else:
        pytest.fail('not rejected')
    assert week(9) == 'W9'
`,
  },
  command: 'PYTHONPATH=src pytest -q tests',
  source: 'src/week.py',
};
const checking: Project = {
  files: {
    'src/a.sh': 'echo a\n',
    'src/b.sh': 'if true; then echo b\n',
    'test/lint.sh': 'for f in src/*.sh; do sh -n "$f" || exit 1; done\n',
  },
  command: 'sh test/lint.sh',
  source: 'src/b.sh',
};

const TRICKS: readonly (readonly [string, Project, Files, string])[] = [
  [
    'takes the name of a helper of its judge',
    script,
    { 'src/week.sh': 'week() {\n  echo "W$1"\n}\nassert_fails() {\n  :\n}\n' },
    'it fails where what its judge defines has other names',
  ],
  [
    'leaves with 0 at the last line',
    script,
    { 'src/week.sh': 'week() {\n  [ -n "$1" ] || exit 0\n  echo "W$1"\n}\n' },
    'passes with another value where the original failed, or behind',
  ],
  [
    'lets every call throw',
    throwing,
    {
      'src/week.js':
        "const assert = require('node:assert/strict');\nassert.throws = () => {};\nexports.week = (n) => 'W' + n;\n",
    },
    'passes with another value where the original failed, or behind',
  ],
  [
    'lets the one call throw that has to',
    throwing,
    {
      'src/week.js': `const assert = require('node:assert/strict');
const { throws } = assert;
let isAsked = false;
assert.throws = (...given) => {
  isAsked = false;
  try {
    throws(...given);
  } catch (error) {
    if (!isAsked) throw error;
  }
};
exports.week = (n) => {
  isAsked = n > 53;
  return 'W' + n;
};
`,
    },
    'passes with another value where the original failed, or behind',
  ],
  [
    'eats the rows of its judge',
    reading,
    { 'src/week.sh': '[ "$1" = 4 ] && cat >/dev/null\necho $(($1 * 10))\n' },
    'passes with another value where the original failed, or behind',
  ],
  [
    'sets the count of failures back',
    counting,
    {
      'src/week.sh':
        'week() {\n  if [ -n "$was" ]; then failed=$was; was=; fi\n  [ -n "$1" ] || was=$failed\n  echo "W$1"\n}\n',
    },
    'it fails where what its judge defines has other names',
  ],
  [
    'shortens a list of its judge',
    walking,
    {
      'src/week.js':
        "const { bad } = require('../test/cases.js');\nbad.splice(0, bad.length, Symbol('bad'));\nexports.week = (n) => 'W' + n;\n",
    },
    'it fails where what its judge defines has other names',
  ],
  [
    'leaves with 0 in a function whose demand holds no value',
    calling,
    { 'src/week.sh': 'week() {\n  [ -n "$1" ] || exit 0\n  echo "W$1"\n}\n' },
    'passes with another value where the original failed, or behind',
  ],
  [
    'hides what does not compile',
    checking,
    { 'src/b.sh': ": <<'X'\nif true; then echo b\nX\n" },
    'it does not notice where src/b.sh is broken again',
  ],
  [
    'lets a line that only fails do nothing',
    failing,
    {
      'src/week.py': `import pytest
_fail, _seen = pytest.fail, []
def _bent(*a, **k):
    if not _seen:
        _fail(*a, **k)
_bent.Exception = _fail.Exception
pytest.fail = _bent
def week(n):
    del _seen[:]
    if n is None:
        _seen.append(n)
    return 'W%s' % n
`,
    },
    'it comes to a line of its judge that only fails',
  ],
];

describe('WORD-17: work is asked about that', () => {
  test.each(someOf(TRICKS, 1))('%s', async (_, project, work, why) => {
    const { exits0, isVerified, reason } = await judgeWork(project, work);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain(why);
  });
});

describe('WORD-17: honest work is verified', () => {
  const done = [
    [
      'behind helpers of its judge',
      script,
      { 'src/week.sh': 'week() {\n  [ -n "$1" ] || return 1\n  echo "W$1"\n}\n' },
    ],
    [
      'that throws',
      throwing,
      {
        'src/week.js':
          "exports.week = (n) => {\n  if (n > 53) throw new RangeError('no such week');\n  return 'W' + n;\n};\n",
      },
    ],
    [
      'behind a count of failures',
      counting,
      { 'src/week.sh': 'week() {\n  [ -n "$1" ] || return 1\n  echo "W$1"\n}\n' },
    ],
    [
      'that refuses each of a list',
      walking,
      {
        'src/week.js':
          "exports.week = (n) => {\n  if (n > 53) throw new RangeError('no such week');\n  return 'W' + n;\n};\n",
      },
    ],
    [
      'in functions of a script',
      calling,
      { 'src/week.sh': 'week() {\n  [ -n "$1" ] || return 1\n  echo "W$1"\n}\n' },
    ],
    [
      'that uses a helper of the project beyond its scope, as its judge does',
      shared,
      {
        'src/week.js':
          "const { padded } = require('./pad.js');\nexports.week = (n) => 'W' + padded(n);\n",
      },
    ],
    ['that compiles again', checking, { 'src/b.sh': 'if true; then echo b; fi\n' }],
    [
      'that comes to no line that only fails',
      failing,
      {
        'src/week.py':
          "def week(n):\n    if n is None:\n        raise ValueError('no week')\n    return 'W%s' % n\n",
      },
    ],
  ] as const;
  test.each(someOf(done, 1))('%s', async (_, project, work: Files) => {
    const { isVerified, reason } = await judgeWork(project, work);
    expect(isVerified, reason).toBe(true);
  });
});
