import { expect, test } from 'vitest';
import type { Wording } from '../../../src/proof/words/bare-text.ts';
import { definitionsIn } from '../../../src/proof/words/definitions.ts';

/** Read again from each sign, these would take minutes. */
const SHAPES: readonly (readonly [Wording, string])[] = [
  ['c', '"\\'],
  ['c', '/*'],
  ['c', 'f() '],
  ['c', 'const '],
  ['c', 'enum a { b, '],
  ['go', 'var x = f(\n'],
  ['rust', 'r#"'],
  ['jvm', 'class '],
  ['shell', 'function a '],
  ['python', '"""'],
];

test.each(SHAPES)('WORD-3: a text of %s that repeats %s is read once', (language, part) => {
  const begun = process.cpuUsage();
  definitionsIn(language, part.repeat(50_000));
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1e6).toBeLessThan(5);
});

test.each<[Wording, string, string[]]>([
  ['c', 'extern "C" {\nint strcmp(const char *a, int (*b)(int)) {\n  return 0;\n}\n}', ['strcmp']],
  ['c', '__attribute__((used)) int puts(const char *a) { return 0; }', ['puts']],
  ['c', 'struct a { int b; };\nint call(void);\n', []],
  ['go', 'package p\nvar (\n\ta, b = f(\n\t\tc,\n\t)\n\td int // e\n)\n', ['a', 'b', 'd']],
  ['shell', 'echo "it\'s"; exit() { :; } # a() {\n', ['exit']],
  [
    'python',
    'import os.path as all, re\n"""\ndef any(): pass\n"""\nlen: int = 1\n',
    ['all', 're', 'len'],
  ],
])('in %s %s defines %j', (language, text, words) => {
  expect([...definitionsIn(language, text).keys()].sort()).toEqual([...words].sort());
});
