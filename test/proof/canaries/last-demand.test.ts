import { describe, expect, test } from 'vitest';
import { demandBehind, readsRows, rowBehind } from '../../../src/proof/canaries/last-demand.ts';
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
        'EXPECT_NONE(week(0));\n    EXPECT(week(4), "W3");\n',
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
])('WORD-14: where no line can be taken for a demand, none is added: %s %j', (path, text) => {
  expect(behind(path, text)).toBe(text);
});

test('WORD-14: a table has its first row again, with another last field', () => {
  expect(withLiterals('1 10\n2 20\n', rowBehind('1 10\n2 20\n'))).toBe('1 10\n2 20\n1 11\n');
  for (const text of ['1 10\n', 'one\ntwo\n', '1 10\n2\n']) expect(rowBehind(text)).toEqual([]);
});

test('WORD-14: a loop of a shell takes its rows from its input', () => {
  const loop = 'while read -r in want; do\n  :\ndone < test/cases.txt\n';
  expect(readsRows(loop, 'test/cases.txt')).toBe(true);
  expect(readsRows(loop, 'test/others.txt')).toBe(false);
  expect(readsRows('cat < test/cases.txt\n', 'test/cases.txt')).toBe(false);
});
