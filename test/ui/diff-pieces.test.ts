import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writtenIn } from '../../schema/call-subject.ts';
import { hunksOf, pageOfHunks } from '../../schema/unified-diff.ts';
import { piecesOf } from '../../src/ui/components/diff/pieces.ts';
import { approvalEdits } from '../../src/ui/view/approval-text.ts';
import { rowsOf, splitRows, withMarks } from '../../src/ui/view/diff-rows.ts';
import { editHunks } from '../../src/ui/view/edit-hunks.ts';

const text = `diff --git a/a.js b/a.js
@@ -1,3 +1,4 @@ function head() {
 const kept = 1;
-return reply.code(200).send(order);
+return reply.code(409).send(order);
+// more
 done();
\\ No newline at end of file
`;

test('CON-36: a hunk has numbers, partners, kinds of words and the words that differ', () => {
  const [hunk] = hunksOf(text);
  if (hunk === undefined) throw new Error('no hunk');
  expect(hunk).toMatchObject({ oldStart: 1, newLines: 4, section: 'function head() {' });
  const rows = rowsOf(hunk);
  expect(rows.map(({ before, after }) => [before, after])).toEqual([
    ...[
      [1, 1],
      [2, null],
      [null, 2],
      [null, 3],
      [3, 4],
    ],
  ]);
  expect(rows.at(-1)?.note).toBe('No newline at end of file');
  expect(splitRows(rows).map(({ left, right }) => [left?.before, right?.after])).toEqual([
    ...[
      [1, 1],
      [2, 2],
      [undefined, 3],
      [3, 4],
    ],
  ]);
  const pieces = piecesOf(hunk, 'javascript');
  expect(pieces[1]?.filter(({ isMarked }) => isMarked).map((piece) => piece.text)).toEqual(['200']);
  expect(pieces[2]?.[0]).toMatchObject({ text: 'return', kind: 'keyword' });
  expect(pieces[3]).toEqual([{ text: '// more', kind: 'comment', isMarked: false }]);
});

test('the pieces of a line are the line, in any language and none', () => {
  const line = fc
    .tuple(fc.constantFrom('+', '-', ' '), fc.string())
    .map(([sign, rest]) => sign + rest.replace(/\n/g, ''));
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom(null, 'javascript', 'xml', 'nothing'),
      (lines, language) => {
        const hunk = { oldStart: 1, oldLines: 0, newStart: 1, newLines: 0, section: '', lines };
        const whole = piecesOf(hunk, language).map((pieces) =>
          pieces.map((one) => one.text).join(''),
        );
        expect(whole).toEqual(lines.map((one) => one.slice(1)));
      },
    ),
  );
});

test('pages of lines make up the hunks, each with its own numbers', () => {
  const hunks = hunksOf(text);
  const first = pageOfHunks(hunks, 0, 2);
  const second = pageOfHunks(hunks, 2, 100);
  expect(first.next).toBe(2);
  expect(second).toMatchObject({
    next: null,
    hunks: [{ oldStart: 3, oldLines: 1, newStart: 2, newLines: 3 }],
  });
});

test('what can’t be seen is a mark, and the text around it stays', () => {
  expect(withMarks('a<U+202E>b')).toEqual([
    { text: 'a', isMark: false },
    { text: '<U+202E>', isMark: true },
    { text: 'b', isMark: false },
  ]);
});

test('CON-169: what a call or an approval writes is shown as changed lines: a whole file, what an edit takes away, and of what is long its beginning', () => {
  const written = (content: unknown) =>
    writtenIn({ tool: 'write_file', arguments: { path: 'a.js', content } });
  const whole = editHunks(written('one\ntwo'));
  expect(whole).toMatchObject({ hunks: [{ oldLines: 0, newLines: 2 }], left: 0, isWhole: true });
  expect(whole.hunks[0]?.lines).toEqual(['+one', '+two']);
  const data = { tool: 'write_file', arguments: { path: 'a.js', content: 'one\ntwo' } };
  expect(approvalEdits({ data })).toEqual(written('one\ntwo'));
  expect(editHunks(written(''))).toMatchObject({ hunks: [], isWhole: true });
  expect(written(5)).toEqual([]);

  const taken = editHunks([{ oldText: 'one\n', newText: '' }]);
  expect(taken.hunks[0]?.lines).toEqual(['-one']);
  expect(taken.isWhole).toBe(false);

  const long = editHunks(written('x\n'.repeat(5_000)));
  expect(long.hunks.flatMap(({ lines }) => lines)).toHaveLength(2_000);
  expect(long.left).toBe(3_000);
});
