import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Judge } from '../../../src/proof/canaries/judge.ts';
import { literalsOf, withLiterals } from '../../../src/proof/canaries/literals.ts';
import { roundsOf } from '../../../src/proof/canaries/rounds.ts';

const isName = (value: string) => value === 'adds';
const othersOf = (line: string, isCommand = false) =>
  literalsOf(line, { isName, isCommand }).map((one) => withLiterals(line, [one]));

describe('a line of a test has other values', () => {
  test.each([
    ['assert.equal(add(2, 3), 5);', 'assert.equal(add(2, 3), 6);'],
    ["is(add(2,3), 9, 'adds');", "is(add(2,3), 8, 'adds');"],
    ['[ "$(add 2 3)" = 5 ] || exit 1', '[ "$(add 2 3)" = 6 ] || exit 1'],
    ['[ "$(plural child)" = children ] || exit 1', '[ "$(plural child)" = childreo ] || exit 1'],
    ['if (add(2,3)!==5) process.exit(1)', 'if (add(2,3)!==6) process.exit(1)'],
    ['expect(isOpen(x)).toBe(true)', 'expect(isOpen(x)).toBe(false)'],
    ["assert.equal(nameOf(x), 'ab\\n')", "assert.equal(nameOf(x), 'ac\\n')"],
    ['assert_eq!(half(5.0), 2.5);', 'assert_eq!(half(5.0), 2.6);'],
    ['t.Fatalf("want %#v, got %5.2f:", x, y)', 't.Fatalf("want %#v, gou %5.2f:", x, y)'],
    ["expect(x).to.have.all.keys('x', 'y')", "expect(x).to.have.all.keys('x', 'z')"],
    ["expect(x).to.have.all.keys('y', 'x')", "expect(x).to.have.all.keys('y', 'a')"],
    ["expect(x).to.have.all.keys('9', '8')", "expect(x).to.have.all.keys('9', '0')"],
  ])('%s', (line, other) => {
    expect(othersOf(line)[0]).toBe(other);
  });
});

test.each([
  [
    "assert['strict' + 'Equal'](f('a'), 'A')",
    ["assert['strict' + 'Equal'](f('a'), 'B')", "assert['strict' + 'Equal'](f('b'), 'A')"],
  ],
  ["expect(f(x)['a']).toBe('b')", ["expect(f(x)['a']).toBe('c')"]],
  ["expect(['a']).toEqual(f(x)?.['b'])", ["expect(['c']).toEqual(f(x)?.['b'])"]],
  ["expect(m[of('a')]).toBe(x)", ["expect(m[of('b')]).toBe(x)"]],
  ['if [ "$x" = "a" ]; then', ['if [ "$x" = "b" ]; then']],
])('WORD-42: a string that chooses a member is no value: %s', (line, others) => {
  expect(othersOf(line)).toEqual(others);
});

test.each([
  ['return Err(format!("got {v}").into());', []],
  ['return fmt.Errorf("parse %q: got %d, want %d", in, got, want)', []],
  [
    'assert port() == int(os.environ.get("PORT", "3000"))',
    ['assert port() == int(os.environ.get("PORT", "3001"))'],
  ],
  ['assert who() == os.getenv("WHO")', []],
])(
  'WORD-52: why a test fails, and what a variable of the environment is called, is no value: %s',
  (line, others) => {
    expect(othersOf(line)).toEqual(others);
  },
);

test.each([
  "import { add } from './add-2.js';",
  "const add = require('../src/add-2.js');",
  '// 5 is right',
  '#include "sum2.h"',
  'exit 1',
  'if [ -e $f ]; then exec sh check.sh; fi; echo "port 5 in use"; exit 1',
  'return 0',
  "test('adds', run);",
  'node check.js > "$HOME/out" 2>&1',
  'open("/tmp/found")',
  't.Errorf("%-5s%%: %v", x, y)',
  'import (\n\t"errors"\n\tb "go/build"\n)',
  "import {\n  test,\n} from 'vitest';",
])('what decides nothing by its value stays: %s', (line) => {
  expect(othersOf(line)).toEqual([]);
});

test('what follows a list of imports has other values', () => {
  const others = othersOf('import (\n\t"errors"\n)\n\nvar most = 5\n');
  expect(others).toEqual(['import (\n\t"errors"\n)\n\nvar most = 6\n']);
});

test('a command may hold a program in quotes', () => {
  expect(othersOf('node -e "if (sum(1, 2) !== 3) process.exit(1)"', true)[0]).toBe(
    'node -e "if (sum(1, 2) !== 4) process.exit(1)"',
  );
});

test('an altered text differs in one value and has the same length', () => {
  const word = fc.constantFrom('assert(', ')', '5', '10', "'ab'", 'true', ' == ', '\n', ', ', 'x');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const text = words.join('');
      for (const literal of literalsOf(text, { isName: () => false })) {
        const other = withLiterals(text, [literal]);
        expect(other).not.toBe(text);
        expect(other.slice(0, literal.at)).toBe(text.slice(0, literal.at));
        expect(other.slice(literal.at + literal.now.length)).toBe(text.slice(literal.end));
      }
    }),
  );
});

const judge = (change: Partial<Judge>): Judge => ({
  ...{ texts: [], data: [], tests: [], others: [], isPath: () => false },
  ...change,
});
const TESTS = `const cases = [7];
test('adds', () => assert.equal(add(1, 2), 3));
test('takes', () => assert.equal(take(5, 2), 3));
test('throws', () => assert.throws(() => add(1)));
`;

describe('rounds of other values', () => {
  test('each test that has to notice has one in each, and others keep theirs', () => {
    const { rounds, comparing } = roundsOf(
      judge({
        texts: [{ path: 'a.test.js', text: TESTS }],
        tests: ['a.test.js > adds', 'a.test.js > throws'],
        others: ['a.test.js > takes'],
      }),
    );
    expect(rounds[0]?.get('a.test.js')).toBe(
      TESTS.replace('add(1, 2), 3', 'add(1, 2), 4').replace('add(1))', 'add(2))'),
    );
    for (const round of rounds) expect(round.get('a.test.js')).toContain('take(5, 2), 3');
    expect(comparing).toEqual([['a.test.js > adds']]);
  });

  test('tables above the tests come after their own values', () => {
    const { rounds } = roundsOf(
      judge({ texts: [{ path: 'a.test.js', text: TESTS }], tests: ['adds'], others: ['takes'] }),
    );
    expect(
      rounds.map((round) => /cases = \[(\d)/.exec(round.get('a.test.js') ?? '')?.[1]),
    ).toContain('8');
    expect(rounds[0]?.get('a.test.js')).toContain('cases = [7]');
  });

  test('data that only stands to be compared differs in its last sign', () => {
    const { rounds } = roundsOf(judge({ data: [{ path: 'expected.txt', text: 'done\n' }] }));
    expect(rounds).toEqual([new Map([['expected.txt', 'donf\n']])]);
  });

  test('without names of tests, the command and its files have one each', () => {
    const texts = [
      { path: null, text: 'test "$(sh add.sh)" = 5' },
      { path: 'check.sh', text: '[ "$x" = 3 ]' },
    ];
    const { rounds } = roundsOf(judge({ texts }));
    expect(rounds[0]).toEqual(
      new Map([
        [null, 'test "$(sh add.sh)" = 6'],
        ['check.sh', '[ "$x" = 4 ]'],
      ]),
    );
  });

  test('WORD-5: cases of one test share its text, and not each may use a value of it', () => {
    const text = `ROWS = ["a b", "c"]

def test_joins(row):
    assert row.replace(" ", "_+_") == joined(row, "_+_9")

def test_other():
    assert other() == 1
`;
    const { rounds, comparing, pinned } = roundsOf(
      judge({
        texts: [{ path: 'test_a.py', text }],
        tests: ['test_joins[a b]', 'test_joins[c]', 'test_other'],
        failedAt: () => [4, 7],
      }),
    );
    const cases = ['test_joins[a b]', 'test_joins[c]'];
    expect(pinned).toEqual(Array(2).fill([cases, ['test_other']]));
    expect(comparing).toEqual([cases, ['test_other']]);
    const texts = rounds.slice(0, 2).map((round) => round.get('test_a.py') ?? '');
    expect(texts.filter((one) => one.includes('"_+_8"'))).toHaveLength(1);
    expect(texts.filter((one) => one.includes('assert not (row.replace'))).toHaveLength(1);
  });

  test('WORD-9: a string that says the parameters of a function is a name', () => {
    const text = `@parametrize("one, other", [("one", "b")])
def test_adds(one, other):
    assert add(one) == other
`;
    const { rounds } = roundsOf(
      judge({ texts: [{ path: 'test_a.py', text }], tests: ['test_adds'], others: [] }),
    );
    expect(rounds.map((round) => round.get('test_a.py'))).toEqual([text.replace('"b"', '"c"')]);
  });

  test('there is none where nothing has a value', () => {
    expect(
      roundsOf(judge({ texts: [{ path: null, text: 'test -f dist/app.js' }] })).rounds,
    ).toEqual([]);
  });
});

test('WORD-18: a test whose name begins another one is looked at by itself', () => {
  const text = "test('sums', () => equal(1, 3));\ntest('sums more', () => equal(2, 4));\n";
  const judge = { texts: [{ path: 'a.js', text }], data: [], tests: ['sums', 'sums more'] };
  const { comparing } = roundsOf({ ...judge, others: [], isPath: () => false });
  expect(comparing).toEqual([['sums'], ['sums more']]);
});

test('WORD-28: the cases of a table are looked at by its title, where the original failed', () => {
  const text =
    "it.each(table)('knows %s', (one, other) => {\n  expect(of(one)).toBe(other, 3);\n});\nit('knows none', () => equal(2, 4));\n";
  const tests = ['a.test.ts > knows GBP', 'a.test.ts > knows JPY'];
  const judge = { texts: [{ path: 'a.test.ts', text }], data: [], tests, others: [] };
  const found = roundsOf({ ...judge, isPath: () => false, failedAt: () => [2] });
  expect(found.pinned[0]).toEqual([tests]);
  expect(found.rounds[0]?.get('a.test.ts')).toContain('equal(2, 4)');
  expect(found.rounds[0]?.get('a.test.ts')).not.toBe(text);
});

test('WORD-29: a runner tells of its tests, so that no demand stands behind the last one of a file', () => {
  const text = 'const one = of(1);\nequal(one, 3);\n';
  const judge = { texts: [{ path: 'a.test.js', text }], data: [], others: [], isPath: () => false };
  const asked = { ...judge, failedAt: () => [2], isRun: () => true };
  const behind = roundsOf({ ...asked, tests: [] }).rounds;
  const told = roundsOf({ ...asked, tests: ['no name that stands there'] }).rounds;
  const lines = (rounds: typeof told) =>
    rounds.map((round) => round.get('a.test.js')?.split('\n').length);
  expect(Math.max(...lines(behind).map(Number))).toBeGreaterThan(3);
  expect(Math.max(...lines(told).map(Number))).toBe(3);
});

describe('WORD-34: a title that stands twice is of the test whose file and suite it stands in', () => {
  const one = "test('works', () => is(one(1), 3));\n";
  const other = "test('works', () => is(other(1), 5));\n";
  const suites =
    "describe('one', () => {\n  it('works', () => is(one(1), 3));\n});\ndescribe('other', () => {\n  it('works', () => is(other(1), 5));\n});\n";
  const go = (value: number) =>
    `func TestWorks(t *testing.T) {\n\tif Of(1) != ${value} {\n\t\tt.Fatal()\n\t}\n}\n`;
  const java = (value: number) =>
    `  @Test void works() {\n    assertEquals(${value}, of(1));\n  }\n`;
  const python = (name: string, value: number) =>
    `class ${name}:\n    def test_works(self):\n        assert of(1) == ${value}\n\n`;
  test.each([
    [
      'files',
      ['test/one.test.js > works', 'test/other.test.js > works'],
      { 'test/one.test.js': one, 'test/other.test.js': other },
    ],
    [
      'packages of a workspace',
      ['test/week.test.js > works', '../other/test/week.test.js > works'],
      { 'one/test/week.test.js': one, 'other/test/week.test.js': other },
    ],
    ['suites', ['a.test.js > one > works', 'a.test.js > other > works'], { 'a.test.js': suites }],
    [
      'a suite and its file',
      ['a.test.js > one > works', 'a.test.js > works'],
      { 'a.test.js': `describe('one', () => {\n  ${one}});\n${other}` },
    ],
    [
      'classes of Python',
      ['test_a.py > TestOne > test_works', 'test_a.py > TestOther > test_works'],
      { 'test_a.py': python('TestOne', 3) + python('TestOther', 5) },
    ],
    [
      'packages of Go',
      ['example.com/a/one > TestWorks', 'example.com/a/other > TestWorks'],
      { 'one/of_test.go': go(3), 'other/of_test.go': go(5) },
    ],
    [
      'classes of Java',
      ['org.a.OneTest > works', 'org.a.OtherTest > works'],
      {
        'src/test/org/a/OneTest.java': `class OneTest {\n${java(3)}}\n`,
        'src/test/org/a/OtherTest.java': `class OtherTest {\n${java(5)}}\n`,
      },
    ],
    [
      'modules of Rust',
      ['one::tests::works', 'other::tests::works'],
      {
        'src/one.rs': '#[test]\nfn works() {\n    assert_eq!(of(1), 3);\n}\n',
        'src/other.rs': '#[test]\nfn works() {\n    assert_eq!(of(1), 5);\n}\n',
      },
    ],
  ])('%s', (_, tests, files) => {
    const texts = Object.entries(files).map(([path, text]) => ({ path, text }));
    const { comparing } = roundsOf(judge({ texts, tests }));
    expect([...comparing].sort()).toEqual(tests.map((name) => [name]).sort());
  });

  test('where nothing tells whose it is, it is of both', () => {
    const tests = ['a.js > one > works', 'a.js > other > works'];
    const texts = [{ path: 'a.js', text: `suites((it) => {\n  ${one}});\n` }];
    expect(roundsOf(judge({ texts, tests })).comparing).toEqual([tests]);
  });
});

describe('WORD-35: a test whose name is put together is looked at', () => {
  test.each([
    ["test('adds ' + a + ' and ' + b, () => is(add(1), 3));", 'adds 1 and 2'],
    ["test(kind + ' of days', () => is(add(1), 3));", 'week of days'],
    ['it("adds " + String(a, 2), () => is(add(1), 3));', 'adds 4'],
    ['it(one.title, () => is(add(1), 3));', 'anything'],
    ['for (const title of titles) t.test(title, () => is(add(1), 3));', 'anything'],
  ])('%s', (text, name) => {
    const tests = [`a.test.js > ${name}`, 'a.test.js > plain'];
    const plain = "test('plain', () => is(add(2), 4));\n";
    const texts = [{ path: 'a.test.js', text: `${plain}${text}\n` }];
    const { comparing, pinned } = roundsOf(judge({ texts, tests, failedAt: () => [1, 2] }));
    expect(comparing).toEqual([[tests[1]], [tests[0]]]);
    expect(pinned[0]).toEqual([[tests[1]], [tests[0]]]);
  });

  test('one that no text names is asked by the rest of its file', () => {
    const tests = ['a.test.js > plain', 'a.test.js > nowhere', 'b.test.js > other'];
    const own = 'const cases = made(7);\nsuite(cases, (x) => is(x, 9));\n';
    const texts = [
      { path: 'a.test.js', text: `${own}test('plain', () => is(add(2), 4));\n` },
      { path: 'b.test.js', text: "test('other', () => is(add(2), 4));\n" },
    ];
    const { comparing, rounds } = roundsOf(judge({ texts, tests }));
    expect(comparing).toContainEqual(['a.test.js > nowhere']);
    expect(rounds[0]?.get('a.test.js')).toContain('is(x, 8)');
  });

  test('one that no text names has to notice some value of its file', () => {
    const tests = ['a.test.js > plain', 'a.test.js > nowhere'];
    const text = "suite();\ntest('plain', () => is(add(2), 4));\n";
    const { comparing, unasked } = roundsOf(judge({ texts: [{ path: 'a.test.js', text }], tests }));
    expect(comparing).toEqual([['a.test.js > plain'], ['a.test.js > nowhere']]);
    expect(unasked).toEqual([]);
  });

  test('one that is nowhere, and in whose file no value is known, is not asked', () => {
    const tests = ['a.test.js > plain', 'b.test.js > nowhere'];
    const texts = [
      { path: 'a.test.js', text: "test('plain', () => is(add(2), 4));\n" },
      { path: 'b.test.js', text: 'suite();\n' },
    ];
    expect(roundsOf(judge({ texts, tests })).unasked).toEqual(['b.test.js > nowhere']);
  });

  test('one of the documentation stands at its line', () => {
    const text = `//! \`\`\`
//! assert_eq!(day::of(1), 3);
//! \`\`\`
/// \`\`\`
/// assert_eq!(day::of(2), 4);
/// \`\`\`
pub fn of() {}
`;
    const tests = ['src/lib.rs - (line 1)', 'src/lib.rs - of (line 4)', 'tests::works'];
    const lines = new Set(text.split('\n').filter((line) => line.includes('assert')));
    const own = '#[test]\nfn works() {\n    assert_eq!(of(1), 3);\n}\n';
    const texts = [
      { path: 'day/src/lib.rs', text, lines },
      { path: 'day/tests/works.rs', text: own },
    ];
    const { comparing, unplaced } = roundsOf(judge({ texts, tests }));
    expect(comparing).toEqual(tests.map((name) => [name]));
    expect(unplaced).toEqual([]);
  });
});

test('WORD-36: each of many tests has to notice', () => {
  const names = Array.from({ length: 2000 }, (_, at) => `adds ${at}`);
  const text = names.map((name) => `test('${name}', () => is(add(1), 3));\n`).join('');
  const tests = names.map((name) => `a.test.js > ${name}`);
  const { comparing, unplaced } = roundsOf(
    judge({ texts: [{ path: 'a.test.js', text }], tests, failedAt: () => [] }),
  );
  expect(comparing).toEqual(tests.map((name) => [name]));
  expect(unplaced).toEqual([]);
});

test('WORD-33: data that the failure named says nothing of a test either', () => {
  const text = "test('one', () => {\n  is(f(1), 5);\n});\n";
  const { pinned } = roundsOf({
    ...judge({ texts: [{ path: 'a.js', text }], tests: ['one'], failedAt: () => [] }),
    ...{ data: [{ path: 'wanted.txt', text: 'done' }], blamed: ['wanted.txt'] },
  });
  expect(pinned[0]).toEqual([['one']]);
});

describe('PRF-60: tests that failed at one statement have to notice each', () => {
  const help = `import assert from 'node:assert'
export const check = (fn, a, b) => {
  assert.equal(fn(a), b)
}
export const checkAll = (fn, rows) => {
  for (const [a, b] of rows) check(fn, a, b)
}
export const suite = (fn, rows) => {
  for (const [title, a, b] of rows) test(title, () => {
    assert.equal(fn(a), b)
  })
}
`;
  const eachOf = (text: string, lines: number[], own: number[], tests = ['of a', 'of b']) =>
    roundsOf({
      texts: [
        { path: 'test/f.test.js', text },
        { path: 'test/help.js', text: help },
      ],
      ...{ data: [], others: [], isPath: () => false },
      tests: tests.map((test) => `test/f.test.js > ${test}`),
      failedAt: (path) => (path === 'test/help.js' ? lines : own),
    }).each[0];
  const both = new Map([
    ['test/f.test.js > of a', 0],
    ['test/f.test.js > of b', 0],
  ]);
  const calling = (call: string) =>
    `test('of a', () => {\n  ${call}\n})\ntest('of b', () => {\n  ${call}\n})\n`;

  test('where they call a helper, or one that calls it', () => {
    expect(eachOf(calling("check(f, 'a', 'A')"), [3], [2, 5])).toEqual(both);
    expect(eachOf(calling("checkAll(f, [['a', 'A']])"), [3, 6], [2, 5])).toEqual(both);
  });

  test('but not where they failed before they called it', () => {
    expect(eachOf(calling('const got = f()'), [3], [2, 5])?.size ?? 0).toBe(0);
    expect(eachOf(calling("suite(f, 'a')"), [3], [2, 5])?.size ?? 0).toBe(0);
  });

  test('where a helper makes them by titles that stand in rows', () => {
    const rows = "suite(f, [\n  ['of a', 'a', 'A'],\n  ['of b', 'b', 'B'],\n])\n";
    expect(eachOf(rows, [10], [1])).toEqual(both);
  });

  test('where their title is what a function says', () => {
    const text =
      "for (const a of ['a', 'b']) test(titled(a), () => {\n  assert.equal(f(a), up(a))\n})\n";
    expect(eachOf(text, [], [2])).toEqual(both);
  });

  test('but not where several statements of their text failed', () => {
    const text = `for (const a of ['a', 'b']) test(\`of \${a}\`, () => {\n  if (a === 'a') assert.equal(f(a), 'A')\n  else assert.equal(f(a), 'B')\n})\n`;
    expect(eachOf(text, [], [2, 3])?.size).toBe(0);
  });
});
