import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withLiterals } from '../../../src/proof/canaries/literals.ts';
import { oppositesIn } from '../../../src/proof/canaries/opposites.ts';

const otherOf = (path: string, line: string): string => withLiterals(line, oppositesIn(line, path));

describe('WORD-13: a line without a value demands the opposite', () => {
  test.each([
    [
      'a.sh',
      '[ "$(mode a)" != "$(mode b)" ] || exit 1',
      '[ "$(mode a)" != "$(mode a)" ] || exit 1',
    ],
    ['a.js', 'assert.match(week(3), /^W0\\d$/);', 'assert.match(week(3), /^X0\\d$/);'],
    ['a.js', 'assert.match(x, /[a-z]+|b/i);', 'assert.match(x, /(?!)/i);'],
    ['a.js', 'assert.throws(() => f(54), /no such/);', 'assert.throws(() => f(54), /oo such/);'],
    ['a.js', 'assert.throws(() => f(54), RangeError);', 'assert.throws(() => f(54), EvalError);'],
    ['a.js', 'assert.throws(() => f(54));', 'assert.throws(() => {});'],
    ['a.ts', 'expect(() => f(54)).toThrow();', 'expect(() => {}).toThrow();'],
    [
      'a.js',
      'assert.doesNotThrow(() => f(1));',
      'assert.doesNotThrow(() => {throw new Error();});',
    ],
    ['a.js', 'await assert.rejects(f(1));', 'await assert.rejects((async () => {})());'],
    ['a.rs', 'assert_ne!(f(1), f(2));', 'assert_ne!(f(1), f(1));'],
    ['a.js', 'assert.equal(back(to(x)), x);', 'assert.equal(back(to(x)), 4711);'],
    ['a.js', 'assert.ok(week(x) === null);', 'assert.ok(week(x) === 4711);'],
    ['a.js', 'assert.ok(isOpen(x));', 'assert.ok(!(isOpen(x)));'],
    [
      'a.js',
      'for (const x of all) assert.equal(sum(x), other(x));',
      'for (const x of all) assert.equal(sum(x), 4711);',
    ],
    ['a.py', 'with pytest.raises(ValueError):', 'with pytest.raises(StopAsyncIteration):'],
    ['a.py', 'self.assertRaises(Bad.Error, f)', 'self.assertRaises(Bad.StopAsyncIteration, f)'],
    ['a.py', 'with pytest.warns(UserWarning):', 'with pytest.warns(UnicodeWarning):'],
    ['a.py', 'assert is_open(x), "open"', 'assert not (is_open(x)), "open"'],
    ['a.py', 'self.assertIsNone(f(x))', 'self.assertIsNone(4711)'],
    ['a.py', 'self.assertTrue(f(x))', 'self.assertTrue(not (f(x)))'],
    ['a.sh', '[ "$got" = "$want" ] || exit 1', '[ "$got" = 4711 ] || exit 1'],
    ['a.t', "ok(is_open($x), 'open');", "ok(!(is_open($x)), 'open');"],
    ['a.c', '    assert(is_open(x));', '    assert(!(is_open(x)));'],
    ['a.rs', 'assert!(is_open(x));', 'assert!(!(is_open(x)));'],
    [
      'A.java',
      'assertThrows(IllegalStateException.class, () -> f());',
      'assertThrows(ArrayStoreException.class, () -> f());',
    ],
    ['A.java', 'assertTrue("open", isOpen(x));', 'assertTrue("open",!(isOpen(x)));'],
  ])('%s: %s', (path, line, other) => {
    expect(otherOf(path, line)).toBe(other);
  });
});

describe('WORD-43: what must not be so must be', () => {
  test.each([
    ['a.js', "assert.doesNotMatch(f('<b>'), /<b>/);", "assert.match(f('<b>'), /<b>/);"],
    ['a.js', 'expect(f(1)).not.toMatch(/x/);', 'expect(f(1)).toMatch(/x/);'],
    ['a.ts', 'expect(f(1)).to.not.match(/x/);', 'expect(f(1)).to.match(/x/);'],
    ['a.js', "expect(f(1)).not.toContain('b');", "expect(f(1)).toContain('b');"],
    ['a.js', 'expect(f(1)).to.be.not.empty;', 'expect(f(1)).to.be.empty;'],
    ['a.js', 'await expect(f(1)).resolves.not.toBe(3);', 'await expect(f(1)).resolves.toBe(3);'],
    ['a.js', 'assert.notStrictEqual(f(x), x);', 'assert.strictEqual(f(x), x);'],
    ['a.js', 'assert.notDeepStrictEqual(f(x), x);', 'assert.deepStrictEqual(f(x), x);'],
    ['a.js', 'assert.notEqual(f(1), f(2));', 'assert.equal(f(1), f(2));'],
    ['a.js', 'assert(!f(x).match(/b/));', 'assert(!(!f(x).match(/b/)));'],
    ['a.py', 'self.assertNotRegex(f(x), "b")', 'self.assertRegex(f(x), "b")'],
    ['a.py', 'self.assertIsNot(f(x), x)', 'self.assertIs(f(x), x)'],
    ['a.py', 'self.assertNotEqual(f(1), f(2))', 'self.assertEqual(f(1), f(2))'],
    ['a.py', 'self.assertNotIn(1, f(x))', 'self.assertIn(1, f(x))'],
    ['a.t', "unlike(f($x), qr/b/, 'clean');", "like(f($x), qr/b/, 'clean');"],
  ])('%s: %s', (path, line, other) => {
    expect(otherOf(path, line)).toBe(other);
  });

  test.each([
    ['expect(() => f(1)).not.toThrow();', 'expect(() => {throw new Error();}).not.toThrow();'],
    ['expect(f(x).not.there).toMatch(/b/);', 'expect(f(x).not.there).toMatch(/c/);'],
  ])('what may not fail does, and what is given is no word of it: %s', (line, other) => {
    expect(otherOf('a.js', line)).toBe(other);
  });
});

test.each([
  ['a.js', 'if (isOpen(x)) {'],
  ['a.js', 'const x = of(y);'],
  ['a.go', 'if got != want(x) {'],
  ['a.py', 'raise AssertionError(text)'],
])('WORD-13: what demands nothing that is known stays: %s: %s', (path, line) => {
  expect(otherOf(path, line)).toBe(line);
});

test('WORD-13: a line of any shape has opposites within it, if any', () => {
  const word = fc.constantFrom(
    'assert.',
    'throws',
    'ok(',
    ')',
    '(',
    ', ',
    '/a/',
    'Error',
    "'",
    'x',
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 20 }),
      fc.constantFrom('a.js', 'a.py', 'a.sh', 'a.c', 'A.java', 'a.rs', 'a.t'),
      (words, path) => {
        const line = words.join('');
        for (const { at, end } of oppositesIn(line, path)) {
          expect(at >= 0 && at <= end && end <= line.length).toBe(true);
        }
      },
    ),
  );
});

test.each([
  ['a.py', 'raise KeyError'],
  ['a.py', '    raise KeyError from None'],
  ['a.js', 'throw Codes.NoSuchError;'],
])(
  'WORD-53: what fails by itself, as a mock does, has no other kind of error: %s %s',
  (path, line) => {
    expect(otherOf(path, line)).toBe(line);
  },
);
