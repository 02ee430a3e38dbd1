import { describe, expect, test } from 'vitest';
import {
  demandBehind,
  readsRows,
  rowBehind,
  rowsBehind,
} from '../../../src/proof/canaries/last-demand.ts';
import { withLiterals } from '../../../src/proof/canaries/literals.ts';

const reading = (path: string) => ({ isName: () => false, path });
const behind = (path: string, text: string, failedAt: readonly number[] = []) =>
  withLiterals(text, demandBehind({ text, from: 0, to: text.length, failedAt }, reading(path)));

describe('WORD-14: a demand that cannot hold stands behind the last one', () => {
  test('of a script of a shell, before it ends', () => {
    const text = '. ./assert.sh\nassert_eq "$(week 3)" \'W3\'\nassert_fails week\nexit $bad\n';
    expect(behind('run.sh', text)).toBe(
      text.replace('assert_fails week\n', 'assert_fails week\nassert_eq "$(week 3)" \'W4\'\n'),
    );
  });

  test('of the block in which the original failed', () => {
    const text = `static int one(void) {
    return 1;
}
int main(void) {
    EXPECT(week(3), "W3");
    EXPECT_NONE(week(0));
    return 0;
}
`;
    expect(behind('run.c', text, [6])).toBe(
      text.replace(
        'EXPECT_NONE(week(0));\n',
        'EXPECT_NONE(week(0));\n    EXPECT(week(3), "W4");\n',
      ),
    );
  });

  test('with the line as a whole, where a statement has several', () => {
    const text = "assert.equal(week(3), 'W3');\nassert.throws(() =>\n  week(),\n);\n";
    expect(behind('run.mjs', text, [2])).toBe(`${text.trimEnd()}\nassert.equal(week(3), 'W4');\n`);
  });
});

test.each([
  ['run.sh', 'week 3\nweek 4\n'],
  ['run.sh', 'if [ "$(week 3)" = W3 ]; then\n  echo fine\nfi\n'],
  ['run.sh', 'assert_eq "$(week 3)" \\\n  W3\n'],
  ['run.sh', "assert_eq a b <<'X'\nassert_eq c d\nX\n"],
  ['run.py', 'import unittest\nunittest.main()\n'],
  ['run.awk', 'BEGIN {\n  equal(week(3), "W3")\n  exit failed\n}\n'],
])('WORD-14: where no line can be taken for a demand, none is added: %s %j', (path, text) => {
  expect(behind(path, text)).toBe(text);
});

test.each([
  ['run.sh', 'refuses() {\n  assert_fails week\n}\nrefuses\n', 'echo fine\n', 'exit 1\n'],
  ['run.py', 'def refuses():\n    rejects(week)\n\n\nrefuses()\n', '', 'raise AssertionError\n'],
  [
    'run.pl',
    "sub names { equal(week(3), 'W3') }\nsub refuses { fails(1) }\nnames();\nrefuses();\n",
    '',
    'die;\n',
  ],
  ['run.pl', 'sub refuses {\n    fails(1);\n}\nrefuses();\n', 'exit $bad;\n', 'die;\n'],
  [
    'run.mjs',
    'function refuses() {\n  rejects(week);\n}\nrefuses();\n',
    'main();\n',
    'throw new Error();\n',
  ],
])(
  'WORD-20: where none compares, what fails by the language stands behind: %s',
  (path, text, rest, fails) => {
    expect(behind(path, text + rest)).toBe(text + fails + rest);
  },
);

describe('WORD-14: a table has one of its rows again, with another last field', () => {
  const row = (text: string) => withLiterals(text, rowBehind(text)).slice(text.length);

  test('the last one, whatever stands above', () => {
    expect(row('1 10\n2 20\n')).toBe('2 21\n');
    expect(row('# in want\n# of weeks\n\n1 10\n2 20\n')).toBe('2 21\n');
    expect(row('weeks\n1 10\n2 20\n3 30')).toBe('\n3 31\n');
    for (const text of ['1 10\n', 'one\ntwo\n', '1 10\n2\n']) expect(row(text)).toBe('');
  });

  test('within a script, where a loop is given it', () => {
    const text = "while read -r in want; do\n  :\ndone <<'X'\n1 10\n2 20\nX\necho fine\n";
    expect(withLiterals(text, rowsBehind(text))).toBe(text.replace('2 20\n', '2 20\n2 21\n'));
    expect(rowsBehind("cat <<'X'\n1 10\n2 20\nX\n")).toEqual([]);
  });
});

test('WORD-14: a table is read where the judge takes rows from its input', () => {
  const loop = 'while read -r in want; do\n  :\ndone < test/cases.txt\n';
  const piped = "grep -v '^#' test/cases.txt | while read -r in want; do\n  :\ndone\n";
  for (const text of [loop, piped]) {
    expect(readsRows([text], 'test/cases.txt')).toBe(true);
    expect(readsRows([text], 'test/others.txt')).toBe(false);
  }
  const taken = ['python3 run.py < test/cases.txt', 'for line in sys.stdin:\n    pass\n'];
  expect(readsRows(taken, 'test/cases.txt')).toBe(true);
  expect(readsRows(['cat < test/cases.txt\n'], 'test/cases.txt')).toBe(false);
});

describe('WORD-41: what the work is given is no demand, since all may hold for another one as well', () => {
  const throwing = '    throw new Error();\n';
  test.each([
    ["    expect(f('a')).to.be.ok\n", throwing],
    ["    expect(f('a')).to.include('b')\n", throwing],
    ["    expect(f('a')).to.be.instanceof(Map)\n", throwing],
    ["    expect(f('a')).to.be.within(3, 5)\n", throwing],
    ["    assert.isArray(f('a'))\n", throwing],
    ["    assert.include(f('a'), 'b')\n", throwing],
    [
      "    expect(id(7)).to.equal(7)\n    expect(f('a')).to.be.ok\n",
      '    expect(id(7)).to.equal(8)\n',
    ],
    ["    checkWeek(f('a'), 'b')\n", "    checkWeek(f('a'), 'c')\n"],
  ])('%j', (body, added) => {
    const [before, after] = ["it('does it', () => {\n", '})\n'];
    const line = before.split('\n').length + body.trimEnd().split('\n').length - 1;
    expect(behind('run.mjs', before + body + after, [line])).toBe(before + body + added + after);
  });

  test('where the language knows nothing that fails, it is better than nothing', () => {
    const text = 'check(week("a"))\n';
    expect(behind('run.awk', text)).toBe(`${text.trimEnd()}\ncheck(week("b"))\n`);
  });
});
