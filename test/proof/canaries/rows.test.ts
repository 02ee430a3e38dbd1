import { expect, test } from 'vitest';
import { withLiterals } from '../../../src/proof/canaries/literals.ts';
import { valuesUnder, wantedOf } from '../../../src/proof/canaries/rows.ts';

/** The last line but one that has a sign is where the original failed. */
const wantedIn = (text: string, line: number) =>
  wantedOf({ text, from: 0, to: text.length, failedAt: [line] });

test.each<[string, string, number]>([
  ['JavaScript', 'for (const v of all) {\n  assert.equal(f(v.in), v.out);\n}', 2],
  ['on one line', 'for (const v of all) assert.equal(f(v.in), v.out);', 1],
  ['by a callback', 'all.forEach((v) => {\n  assert.equal(f(v.in), v.out);\n});', 2],
  ['by a test of each', "test.each(all)('$in', (v) => {\n  expect(f(v.in)).toBe(v.out);\n});", 2],
  ['taken apart', 'for (const { given, out } of all)\n  assert.equal(f(given), out);', 2],
  [
    'by another name',
    'for (const { given, out: want } of all)\n  assert.equal(f(given), want);',
    2,
  ],
  ['Python', 'for v in rows:\n    assert f(v["in"]) == v["out"]', 2],
  ['unittest', 'for v in rows:\n    self.assertEqual(f(v["in"]), v["out"])', 2],
  [
    'Go',
    'for _, tt := range all {\n\tif got := f(tt.in); got != tt.out {\n\t\tt.Error()\n\t}\n}',
    2,
  ],
])('PRF-41: what a row wants has a name: %s', (_, text, line) => {
  expect(wantedIn(text, line)).toEqual(['out']);
});

test.each<[string, string, number]>([
  ['a value of its own', 'for (const v of all)\n  assert.equal(f(v.in), 3);', 2],
  ['what is no row', 'const v = make();\nassert.equal(f(v.in), v.out);', 2],
  ['a row that is given whole', 'for (const v of all)\n  assert.equal(f(v), v.out);', 2],
  [
    'a row that is kept',
    'for (const v of all) {\n  const g = f(v);\n  assert.equal(g, v.out);\n}',
    3,
  ],
  ['there and back', 'for (const v of all)\n  assert.equal(back(f(v.out)), v.out);', 2],
  ['there and back, apart', 'for (const { out } of all)\n  assert.equal(back(f(out)), out);', 2],
  ['what is computed', 'for (const v of all)\n  assert.equal(f(v.in), g(v.in));', 2],
])('PRF-41: who compares with %s is asked in another way', (_, text, line) => {
  expect(wantedIn(text, line)).toEqual([]);
});

test.each([
  [
    'v.json',
    '[{ "in": "a", "out": "ab" }, { "in": "b", "out": 12 }]',
    '[{ "in": "a", "out": "ac" }, { "in": "b", "out": 13 }]',
  ],
  [
    'v.js',
    "const all = [{ in: 'a', out: ['k', 'q'] }];\nconst about = 'x';",
    "const all = [{ in: 'a', out: ['l', 'r'] }];\nconst about = 'x';",
  ],
  ['v_test.go', '{in: "a", out: true},\nlayout := "x"', '{in: "a", out: false},\nlayout := "x"'],
  [
    'test_v.py',
    'dict(given="a", out="b")\nif out == "c": pass',
    'dict(given="a", out="c")\nif out == "c": pass',
  ],
])('PRF-41: all that rows want is another value, and nothing else: %s', (path, text, other) => {
  expect(withLiterals(text, valuesUnder('out', { path, text }))).toBe(other);
});
