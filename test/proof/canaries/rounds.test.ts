import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { literalsOf, withLiterals } from '../../../src/proof/canaries/literals.ts';
import { type Judge, roundsOf } from '../../../src/proof/canaries/rounds.ts';

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
  ])('%s', (line, other) => {
    expect(othersOf(line)[0]).toBe(other);
  });
});

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
