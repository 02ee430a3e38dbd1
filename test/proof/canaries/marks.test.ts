import { expect, test } from 'vitest';
import { withMark } from '../../../src/proof/canaries/marks.ts';

test.each([
  ['test/a.test.ts', 'ends();', 'ends();\n// mark\n'],
  ['test/a_test.go', 'package a\n', 'package a\n// mark\n'],
  ['tests/test_a.py', 'x = 1\n', 'x = 1\n\n\n# mark\n'],
  ['t/a.t', 'ok 1;\n', 'ok 1;\n# mark\n'],
  ['check.sh', 'exit 0\n', 'exit 0\n# mark\n'],
])('PRF-73 one more comment at the end of %s', (path, text, marked) => {
  expect(withMark(path, text, 'mark')).toBe(marked);
});

test.each([
  ['t/a.t', 'ok 1;\n__DATA__\nrow\n'],
  ['lib/a.pm', '1;\n=head1 NAME\n'],
  ['a.php', '<?php ok(); ?>\n'],
  ['rows.json', '{}\n'],
  ['Makefile', 'test:\n'],
])('PRF-73 none where it would be read, or nobody knows its sign: %s', (path, text) => {
  expect(withMark(path, text, 'mark')).toBe(text);
});
