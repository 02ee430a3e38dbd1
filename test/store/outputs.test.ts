import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallEnd } from '../../src/contract/tool-call.ts';
import { type OpenRecord, openRecord, settledCall, startedCall } from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

async function openWith(...ends: Partial<CallEnd>[]) {
  const { fence, goalId } = await stores.openTurn();
  for (const [index, end] of ends.entries()) {
    await stores.journal.startCall(fence, startedCall(index + 1, { arguments: { path: 'a%_\\' } }));
    await stores.journal.settleCall(fence, settledCall(index + 1, end));
  }
  return goalId;
}

const found = async (goalId: string, q: string) =>
  (await stores.reader.ledger(goalId, { q, limit: 50 })).items.map(({ seq }) => seq);

async function read(goalId: string, seq: number, range?: { offset: number; limit: number }) {
  const output = await stores.reader.output(goalId, seq, range);
  const pieces: Uint8Array[] = [];
  for await (const piece of output?.pieces ?? []) pieces.push(piece);
  return output === null ? null : Buffer.concat(pieces).toString('latin1');
}

it('finds text in outputs, across the cut of two pieces, in arguments and in what tools answered', async () => {
  const cut = Buffer.from(`${'x'.repeat(256 * 1024 - 4)}NEEDLE and ${'y'.repeat(300_000)}`);
  const bytes = Buffer.from([0, 255, 254, 92, 10, 13, ...Buffer.from('grün\\n')]);
  const goalId = await openWith({ output: cut }, { output: bytes }, { text: 'Only said: Zebra' });
  expect(await found(goalId, 'needle AND')).toEqual([2]);
  expect(await found(goalId, 'grün\\n')).toEqual([4]);
  expect(await found(goalId, 'zebra')).toEqual([6]);
  expect(await found(goalId, '%_')).toEqual([1, 3, 5]);
  expect(await found(goalId, 'xx%yy')).toEqual([]);
});

it('reads an output whole, in part, past its end, and an empty one', async () => {
  const text = Array.from({ length: 70_000 }, (_, index) => `${index} `).join('');
  const goalId = await openWith({ output: Buffer.from(text) }, { output: Buffer.alloc(0) }, {});
  expect(await read(goalId, 2)).toBe(text);
  const range = { offset: 262_140, limit: 20 };
  expect(await read(goalId, 2, range)).toBe(text.slice(262_140, 262_160));
  expect(await read(goalId, 2, { offset: text.length + 5, limit: 9 })).toBe('');
  expect(await read(goalId, 4)).toBe('');
  expect(await read(goalId, 6)).toBeNull();
  expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true });
});

it('shows on a completed item what was written behind its receipts, and only that', async () => {
  const { fence, goalId } = await stores.openTurn();
  const { journal, reader } = stores;
  const item = { id: 't1', content: 'Check it', status: 'completed', level: 0 } as const;
  const settle = (step: number, end: Partial<CallEnd>) =>
    journal.settleCall(fence, settledCall(step, end));
  const ran = await settle(1, { wrote: true, receipt: { writes: ['old.ts'] } });
  const open = { ...item, id: 't2', content: 'Next', status: 'in_progress' as const };
  await settle(2, {
    todos: [
      { ...item, receipts: [ran.seq] },
      { ...open, receipts: [] },
    ],
  });
  expect((await reader.todos(goalId)).items[0]).not.toHaveProperty('writtenAfter');
  const later = await settle(3, { wrote: true, receipt: { writes: ['new.ts'] } });
  const { items } = await reader.todos(goalId);
  expect(items[0]).toMatchObject({
    status: 'completed',
    writtenAfter: { seq: later.seq, paths: ['new.ts'] },
  });
  expect(items[1]).not.toHaveProperty('writtenAfter');
});

it('keeps every version of the plan, and shows the newest', async () => {
  const goalId = await openWith({ plan: '# One' }, { plan: '# Two\u0000' });
  expect((await stores.journal.brief(goalId)).plan).toBe('# Two\uFFFD');
  expect(await stores.reader.plan(goalId)).toMatchObject({ revision: 2, markdown: '# Two\uFFFD' });
  const versions = await stores.db`SELECT 1 FROM plan WHERE goal_id = ${goalId}`;
  expect(versions.count).toBe(2);
});
