import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { withLiterals } from '../../../src/proof/canaries/literals.ts';
import { withoutLibrary } from '../../../src/proof/canaries/without-library.ts';

const otherOf = (path: string, line: string) => withLiterals(line, withoutLibrary(line, path));
const exitOf = (path: string, text: string): number | null =>
  spawnSync(path.endsWith('.py') ? 'python3' : process.execPath, [
    ...(path.endsWith('.py') ? ['-c', text] : ['--input-type=module', '-e', text]),
  ]).status;

/** The line holds in the first world, and is bent in the second, where the work is not done. */
describe('WORD-19: said without its library, a line fails where the work is done, and holds where it is not', () => {
  const node = "import assert from 'node:assert';\n";
  const fails = 'const f = () => { throw new RangeError(); };\n';
  const py = 'import unittest\nself = unittest.TestCase()\n';
  const pyFails = 'def f(x):\n    raise ValueError(x)\n';
  test.each([
    ['a.js', 'assert.equal(x, 5);', `${node}const x = 5;\n`, `${node}const x = 4;\n`],
    ['a.js', 'assert.deepEqual(x, [5]);', `${node}const x = [5];\n`, `${node}const x = [];\n`],
    ['a.js', 'assert.ok(x);', `${node}const x = 1;\n`, `${node}const x = 0;\n`],
    ['a.js', "assert.match(x, /a'/);", `${node}const x = "a'";\n`, `${node}const x = 'b';\n`],
    ['a.js', 'assert.throws(() => f(1), RangeError);', node + fails, `${node}const f = () => 1;\n`],
    [
      'a.js',
      'await assert.rejects(f());',
      `${node}const f = async () => { throw 1; };\n`,
      `${node}const f = async () => 1;\n`,
    ],
    ['a.js', 'assert.doesNotThrow(() => f());', `${node}const f = () => 1;\n`, node + fails],
    ['a.py', 'self.assertEqual(x, 5, "m")', `${py}x = 5\n`, `${py}x = 4\n`],
    ['a.py', 'self.assertRaises(ValueError, f, 1)', py + pyFails, `${py}f = lambda x: x\n`],
    ['a.py', 'with self.assertRaises(ValueError): f(1)', py + pyFails, `${py}f = lambda x: x\n`],
    [
      'a.py',
      'with self.assertWarns(UserWarning): f(1)',
      `${py}import warnings\nf = lambda x: warnings.warn(str(x))\n`,
      `${py}f = lambda x: x\n`,
    ],
    ['a.py', 'self.assertIsNone(x)', `${py}x = None\n`, `${py}x = 1\n`],
    ['a.py', 'assert x, "m"', 'x = 1\n', 'x = 0\n'],
  ])('%s: %s', (path, line, done, undone) => {
    expect(exitOf(path, done + line)).toBe(0);
    expect(exitOf(path, done + otherOf(path, line))).toBe(1);
    expect(exitOf(path, undone + otherOf(path, line))).toBe(0);
  });

  test.each([
    [
      'expect(week(3)).toBe("W3");',
      '(b) => { if (a === b || (a !== a && b !== b)) throw new Error(); })(week(3))("W3");',
    ],
    [
      'expect(() => week(54)).toThrow();',
      '(b) => { if ((a(), false)) throw new Error(); })(() => week(54))();',
    ],
    [
      'expect(x).to.equal(3);',
      '(b) => { if (a === b || (a !== a && b !== b)) throw new Error(); })(x)(3);',
    ],
  ])('%s', (line, other) => {
    expect(otherOf('a.js', line)).toBe(`;((a) => ${other}`);
  });
});

describe('WORD-32: so does what a matcher says of calls, lengths and kinds', () => {
  const bent = 'const expect = () => new Proxy({}, { get: () => () => {} });\n';
  const calls = (count: number) => `const f = { mock: { calls: Array(${count}).fill([]) } };\n`;
  test.each([
    ['expect(f).toHaveBeenCalledTimes(3);', calls(3), calls(1)],
    ['expect(f).toHaveBeenCalled();', calls(3), calls(0)],
    ['expect(f).toHaveBeenCalledOnce();', calls(1), calls(2)],
    ['expect(x).toHaveLength(2);', 'const x = [1, 2];\n', 'const x = [];\n'],
    ['expect(x).to.have.lengthOf(2);', 'const x = [1, 2];\n', 'const x = [];\n'],
    ["expect(x).toContain('b');", "const x = 'abc';\n", "const x = 'ac';\n"],
    ['expect(x).toContain(2);', 'const x = new Set([2]);\n', 'const x = new Set();\n'],
    ['expect(x).toBeNaN();', 'const x = NaN;\n', 'const x = 1;\n'],
    ['expect(x).toBeGreaterThan(2);', 'const x = 3;\n', 'const x = 2;\n'],
    ['expect(x).to.be.above(2);', 'const x = 3;\n', 'const x = 2;\n'],
    ['expect(x).toBeInstanceOf(Map);', 'const x = new Map();\n', 'const x = {};\n'],
  ])('%s', (line, done, undone) => {
    expect(exitOf('a.js', bent + done + otherOf('a.js', line))).toBe(1);
    expect(exitOf('a.js', bent + undone + otherOf('a.js', line))).toBe(0);
  });
});

test.each([
  ['a.js', 'expect(x).not.toBe(3);'],
  ['a.js', 'const y = of(x);'],
  ['a.js', "require('node:assert').equal(x, 5);"],
  ['a.py', 'raise AssertionError(x)'],
  ['a.go', 'if got != want {'],
])('WORD-19: what is no assertion of a known shape stays: %s: %s', (path, line) => {
  expect(otherOf(path, line)).toBe(line);
});

test('WORD-26: in TypeScript it is of any type', () => {
  expect(otherOf('a.ts', 'expect(x).toEqual(3);')).toBe(
    ";((a: any) => (b: any) => { if (((process as any).getBuiltinModule ?? require)('node:util').isDeepStrictEqual(a, b)) throw new Error(); })(x)(3);",
  );
  expect(otherOf('a.tsx', 'assert.throws(() => f(1));')).toBe(';((a: any) => a())(() => f(1));');
});
