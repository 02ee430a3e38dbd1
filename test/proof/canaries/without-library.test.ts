import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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
    ['a.js', 'assert.ifError(x);', `${node}const x = null;\n`, `${node}const x = new Error();\n`],
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
  ['a.js', 'expect(x).toBeOwn(3);'],
  ['a.js', 'expect(x).toEqual(expect.any(Number));'],
  ['a.js', "expect(x).to.nested.include({ 'a.b': 3 });"],
  ['a.js', 'await expect(f()).rejects.not.toThrow();'],
  ['a.js', 'const y = of(x);'],
  ['a.js', "require('node:assert').equal(x, 5);"],
  ['a.py', 'raise AssertionError(x)'],
  ['a.go', 'if got != want {'],
])('WORD-19: what is no assertion of a known shape stays: %s: %s', (path, line) => {
  expect(otherOf(path, line)).toBe(line);
});

describe('WORD-37: so does what is said not to be so, of a promise, or by words that only join', () => {
  const none = 'const expect = undefined;\n';
  const calls = (...all: string[]) => `const f = { mock: { calls: [${all.join()}] } };\n`;
  const rejecting = 'const f = async () => { throw new RangeError("odd day"); };\n';
  const fine = 'const f = async () => 3;\n';
  test.each([
    ['expect(x).not.toBe(3);', 'const x = 4;\n', 'const x = 3;\n'],
    ['expect(x).not.toHaveLength(3);', 'const x = [4];\n', 'const x = [1, 2, 3];\n'],
    ['expect(f).not.toHaveBeenCalled();', calls(), calls('[]')],
    ['expect(() => f()).not.toThrow();', 'const f = () => 3;\n', 'const f = () => { throw 3; };\n'],
    [
      'expect(() => f()).toThrowError();',
      'const f = () => { throw 3; };\n',
      'const f = () => 3;\n',
    ],
    ['await expect(f()).resolves.toBe(3);', fine, 'const f = async () => 4;\n'],
    ['await expect(f()).resolves.toBe(3);', fine, rejecting],
    ['await expect(f()).resolves.not.toThrow();', fine, rejecting],
    ['await expect(f()).rejects.toThrow();', rejecting, fine],
    [
      "await expect(f()).rejects.toThrow('odd');",
      rejecting,
      'const f = async () => { throw new Error("even"); };\n',
    ],
    [
      'await expect(f()).rejects.toThrow(RangeError);',
      rejecting,
      'const f = async () => { throw new Error("odd"); };\n',
    ],
    ['await expect(f()).rejects.toBeInstanceOf(RangeError);', rejecting, fine],
    [
      "expect(f).toHaveBeenCalledWith('a', { b: 3 });",
      calls("['x']", "['a', { b: 3 }]"),
      calls("['a', { b: 4 }]", "['a']"),
    ],
    ["expect(f).toHaveBeenLastCalledWith('a');", calls("['x']", "['a']"), calls("['a']", "['x']")],
    [
      "expect(f).toHaveBeenNthCalledWith(2, 'a');",
      calls("['x']", "['a']"),
      calls("['a']", "['x']"),
    ],
    [
      "expect(x).toHaveProperty('a.b');",
      'const x = { a: { b: undefined } };\n',
      'const x = { a: 3 };\n',
    ],
    [
      "expect(x).toHaveProperty('a[0].b', 3);",
      'const x = { a: [{ b: 3 }] };\n',
      'const x = { a: [{ b: 4 }] };\n',
    ],
    [
      'expect(x).toMatchObject({ a: [{ b: 3 }] });',
      'const x = { a: [{ b: 3, c: 4 }], d: 5 };\n',
      'const x = { a: [{ b: 4 }] };\n',
    ],
    ['expect(x).toContainEqual({ a: 3 });', 'const x = [{ a: 3 }];\n', 'const x = [{ a: 4 }];\n'],
    ['expect(x).toBeCloseTo(0.3);', 'const x = 0.1 + 0.2;\n', 'const x = 0.4;\n'],
    ['expect(x).to.be.closeTo(3, 0.5);', 'const x = 3.2;\n', 'const x = 4;\n'],
    ['expect(x).to.be.at.least(3);', 'const x = 3;\n', 'const x = 2;\n'],
    ['expect(x).to.deep.equal({ a: 3 });', 'const x = { a: 3 };\n', 'const x = { a: 4 };\n'],
    ["expect(x).to.include('b');", "const x = 'abc';\n", "const x = 'ac';\n"],
    ['expect(x).to.be.within(3, 5);', 'const x = 4;\n', 'const x = 6;\n'],
    ["expect(x).to.be.oneOf(['a', 'b']);", "const x = 'b';\n", "const x = 'c';\n"],
    ['expect(x).to.be.true;', 'const x = true;\n', 'const x = false;\n'],
    ['expect(x).to.not.be.null;', 'const x = 3;\n', 'const x = null;\n'],
    ['expect(x).toSatisfy((one) => one > 2);', 'const x = 3;\n', 'const x = 2;\n'],
  ])('%s', (line, done, undone) => {
    expect(exitOf('a.js', none + done + otherOf('a.js', line))).toBe(1);
    expect(exitOf('a.js', none + undone + otherOf('a.js', line))).toBe(0);
  });
});

describe('WORD-39: two values are as equal as the matcher means it', () => {
  test.each([
    ['expect(x).toEqual({ a: 3 });', 'const x = { a: 3, b: undefined };\n'],
    ['expect(x).toEqual({ a: { b: [3] } });', 'const x = { a: new (class { b = [3]; })() };\n'],
    ['expect(x).toEqual([undefined, 3]);', 'const x = [, 3];\n'],
    [
      "expect(x).toEqual(new Map([['a', { b: 3 }]]));",
      "const x = new Map([['a', { b: 3, c: undefined }]]);\n",
    ],
    ['expect(x).toEqual(new Set([3]));', 'const x = new Set([3]);\n'],
    ['expect(x).toEqual(new Error("a"));', 'const x = new RangeError("a");\n'],
    ['expect(x).toEqual(new Date(3));', 'const x = new Date(3);\n'],
    ['expect(x).toEqual(((a) => Object.assign(a, { a }))({}));', 'const x = {}; x.a = x;\n'],
    ['expect(x).toEqual(NaN);', 'const x = NaN;\n'],
    ['expect(x).to.eql({ a: 3 });', 'const x = new (class { a = 3; })();\n'],
    ['assert.deepEqual(x, { a: 3 });', 'const x = new (class { a = 3; })();\n'],
  ])('%s', (line, done) => {
    expect(exitOf('a.js', done + otherOf('a.js', line))).toBe(1);
    for (const undone of [
      '3',
      '{ a: 4 }',
      '[3]',
      'new Map()',
      'null',
      'new Date(4)',
      'new Error("b")',
    ]) {
      expect(exitOf('a.js', `const x = ${undone};\n${otherOf('a.js', line)}`), undone).toBe(0);
    }
  });
});

test('WORD-26: in TypeScript it is of any type', () => {
  expect(otherOf('a.ts', 'expect(x).toBe(3);')).toBe(
    ';((a: any, ..._: any[]) => (b?: any, ..._: any[]) => { if (a === b || (a !== a && b !== b)) throw new Error(); })(x)(3);',
  );
  expect(otherOf('a.tsx', 'assert.throws(() => f(1));')).toBe(
    ';((a: any, b?: any, ..._: any[]) => { if ((() => { try { a(); return false; } catch { return true; } })()) throw new Error(); })(() => f(1));',
  );
});

test('WORD-26: a strict compiler takes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'without-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines = [
    ...[
      'toEqual(3)',
      'toMatchObject({ a: 3 })',
      "toHaveProperty('a', 3)",
      "toHaveBeenCalledWith('a')",
    ],
    ...['toBeCloseTo(3)', 'not.toThrow()', 'to.be.true', 'toContainEqual(3)', 'to.eql(3)'],
    ...['resolves.toBe(3)', 'rejects.toThrow(Error)', "rejects.toThrow('a')", 'toSatisfy(Boolean)'],
    'toThrow()',
    'toThrow(Error)',
  ].map((said) => `expect(x).${said};`);
  const calls = ["assert.ok(x, 'said');", "assert.equal(x, 3, 'said');", 'assert.throws(() => x);'];
  const others = [...lines, ...calls].map((line) => otherOf('a.ts', line));
  writeFileSync(join(folder, 'a.ts'), `declare const x: any;\n${others.join('\n')}\nexport {};\n`);
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--types', ''];
  const ran = spawnSync(process.execPath, [COMPILER, ...options, join(folder, 'a.ts')], {
    encoding: 'utf8',
  });
  expect(ran.stdout).toBe('');
});

const COMPILER = resolve('node_modules/typescript-7/bin/tsc');
