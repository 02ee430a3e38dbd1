import { expect, test } from 'vitest';
import { brokenAgain, complaintsIn, renamedTo } from '../../../src/proof/canaries/sight.ts';

test('WORD-16: a checker complains of files, with their line or without', () => {
  const output = 'src/b.c:2:12: error: no\nsrc/c.json is none\nmysrc/d.c\n';
  const paths = ['src/a.c', 'src/b.c', 'src/c.json', 'src/d.c'];
  expect(complaintsIn(output, paths, (path) => paths.includes(path))).toEqual([
    { path: 'src/b.c', line: 2 },
    { path: 'src/c.json' },
  ]);
});

test('WORD-16: a file is broken again at the line of which it complained', () => {
  const before = 'int one(void) {\n  return "1";\n}\n';
  const kept = `#if 0\n${before}#endif\n`;
  const [first, second] = brokenAgain({ path: 'a.c', line: 2 }, before, kept, 'word');
  expect(first).toBe(kept.replace('  return', ')]} word word\n  return'));
  expect(second).toBe(kept.replace('  return', '  return "1";\n  return'));
});

test('WORD-16: where that line was mended, behind what stands above it', () => {
  const before = 'fn one() -> u32 {\n  "1"\n}\n';
  const [first] = brokenAgain(
    { path: 'a.rs', line: 2 },
    before,
    before.replace('"1"', '1'),
    'word',
  );
  expect(first).toBe('fn one() -> u32 {\nword!();\n  1\n}\n');
});

test('WORD-16: a file that was named alone, at its end', () => {
  expect(brokenAgain({ path: 'a.json' }, '{}\n', '{}\n', 'word')).toEqual(['{}\n)]} word word\n']);
});

test('WORD-16: the only new file of a kind has taken the place of the only one that is gone', () => {
  expect(renamedTo('src/wek.js', ['src/wek.js'], ['src/week.js', 'lib/x.js'])).toBe('src/week.js');
  expect(renamedTo('src/a.js', ['src/a.js', 'src/b.js'], ['src/c.js'])).toBeNull();
  expect(renamedTo('src/a.js', ['src/a.js'], ['src/b.js', 'src/c.js'])).toBeNull();
  expect(renamedTo('src/a.js', ['src/a.js'], ['src/b.txt'])).toBeNull();
});
