import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDiff } from '../../src/proof/line-diff.ts';

const line = fc.constantFrom('a', 'b', 'c', '});', '', 'a\r', '\u202e', '\u0000', 'é');
const text = fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(lines.join('\n')));
const bytes = fc.uint8Array({ maxLength: 40 }).map((found) => Buffer.from(found));
const content = fc.option(fc.oneof(text, bytes), { nil: null });
const diff = (before: string | null, after: string | null): string =>
  renderDiff(
    before === null ? null : Buffer.from(before),
    after === null ? null : Buffer.from(after),
  );

describe('a diff for people', () => {
  it('is empty only where nothing differs, whatever the contents are', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        const isSame = before === null ? after === null : after !== null && before.equals(after);
        expect(renderDiff(before, after) === '').toBe(isSame);
      }),
      { numRuns: 2000 },
    );
  });

  it('holds no character that can not be seen, but line ends and tabs', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        expect(renderDiff(before, after)).not.toMatch(/(?![ \t\n])[\p{C}\p{Z}]/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('has as many lines on each side as its heads say', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = renderDiff(before, after).split('\n');
        const sum = (pattern: RegExp) =>
          lines.reduce((total, one) => total + Number(pattern.exec(one)?.[1] ?? 0), 0);
        const isOf = (sign: string) => lines.filter((one) => one.startsWith(sign)).length;
        expect(isOf('-') + isOf(' ')).toBe(sum(/^@@ -\d+,(\d+)/));
        expect(isOf('+') + isOf(' ')).toBe(sum(/^@@ -\d+,\d+ \+\d+,(\d+)/));
      }),
    );
  });

  it('shows people what went and what came, with line numbers', () => {
    expect(diff('one\ntwo\nthree\n', 'one\n2\nthree\nfour\n')).toBe(
      '@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four',
    );
    expect(diff(null, 'script-shell=/bin/true\n')).toBe('@@ -1,0 +1,1 @@\n+script-shell=/bin/true');
    expect(diff('gone\n', null)).toBe('@@ -1,1 +1,0 @@\n-gone');
    expect(diff(null, '')).toBe('(a new, empty file)');
    expect(diff('', null)).toBe('(an empty file is gone)');
  });

  it('shows line ends, a missing last one, and what a reader would not see', () => {
    expect(diff('one\n', 'one\r\n')).toBe('@@ -1,1 +1,1 @@\n-one\n+one<U+000D>');
    expect(diff('one\n', 'one')).toBe('@@ -1,1 +1,1 @@\n-one\n+one\n\\ No newline at end of file');
    expect(diff('a = 1\n', 'a\u00a0=\u200b 1\u202e\n')).toBe(
      '@@ -1,1 +1,1 @@\n-a = 1\n+a<U+00A0>=<U+200B> 1<U+202E>',
    );
    expect(renderDiff(Buffer.from([0x61, 0x80]), Buffer.from([0x61, 0x81, 0x00, 0x1b]))).toBe(
      '@@ -1,1 +1,1 @@\n-a<80>\n\\ No newline at end of file\n' +
        '+a<81><U+0000><U+001B>\n\\ No newline at end of file',
    );
  });

  it('cuts a long line with marks, around the place where it differs', () => {
    const long = 'x'.repeat(1000);
    const [, before, after] = diff(`${long}1${long}\n`, `${long}2${long}\n`).split('\n');
    expect(before).toBe(
      `-… (940 characters before) ${'x'.repeat(60)}1${'x'.repeat(239)} … (761 characters more)`,
    );
    expect(after).toBe(before?.replace('-', '+').replace('1x', '2x'));
    expect(diff(null, `${long}\n`)).toContain(`+${'x'.repeat(300)} … (700 characters more)`);
  });

  it('stays readable and quick for large rewrites', () => {
    const lines = (word: string) =>
      Array.from({ length: 5000 }, (_, n) => `${word} ${n}\n`).join('');
    const shown = diff(lines('old'), lines('new')).split('\n');
    expect(shown).toHaveLength(201);
    expect(shown.at(-1)).toBe('… 9801 more lines');
  });

  it('finds few changes in texts of any length', () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => `line ${n}`);
    const changed = lines.with(10, 'ten').toSpliced(99_990, 1);
    expect(diff(lines.join('\n'), changed.join('\n'))).toBe(
      [
        '@@ -8,7 +8,7 @@\n line 7\n line 8\n line 9\n-line 10\n+ten\n line 11\n line 12\n line 13',
        '@@ -99988,7 +99988,6 @@\n line 99987\n line 99988\n line 99989\n-line 99990',
        ' line 99991\n line 99992\n line 99993',
      ].join('\n'),
    );
  });
});
