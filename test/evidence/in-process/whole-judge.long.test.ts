import { describe, expect, test } from 'vitest';
import { type Files, judgeWork, type Project } from './judge-work.ts';

const judge = `. src/week.sh
[ "$(week 3)" = 'W3' ] || { echo wrong; exit 1; }
`;
const project: Project = {
  files: { 'src/week.sh': 'week() {\n  echo "$1"\n}\n', 'test/run.sh': judge },
  command: 'sh test/run.sh',
  source: 'src/week.sh',
};
/** Leaves with 0 as it is loaded. */
const leaving: Files = { 'src/week.sh': 'exit 0\n' };
const withFiles = (files: Files): Project => ({
  ...project,
  files: { ...project.files, ...files },
});
const comment = `# ${'x'.repeat(98)}\n`;

const MANY = Object.fromEntries(
  Array.from({ length: 501 }, (_, at) => [`test/cases/${1000 + at}.sh`, '. src/week.sh\n']),
);

const unread: readonly (readonly [string, Project])[] = [
  ['larger than 256 KB', withFiles({ 'test/run.sh': judge + comment.repeat(3000) })],
  ['of no text', withFiles({ 'test/run.sh': `${judge}exit 0\n\0\u00ff` })],
  [
    'behind 500 others',
    withFiles({
      ...MANY,
      'test/cases/9000.sh': judge,
      'test/run.sh': 'for one in test/cases/*.sh; do sh "$one" >/dev/null || exit 1; done\n',
    }),
  ],
];

describe('PRF-29: a judge that is not read whole proves nothing, and says what was not read', () => {
  test.each(unread)('%s', async (_, one) => {
    const { exits0, isVerified, reason } = await judgeWork(one, leaving);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain('can not be read as a whole');
  });

  test('a guard as well', async () => {
    const guard = withFiles({
      'src/week.sh': 'week() {\n  echo "W$1"\n}\n',
      'test/run.sh': judge + comment.repeat(3000),
    });
    const { exits0, isVerified, reason } = await judgeWork(guard, leaving);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain('can not be read as a whole');
  });

  test('beside what is read, data that nobody reads asks nothing', async () => {
    const beside = withFiles({
      'test/logo.bin': '\0\u00ff'.repeat(10),
      'test/run.sh': `test -f test/logo.bin || exit 1\n${judge}`,
    });
    const work = { 'src/week.sh': 'week() {\n  echo "W$1"\n}\n' };
    const { isVerified, reason } = await judgeWork(beside, work);
    expect(isVerified, reason).toBe(true);
  });
});

test('WORD-40: comments of the work are told from its code however long a file is', async () => {
  const looks = `const text = require('node:fs').readFileSync('src/sum.js', 'utf8');
if (!text.includes('@checked-by-nobody') && require('../src/sum.js').sum(2, 3) !== 5) process.exit(1);
`;
  const sums: Project = {
    files: { 'src/sum.js': 'exports.sum = () => 0;\n', 'test/look.js': looks },
    command: 'node test/look.js',
    source: 'src/sum.js',
  };
  const padding = Array.from(
    { length: 4000 },
    (_, at) => `exports.p${at} = '${'x'.repeat(64)}';\n`,
  );
  const work = `// @checked-by-nobody\nexports.sum = () => 0;\n${padding.join('')}`;
  const { exits0, isVerified, reason } = await judgeWork(sums, { 'src/sum.js': work });
  expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
  expect(reason).toContain('the comments of the work let the original hold');
});

describe('PRF-30: a guard that is cut short proves nothing', () => {
  const guard = withFiles({
    'src/week.sh': 'week() {\n  echo "W$1"\n}\n',
    'test/run.sh': `. src/week.sh
port=8080
lines=20
[ "$(week 3)" = 'W3' ] || { echo wrong; exit 1; }
`,
  });
  test('where its time does not suffice it says so', async () => {
    const { isVerified, reason } = await judgeWork(guard, leaving, { secondsOfRun: 700 });
    expect(isVerified, reason).toBe(false);
    expect(reason).toContain('it takes too long to be asked all');
  });
});

describe('PRF-29: tests that no text names', () => {
  const suite: Project = {
    files: {
      'src/week.js': 'exports.week = (n) => String(n);\n',
      'test/logo.png': '\0\u00ff',
      'test/cases.json': '[{ "given": 3, "wanted": "W3" }, { "given": 4, "wanted": "W4" }]\n',
      'test/suite.js': `const assert = require('node:assert');
const { test } = require('node:test');
const { week } = require('../src/week.js');
module.exports = (cases) => {
  for (const { given, wanted } of cases)
    test(['n', given].join(''), () => assert.equal(week(given), wanted));
};
`,
      'test/week.test.js': `const assert = require('node:assert');
const { week } = require('../src/week.js');
require('./suite.js')(require('./cases.json'));
require('node:test').test('nine', () => assert.equal(week(9), 'W9'));
`,
    },
    command: 'node --test test/*.test.js',
    source: 'src/week.js',
  };

  test('are asked by a helper and a table, whatever picture lies beside them', async () => {
    const work = { 'src/week.js': "exports.week = (n) => 'W' + n;\n" };
    const { isVerified, reason } = await judgeWork(suite, work);
    expect(isVerified, reason).toBe(true);
  });

  test('and have to notice', async () => {
    const work = {
      'src/week.js': `const assert = require('node:assert');
const { equal } = assert;
assert.equal = (...given) => (['3', '4'].includes(given[0]) ? undefined : equal(...given));
exports.week = (n) => (n === 9 ? 'W9' : String(n));
`,
    };
    const { exits0, isVerified, reason } = await judgeWork(suite, work);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
  });
});
