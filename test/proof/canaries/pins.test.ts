import { describe, expect, test } from 'vitest';
import { withLiterals } from '../../../src/proof/canaries/literals.ts';
import { linesNamedIn, pinsOf } from '../../../src/proof/canaries/pins.ts';
import { roundsOf } from '../../../src/proof/canaries/rounds.ts';

describe('the output of a failed check names the line', () => {
  test.each([
    ['    at TestContext.<anonymous> (/place/test/a.test.js:12:3)', 'test/a.test.js'],
    ['  File "/place/test/a.py", line 12, in <module>', 'test/a.py'],
    ['test/a_test.py:12: AssertionError', 'test/a_test.py'],
    ["check: test/a.c:12: main: Assertion `x == 1' failed.", 'test/a.c'],
    ['#   at t/a.t line 12.', 't/a.t'],
    ['    a_test.go:12: child', 'pkg/a_test.go'],
    ["thread 'main' panicked at examples/a.rs:12:5:", 'examples/a.rs'],
    ['\tat Check.main(Check.java:12)', 'test/Check.java'],
    ['test/a.sh: line 12: 3: wrong', 'test/a.sh'],
  ])('%s', (output, path) => {
    expect(linesNamedIn(`begun\n${output}\nended`, path, () => false)).toEqual([12]);
  });

  test('another file of that name, or with a longer one, is another', () => {
    expect(linesNamedIn('at other/a.js:3:1', 'test/a.js', (path) => path === 'other/a.js')).toEqual(
      [],
    );
    expect(linesNamedIn('at test/data.js:3:1', 'test/a.js', () => false)).toEqual([]);
  });
});

test('a copy that a build made has the same lines', () => {
  expect(linesNamedIn('check: build/a.c:3: main', 'test/a.c', () => false)).toEqual([3]);
});

const TEXT = `assert plural("cat") == "cats"
assert plural("dog") == "dogs"
assert plural(
    "child"
) == "children"
if plural("x") == "xs":
    pass
assert plural("pen") == "pens"
`;
const reading = { isName: () => false };
const others = (failedAt: readonly number[], lot = () => 0) =>
  pinsOf({ text: TEXT, from: 0, to: TEXT.length, failedAt }, reading, lot).map((one) =>
    withLiterals(TEXT, [one]),
  );

describe('a check has to notice another value', () => {
  test('where the original failed, and on a line behind that compares', () => {
    expect(others([3])).toEqual([
      TEXT.replace('"children"', '"childreo"'),
      TEXT.replace('"pens"', '"pent"'),
    ]);
  });

  test('on the last line alone, if it failed there', () => {
    expect(others([8])).toEqual([TEXT.replace('"pens"', '"pent"')]);
  });

  test('on the innermost of the lines that a stack names', () => {
    const text = `test('plurals', () => {
  assert.equal(plural('cat'), 'cats');
  assert.equal(plural('child'), 'children');
});
`;
    const [pin] = pinsOf({ text, from: 0, to: text.length, failedAt: [3, 1] }, reading, () => 0);
    expect(pin?.at).toBe(text.indexOf('children') + 7);
  });

  test('in the condition above a line that only reports', () => {
    const text = 'if Of("child") != "children" {\n\tt.Fatal("child")\n}\n';
    const [pin] = pinsOf({ text, from: 0, to: text.length, failedAt: [2] }, reading, () => 0);
    expect(pin?.at).toBe(text.indexOf('children') + 7);
  });

  test('by every value of that line, up to nine, by lot', () => {
    const text = 'assert.deepEqual(all, ["a1", "b1", "c1"]);\nassert.equal(x, 5);\n';
    const asked = { text, from: 0, to: text.length, failedAt: [1] };
    const altered = pinsOf(asked, reading, () => 0).map((one) => withLiterals(text, [one]));
    expect(altered.sort()).toEqual(
      [
        text.replace('a1', 'a2'),
        text.replace('b1', 'b2'),
        text.replace('c1', 'c2'),
        text.replace('x, 5', 'x, 6'),
      ].sort(),
    );
  });

  test('nowhere, if no line that compares is named', () => {
    expect(others([])).toEqual([]);
    expect(others([7, 99])).toEqual([]);
  });

  test('of a text that a comparison inside of the line is given, not in what it says of it', () => {
    const text = 'assert(strcmp(plural("child"), "children") == 0);\n';
    const [pin] = pinsOf({ text, from: 0, to: text.length, failedAt: [1] }, reading, () => 0);
    expect(pin?.at).toBe(text.indexOf('children') + 7);
  });

  test('before any other value is another one', () => {
    const judge = {
      ...{
        texts: [
          { path: 'a.py', text: TEXT },
          { path: 'b.py', text: 'assert x == 5\n' },
        ],
      },
      ...{ data: [{ path: 'd.txt', text: 'done' }], tests: [], others: [], isPath: () => false },
    };
    const { rounds, pinned } = roundsOf({
      ...judge,
      failedAt: (path) => (path === 'a.py' ? [8] : []),
    });
    expect(pinned).toEqual(Array(3).fill([['']]));
    expect(rounds.slice(0, 3).map((round) => [...round.keys()])).toEqual(Array(3).fill(['a.py']));
    expect(rounds[3]?.get('b.py')).toBe('assert x == 6\n');
    expect(rounds[3]?.get('d.txt')).toBe('donf');
  });
});

describe('a failure that names no line of the judge', () => {
  const plain = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(
    (n) => `if (of(${n}) !== ${n}0) process.exit(1);`,
  );
  const text = plain.join('\n');
  const asked = {
    ...{ texts: [{ path: 'check.js', text }], data: [], tests: [], others: [] },
    ...{ isPath: () => false, failedAt: () => [] },
  };

  test('has ten of the compared values noticed, each alone, and one behind the last line', () => {
    const { rounds, pinned } = roundsOf({ ...asked, isRun: () => true });
    expect(pinned).toEqual(Array(11).fill([['']]));
    expect(rounds[1]?.get('check.js')).toMatch(`${text}\n`);
    const lines = [...rounds.slice(0, 1), ...rounds.slice(2, 11)].map((round) =>
      (round.get('check.js') ?? '')
        .split('\n')
        .flatMap((line, at) => (line === plain[at] ? [] : at)),
    );
    expect(lines.map((changed) => changed.length)).toEqual(Array(10).fill(1));
    expect(new Set(lines.flat()).size).toBe(10);
  });

  test('asks none of a text that the check may not run', () => {
    expect(roundsOf({ ...asked, isRun: () => false }).pinned).toEqual([]);
  });

  test('asks none where the check held on the original', () => {
    const { failedAt: _, ...held } = asked;
    expect(roundsOf({ ...held, isRun: () => true }).pinned).toEqual([]);
  });

  test('asks each test that a runner names, in rounds with the others, and each line without its library', () => {
    const two = 'test("one", () => is(f(1), 5));\ntest("two", () => is(f(2), 6));\n';
    const { rounds, pinned } = roundsOf({
      ...{ ...asked, texts: [{ path: 'a.js', text: two }], tests: ['one', 'two'] },
    });
    expect(pinned).toEqual(Array(2).fill([['one'], ['two']]));
    expect(rounds[0]?.get('a.js')).toBe(two.replace('1), 5', '1), 6').replace('2), 6', '2), 7'));
    expect(rounds[1]?.get('a.js')).toMatch(
      /=> \(\(a, b\) => .*\(f\(1\), 5\).*\n.*=> \(\(a, b\) => /,
    );
  });
});

test('WORD-33: what one test failed at says nothing of another one, which is asked at each of its lines', () => {
  const told = 'test("told", () => {\n  is(f(1), 5);\n});\n';
  const untold =
    'test("untold", () => {\n  refuses(new Error("busy"));\n  is(f(2), 6);\n  is(f(3), 7);\n});\n';
  const { rounds, pinned } = roundsOf({
    ...{ texts: [{ path: 'a.js', text: told + untold }], data: [], others: [] },
    ...{ tests: ['told', 'untold'], isPath: () => false, failedAt: () => [2, 5] },
  });
  const asking = pinned.map((cases) => cases.flat());
  expect(asking).toEqual([['told', 'untold'], ['told', 'untold'], ['untold'], ['untold']]);
  const texts = rounds.slice(0, 4).map((round) => round.get('a.js') ?? '');
  for (const line of ['is(f(2), 7)', 'is(f(3), 8)']) {
    expect(texts.filter((one) => one.includes(line))).toHaveLength(1);
  }
  for (const line of [')(f(2), 6)', ')(f(3), 7)']) {
    expect(texts.filter((one) => one.includes(line))).toHaveLength(1);
  }
});

test('data that the failure named is another one alone, before what may differ with it', () => {
  const { rounds } = roundsOf({
    ...{ texts: [], tests: [], others: [], isPath: () => false, blamed: ['wanted.txt'] },
    data: [
      { path: 'given.txt', text: 'Done' },
      { path: 'wanted.txt', text: 'done' },
    ],
  });
  expect(rounds[0]).toEqual(new Map([['wanted.txt', 'donf']]));
  expect(rounds[1]).toEqual(new Map([['given.txt', 'Donf']]));
});

describe('WORD-38: a test that failed where the host knows no opposite has not turned by what it says', () => {
  const one = "test('one', () => {\n  expect(of(1)).toBeOwn();\n});\n";
  const other = "test('other', () => {\n  expect(of(2)).toBe(5);\n});\n";
  const muteOf = (text: string, failedAt: readonly number[] = []) =>
    roundsOf({
      ...{ texts: [{ path: 'a.test.js', text }], data: [], others: [] },
      ...{ tests: ['one', 'other'], isPath: () => false, failedAt: () => failedAt },
    }).mute;

  test('at that line', () => {
    const both = one.replace('});', '  expect(of(3)).toBe(6);\n});');
    expect(muteOf(both + other, [2, 6])).toEqual(['expect(of(1)).toBeOwn();']);
    expect(muteOf(both + other, [3, 6])).toEqual([]);
  });

  test('where no line is named, by none of its lines', () => {
    expect(muteOf(one + other)).toEqual(['expect(of(1)).toBeOwn();']);
    expect(muteOf(one.replace('});', '  expect(of(3)).toBe(6);\n});') + other)).toEqual([]);
  });

  test('a snapshot is compared with what a file has', () => {
    expect(muteOf(one.replace('toBeOwn', 'toMatchSnapshot') + other, [2])).toEqual([]);
  });

  test('nothing is asked of what held', () => {
    const held = {
      texts: [{ path: 'a.test.js', text: one }],
      data: [],
      tests: ['one'],
      others: [],
    };
    expect(roundsOf({ ...held, isPath: () => false }).mute).toEqual([]);
  });
});
