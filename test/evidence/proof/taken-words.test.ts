import { expect } from 'vitest';
import { CC, type Need, PYTEST, testWith } from '../../support/needs.ts';
import { type Files, undeliverableAfter } from './undeliverable.ts';

const NOTHING: Need = { what: 'nothing', isThere: true };

interface Case {
  readonly what: string;
  readonly before: Files;
  readonly work: Files;
  readonly taken: readonly string[];
  readonly need?: Need;
  readonly commands?: readonly string[];
}

const GO: Files = {
  'src/shop/sum.go': 'package shop\n\nfunc Sum(a, b int) int { return a - b }\n',
  'src/shop/sum_test.go':
    'package shop\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif (Sum(1, 2) == 3) != true { t.Fatal() }\n}\n',
};
const C: Files = {
  'src/sum.h': 'int sum(int a, int b);\n',
  'test/check.c':
    '#include "sum.h"\n#include <assert.h>\n#include <stdbool.h>\n#include <string.h>\nint main(void) {\n  bool isRight = true;\n  if (sum(1, 2) != 3 || strcmp("a", "b") == 0 || LIMIT < 1) isRight = false;\n  assert(isRight);\n  return 0;\n}\n',
};
const RUST: Files = {
  'src/lib.rs':
    'pub fn sum(a: i32, b: i32) -> i32 { a - b }\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn sums() { assert_eq!(sum(1, 2), 3); }\n}\n',
};
const SHELL: Files = {
  'src/sum.sh': 'sum() { echo $(($1 - $2)); }\n',
  'test/check.sh': '. src/sum.sh\n[ "$(sum 1 2)" = 3 ] || exit 1\nlog done\n',
};
const PYTHON: Files = {
  'src/sums.py': 'def sums(x):\n    return []\n',
  'tests/test_sums.py': 'from sums import *\n\ndef test_sums():\n    assert len(sums([1])) == 1\n',
};

const taking: readonly Case[] = [
  {
    what: "Go's true, in a constant of the package",
    before: GO,
    work: { 'src/shop/more.go': 'package shop\n\nconst (\n\ttrue = 0 != 0\n)\n' },
    taken: ['src/shop/more.go'],
  },
  {
    what: "Go's true, behind another statement of its line",
    before: GO,
    work: { 'src/shop/sum.go': 'package shop; var a = 1; const b, true = 1, 0 != 0\n' },
    taken: ['src/shop/sum.go'],
  },
  {
    what: "C's true, in a header that says 0",
    ...{ before: C, need: CC },
    work: { 'src/sum.h': 'int sum(int a, int b);\n#undef true\n#define true 0\n' },
    taken: ['src/sum.h'],
  },
  {
    what: 'the macro assert, over two lines',
    ...{ before: C, need: CC },
    work: { 'src/more.h': '#/**/define \\\nassert(x) ((void)0)\n' },
    taken: ['src/more.h'],
  },
  {
    what: 'a keyword of C',
    ...{ before: C, need: CC },
    work: { 'src/sum.h': '%:define if(x) while (0 && (x))\n' },
    taken: ['src/sum.h'],
  },
  {
    what: "the main function of C's test",
    ...{ before: C, need: CC },
    work: { 'src/sum.h': '#define main other_main\n' },
    taken: ['src/sum.h'],
  },
  {
    what: 'a function of the library of C, and what assert calls',
    ...{ before: C, need: CC },
    work: {
      'src/sum.c': 'int sum(int a, int b) { return a - b; }\n',
      'src/one.c': 'int strcmp(const char *a, const char *b)\n{\n  return 1;\n}\n',
      'src/two.c': 'void __assert_fail(const char *a, const char *b) { }\n',
    },
    taken: ['src/one.c', 'src/two.c'],
  },
  {
    what: "Rust's assert_eq, by a macro and by another name",
    before: RUST,
    work: {
      'src/one.rs': 'macro_rules! assert_eq { ($($a:tt)*) => {} }\n',
      'src/two.rs': 'pub use crate::same as assert_eq;\n',
    },
    taken: ['src/one.rs', 'src/two.rs'],
  },
  {
    what: "a shell's [, exit and echo, where a test reads them",
    before: { ...SHELL, 'test/check.sh': `${SHELL['test/check.sh']}echo done\n` },
    work: {
      'src/sum.sh': '[() { :; }\nsum() { echo; }\n',
      'src/one.sh': 'function exit { :; }\n',
      'src/two.sh': "alias echo='true'\n",
    },
    taken: ['src/one.sh', 'src/sum.sh', 'src/two.sh'],
  },
  {
    what: 'a program that a criterion itself says',
    before: SHELL,
    work: { 'src/sum.sh': 'diff() { :; }\n' },
    taken: ['src/sum.sh'],
    commands: ['. src/sum.sh; diff a b'],
  },
  {
    what: "Python's len, where a test imports all",
    ...{ before: PYTHON, need: PYTEST },
    work: { 'src/sums.py': 'def len(x):\n    return 1\n\ndef sums(x):\n    return []\n' },
    taken: ['src/sums.py'],
  },
  {
    what: "Java's String, in the package of a test",
    before: {
      'src/main/java/shop/Sum.java': 'package shop;\nclass Sum {}\n',
      'src/test/java/shop/SumTest.java': 'package shop;\nclass SumTest { String name; }\n',
    },
    work: { 'src/main/java/shop/String.java': 'package shop;\n\nfinal class String {}\n' },
    taken: ['src/main/java/shop/String.java'],
  },
];

const leaving: readonly Case[] = [
  {
    what: 'a name of the language in another package, in a function, or for a method',
    before: GO,
    work: {
      'src/other/other.go': 'package other\n\nconst true = 0 != 0\n',
      'src/shop/sum.go':
        'package shop\n\ntype list []int\n\nfunc (l list) len() int { true := 1\n\treturn true }\n\nvar x = 1 +\n\tlen(\n\t\ttrue)\n',
    },
    taken: [],
  },
  {
    what: 'what no test of the package says',
    before: GO,
    work: { 'src/shop/more.go': 'package shop\n\nfunc max(a, b int) int { return a }\n' },
    taken: [],
  },
  {
    what: 'what C says of it as well, a name of its own, another main and a static function',
    ...{ before: C, need: CC },
    work: {
      'src/sum.h':
        '#define true 1\n#define LIMIT 9\nenum { false, other };\n// #define assert(x)\n',
      'src/main.c': 'static int strcmp(int a) { return a; }\nint main(void) { return 0; }\n',
    },
    taken: [],
  },
  {
    what: 'what the original defined already',
    ...{ before: { ...C, 'src/old.h': '#define true 0\n' }, need: CC },
    work: { 'src/new.h': '#define true 0\n', 'src/old.h': '#define false true\n' },
    taken: ['src/old.h'],
  },
  {
    what: 'functions of Rust that have the name of a macro',
    before: RUST,
    work: { 'src/one.rs': 'pub fn assert_eq() {}\nmacro_rules! both { () => {} }\n' },
    taken: [],
  },
  {
    what: 'functions that are no program, and a script that nobody sources',
    before: { ...SHELL, 'other/check.sh': 'cmp a b\n' },
    work: { 'src/sum.sh': 'log() { :; }\nsum() { echo $(($1 + $2)); }\ncmp() { :; }\n' },
    taken: [],
  },
  {
    what: 'a name of Python that a test imports by its name',
    before: {
      ...PYTHON,
      'tests/test_sums.py': 'from sums import sums\nassert len(sums([])) == 0\n',
    },
    work: { 'src/sums.py': 'def len(x):\n    return 1\n' },
    taken: [],
  },
];

for (const { what, before, work, taken, commands, need = NOTHING } of taking) {
  testWith(need)(`WORD-1: the work may not take ${what}`, async () => {
    expect((await undeliverableAfter(before, work, commands)).sort()).toEqual(taken);
  });
}

for (const { what, before, work, taken, need = NOTHING } of leaving) {
  testWith(need)(`WORD-2: the work may define ${what}`, async () => {
    expect(await undeliverableAfter(before, work)).toEqual(taken);
  });
}
