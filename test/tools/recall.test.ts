import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recallTool } from '../../src/tools/recall.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { notesIn } from '../../src/turn/summary.ts';

const keeping = (text: string): ToolContext => {
  const bytes = Buffer.from(text);
  return {
    recall: async (ref, { offset, limit }) =>
      ref === 'm1' ? { bytes: bytes.length, part: bytes.subarray(offset, offset + limit) } : null,
  } as ToolContext;
};

const recall = (args: object, context: ToolContext) => recallTool.run(args, context, undefined);

test('a text is read whole, part by part, whatever lies across the cuts', async () => {
  const parts = fc.array(fc.constantFrom('a', 'é', '漢', '🙂', '\n'), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 4, max: 17 }), async (letters, limit) => {
      const text = letters.join('');
      let read = '';
      for (let offset: number | null = 0; offset !== null; ) {
        const { text: shown } = await recall({ ref: 'm1', offset, limit }, keeping(text));
        const body = shown.slice(shown.indexOf('\n') + 1);
        const next = /\n\(\d+ more bytes; go on with offset (\d+)\)$/.exec(body);
        read += next === null ? body : body.slice(0, next.index);
        offset = next === null ? null : Number(next[1]);
      }
      expect(read).toBe(text);
    }),
  );
});

test('what is not kept, and what lies behind the end, is said to be so', async () => {
  expect(await recall({ ref: 'm2' }, keeping('x'))).toMatchObject({ outcome: 'failed' });
  const behind = await recall({ ref: 'm1', offset: 9 }, keeping('x'));
  expect(behind.text).toBe('m1 has only 1 bytes');
  expect(recallTool.schema.safeParse({ ref: "m1' OR 1=1" }).success).toBe(false);
  expect(recallTool.schema.safeParse({ ref: '../m1' }).success).toBe(false);
});

test.each([
  ['', null],
  ['Okay.', null],
  ['I’m sorry, but I can’t help with that.', null],
  ['I am unable to summarise this conversation.', null],
  ['  ## Done\nThe parser was fixed.  ', '## Done\nThe parser was fixed.'],
  [`## Done\n${'It said: can’t help. '.repeat(40)}`, 'kept'],
])('notes are told from excuses: %j', (answer, notes) => {
  expect(notesIn(answer)).toBe(notes === 'kept' ? answer.trim() : notes);
});
