import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits, type Edit } from '../../../src/tools/edit/apply.ts';
import { processorMs } from '../../support/processor-time.ts';

const RUNS = Number(process.env.GOALKEEPER_EDIT_RUNS ?? 400);

const character = fc.constantFrom(
  'a',
  'b',
  ' ',
  '\t',
  'é',
  'e\u0301',
  '😀',
  '👩‍👩‍👧',
  '\u00a0',
  '{',
  '}',
);
const words = fc.string({ unit: character, maxLength: 12 });
const lineEnd = fc.constantFrom('\n', '\r\n');

interface Line {
  readonly text: string;
  readonly end: string;
}

/** Each line has a number in it, so that every quotation has one place only. */
const file = fc
  .record({
    mark: fc.constantFrom('', '\uFEFF'),
    lines: fc.array(fc.record({ text: words, end: lineEnd }), { minLength: 1, maxLength: 14 }),
    hasLastEnd: fc.boolean(),
  })
  .map(({ mark, lines, hasLastEnd }) => ({
    mark,
    lines: lines.map(({ text, end }, number): Line => {
      const isLast = number === lines.length - 1;
      return { text: `${text}#${number}#${text}`, end: isLast && !hasLastEnd ? '' : end };
    }),
  }));

const textOf = (lines: readonly Line[]) => lines.map(({ text, end }) => text + end).join('');

type Quoting = (text: string) => string;
const quotings: Record<string, Quoting> = {
  'as it stands': (text) => text,
  'with line feeds only': (text) => text.replaceAll('\r\n', '\n'),
  'with returns': (text) => text.replace(/\r?\n/g, '\r\n'),
  'indented otherwise': (text) => text.replace(/^(?=.*#)/gm, '\t ').replaceAll('\r\n', '\n'),
};

/** What replacing whole lines must give, written down independently: line by line. */
function replaced(lines: readonly Line[], from: number, to: number, fresh: readonly string[]) {
  const ends = lines.map(({ end }) => end);
  const near = ends[from] || ends.slice(0, from).reverse().find(Boolean) || '\n';
  const last = ends[to] ?? '';
  return fresh.map((text, at) => text + (at === fresh.length - 1 ? last : near)).join('');
}

test.each(Object.entries(quotings))(
  'F19 F20 whole lines that are quoted %s are replaced, and no byte beside them',
  (_, quote) => {
    const fresh = fc.array(
      words.map((text) => `<${text}>`),
      { minLength: 1, maxLength: 3 },
    );
    const cuts = fc.array(fc.tuple(fc.nat(), fc.nat(2), fresh), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(file, cuts, ({ mark, lines }, wanted) => {
        const edits: Edit[] = [];
        const after = lines.map(({ text, end }) => text + end);
        const taken = new Set<number>();
        for (const [at, more, texts] of wanted) {
          const from = at % lines.length;
          const to = Math.min(lines.length - 1, from + more);
          const range = Array.from({ length: to - from + 1 }, (_none, index) => from + index);
          if (range.some((line) => taken.has(line))) continue;
          for (const line of range) {
            taken.add(line);
            after[line] = '';
          }
          after[from] = replaced(lines, from, to, texts);
          const quoted = textOf(lines.slice(from, to + 1)).replace(/\r?\n$/, '');
          edits.push({ oldText: quote(quoted), newText: texts.join('\n') });
        }
        const result = applyEdits('a.ts', mark + textOf(lines), edits);
        expect(result).toMatchObject({ ok: true, text: mark + after.join('') });
      }),
      { numRuns: RUNS },
    );
  },
);

test('F17 F18 any edits are all made, or none with a reason that names edit and position', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '😀'), maxLength: 4 });
  const edit = fc.record({
    oldText: piece.filter((text) => text !== ''),
    newText: piece,
    replaceAll: fc.boolean(),
  });
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '\n', '\r\n', '😀'),
    maxLength: 30,
  });
  const reasons =
    /^edit \d+ of f: its oldText .*(not in the file|\d+ places \(\d+:\d+)|^f: (edit \d+ \(\d+:\d+–\d+:\d+\) and edit \d+ \(.*overlap|the edits change nothing)/;
  fc.assert(
    fc.property(text, fc.array(edit, { minLength: 1, maxLength: 4 }), (given, edits) => {
      const result = applyEdits('f', given, edits);
      if (!result.ok) {
        expect(result.reason).toMatch(reasons);
        return;
      }
      // Nothing is cut: neither a character nor a line end.
      expect(Buffer.from(result.text).toString()).toBe(result.text);
      expect(result.text.replaceAll('\r\n', '')).not.toContain('\r');
    }),
    { numRuns: RUNS * 3 },
  );
});

test('F20 an edit that begins with a line feed keeps the returns of the file whole', () => {
  const result = applyEdits('f', 'a\r\nb\r\nc', [{ oldText: '\nb', newText: '\nx\ny' }]);
  expect(result).toMatchObject({ ok: true, text: 'a\r\nx\r\ny\r\nc' });
});

test('half of a character is no place', () => {
  const result = applyEdits('f', 'a😀b😀', [{ oldText: '\ude00b', newText: 'x' }]);
  expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('not in the file') });
});

test('F21 twenty edits that are nearly there in two megabytes take no seconds, or say so', () => {
  const lines = Array.from(
    { length: 40_000 },
    (_, n) => `  const name${n * 7919} = work(${n * 104_729});`,
  );
  const text = lines.join('\n');
  const edits = Array.from({ length: 20 }, (_, n) => {
    const near = lines.slice(n * 1900, n * 1900 + 10).join('\n');
    return { oldText: near.replace('const', 'konst'), newText: `new ${n}` };
  });
  const begun = processorMs();
  const found = applyEdits('f', text, edits);
  const alike = applyEdits('f', 'the same line, again and again\n'.repeat(60_000), [
    { oldText: 'the same lime, again and again\n'.repeat(400), newText: '' },
  ]);
  expect(processorMs() - begun).toBeLessThan(60_000);
  if (found.ok) expect(found.tiers).toEqual(edits.map(() => 'fuzzy'));
  else expect(found.reason).toMatch(/takes too long|nearly matches/);
  expect(alike).toMatchObject({ ok: false, reason: expect.stringContaining('takes too long') });
});

test('a result beyond all measure is refused before it is made', () => {
  const result = applyEdits('f', 'ab'.repeat(50_000), [
    { oldText: 'a', newText: 'x'.repeat(1_000_000), replaceAll: true },
  ]);
  expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('limit') });
});
