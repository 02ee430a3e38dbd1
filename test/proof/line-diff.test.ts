import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, renderDiff } from '../../src/proof/line-diff.ts';

const line = fc.constantFrom('a', 'b', 'c', '});', '');
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

describe('a diff of lines', () => {
  it('turns the old text into the new one, whatever they are', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = before === '' ? [] : before.split('\n');
        const trimmed = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
        let shift = 0;
        for (const { at, removed, added } of diffLines(before, after)) {
          expect(trimmed.splice(at + shift, removed.length, ...added)).toEqual(removed);
          shift += added.length - removed.length;
        }
        const wanted = after === '' ? [] : after.split('\n');
        expect(trimmed).toEqual(wanted.at(-1) === '' ? wanted.slice(0, -1) : wanted);
      }),
    );
  });

  it('shows people what went and what came, with line numbers', () => {
    expect(renderDiff('one\ntwo\nthree\n', 'one\n2\nthree\nfour\n')).toBe(
      '@@ -2,1 +2,1 @@\n-two\n+2\n@@ -4,0 +4,1 @@\n+four',
    );
    expect(renderDiff(null, 'script-shell=/bin/true\n')).toBe(
      '@@ -1,0 +1,1 @@\n+script-shell=/bin/true',
    );
    expect(renderDiff('gone\n', null)).toBe('@@ -1,1 +1,0 @@\n-gone');
  });

  it('stays readable and quick for large rewrites', () => {
    const lines = (word: string) =>
      Array.from({ length: 5000 }, (_, n) => `${word} ${n}`).join('\n');
    const shown = renderDiff(lines('old'), lines('new')).split('\n');
    expect(shown).toHaveLength(201);
    expect(shown.at(-1)).toBe('… 9801 more lines');
  });

  it('finds few changes in texts of any length', () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => `line ${n}`);
    const changed = lines.with(10, 'ten').toSpliced(99_990, 1);
    expect(renderDiff(lines.join('\n'), changed.join('\n'))).toBe(
      '@@ -11,1 +11,1 @@\n-line 10\n+ten\n@@ -99991,1 +99991,0 @@\n-line 99990',
    );
  });
});
