import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, type Edit } from '../../../src/tools/edit/apply.ts';

const edited = (text: string, ...edits: Edit[]) => {
  const result = applyEdits('a.ts', text, edits);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
};
const refusal = (text: string, ...edits: Edit[]) => {
  const result = applyEdits('a.ts', text, edits);
  return result.ok ? `made: ${result.text}` : result.reason;
};

test('F17 an exact match twice is refused with edit, path and count', () => {
  const said = refusal(
    'x = 1\nx = 1\ny',
    { oldText: 'y', newText: 'z' },
    { oldText: 'x = 1', newText: '' },
  );
  expect(said).toMatch(/edit 2 of a\.ts.*2 places/);
  expect(edited('x x', { oldText: 'x', newText: 'y', replaceAll: true })).toBe('y y');
  expect(refusal('aaa', { oldText: 'aa', newText: 'b' })).toContain('2 places');
});

test('F18 overlapping edits are refused with both ranges, adjacent ones are made', () => {
  const both = refusal(
    'one\ntwo\nthree',
    { oldText: 'e\ntwo', newText: '' },
    { oldText: 'wo', newText: '' },
  );
  expect(both).toContain('edit 1 (1:3–2:4) and edit 2 (2:2–2:4) overlap');
  expect(edited('abcd', { oldText: 'ab', newText: '1' }, { oldText: 'cd', newText: '2' })).toBe(
    '12',
  );
});

test('F19 later edits land on their original coordinates', () => {
  const text = edited(
    'a\nb\nc',
    { oldText: 'a', newText: 'long\nb2\nlonger' },
    { oldText: 'c', newText: 'C' },
  );
  expect(text).toBe('long\nb2\nlonger\nb\nC');
});

describe('F20 whitespace-normalised matches change nothing around them', () => {
  test.each([
    ['a\r\n\tfoo( 1 )\r\nb', '  foo( 1 )\n', 'bar\n', 'a\r\nbar\r\nb'],
    ['a\n\tfoo  1', 'foo 1\n', 'bar\n', 'a\nbar'],
    ['\uFEFFfoo  1\nb\n', 'foo 1', 'bar', '\uFEFFbar\nb\n'],
    ['a\r\nfoo\r\n', 'foo', 'x\ny', 'a\r\nx\r\ny\r\n'],
  ])('%j', (text, oldText, newText, after) => {
    expect(edited(text, { oldText, newText })).toBe(after);
  });
});

test('F21 a near match is made when it is the only one, else refused', () => {
  const line = 'const total = items.reduce((sum, item) => sum + item.price, 0);';
  const near = line.replace('price', 'prize');
  expect(edited(`a\n${line}\nb\n`, { oldText: near, newText: 'X' })).toBe('a\nX\nb\n');
  expect(refusal(`${line}\nb\n${line}\n`, { oldText: near, newText: 'X' })).toContain('2 places');
  expect(refusal(`a\n${line}\n`, { oldText: 'const sum = 0; // other', newText: 'X' })).toContain(
    'not in the file',
  );
});

test('a long block that is nearly there is found, though moved by a line it is alike too', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `  value${i} = compute(${i * 7});`);
  const wanted = lines.join('\n').replace('compute(70)', 'compute(71)');
  expect(edited(`start\n${lines.join('\n')}\nend\n`, { oldText: wanted, newText: 'X' })).toBe(
    'start\nX\nend\n',
  );
});

test('edits that change nothing are refused', () => {
  expect(refusal('abc', { oldText: 'b', newText: 'b' })).toContain('change nothing');
});

test('text outside of unique markers is never touched', () => {
  const part = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r\n', '\t', 'é', '😀') });
  fc.assert(
    fc.property(part, part, part, part, part, (before, between, after, first, second) => {
      const text = `${before}<<1>>${between}<<2>>${after}`;
      const edits = [
        { oldText: '<<2>>', newText: `${second}\r` },
        { oldText: '<<1>>', newText: `${first}\r` },
      ];
      expect(edited(text, ...edits)).toBe(`${before}${first}\r${between}${second}\r${after}`);
    }),
  );
});
