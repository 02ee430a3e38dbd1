import { expect, test } from 'vitest';
import { failingAlone } from '../../../src/proof/canaries/only-fails.ts';

test.each([
  ['a.py', "else:\n    pytest.fail('not rejected')\nx = 1\n", 'else:\n    1 / 0\nx = 1\n'],
  ['a.py', 'try:\n    raise AssertionError(f(1))\n', 'try:\n    1 / 0\n'],
  ['a.py', 'f()\nself.fail()', 'f()\n1 / 0'],
  ['a.js', 'f();\n  assert.fail(g(1));\n', 'f();\n  null.fails;\n'],
  ['a.ts', 'f();\nthrow new Error("no");\n', 'f();\n(null as any).fails;\n'],
])('WORD-22: a line that only fails does so by the language alone: %s %j', (path, text, now) => {
  expect(failingAlone(path, text, [2])).toBe(now);
  expect(failingAlone(path, text, [])).toBe(text);
});

test.each([
  ['a.py', "f()\nx = pytest.fail('no') if bad else 1\n"],
  ['a.py', 'f()\nassert failed()\n'],
  ['a.js', 'f();\nassert.equal(fail(1), 2);\n'],
  ['a.sh', 'f\nexit 1\n'],
])('WORD-22: any other line stays: %s %j', (path, text) => {
  expect(failingAlone(path, text, [2])).toBe(text);
});
