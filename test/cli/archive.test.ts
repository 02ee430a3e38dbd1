import { createReadStream } from 'node:fs';
import { expect, test } from 'vitest';
import { byteRecords } from '../../src/archive/write-archive.ts';
import { callsOf } from '../../src/cli/archive/archived-client.ts';
import { collect } from '../../src/cli/archive/goal-archive.ts';
import { archiveRecords } from '../../src/cli/archive/read-archive.ts';

const OLDEST = new URL('archives/format-1.jsonl', import.meta.url);

/** What reads this file no more needs another number of the format, and a way from the old one. */
test('TERM-64 an archive of the first version is read by each later one', async () => {
  const archive = await collect(archiveRecords(createReadStream(OLDEST)));
  expect(archive).toMatchObject({
    header: { version: 1, goalId: 'g-3090517aaec1eb30' },
    goal: { status: 'complete', completion: { verification: 'verified' } },
    turns: [{ turn: 1 }],
    chain: { holds: true },
    walked: { recomputed: 19, sealed: 0 },
    missing: [],
  });
  expect(archive.requests).toHaveLength(1);
  expect(archive.singles.diff?.files).toMatchObject([{ path: 'answer.txt' }]);
  expect(callsOf(archive.rows)[0]).toMatchObject({ settledSeq: expect.any(Number) });
});

test('TERM-61 no sign is split between pieces, and bytes that are no text stay as they are', async () => {
  const text = Buffer.from('漢'.repeat(300_000));
  const wild = Buffer.concat([text, Buffer.alloc(300_000, 0x80), Buffer.from([0xff, 0]), text]);
  for (const [bytes, isText] of [
    [text, true],
    [wild, false],
    [Buffer.alloc(0), true],
  ] as const) {
    async function* parts() {
      for (let at = 0; at < bytes.byteLength; at += 50_001) yield bytes.subarray(at, at + 50_001);
    }
    const pieces: Buffer[] = [];
    for await (const record of byteRecords('output', '1', parts())) {
      if (record.kind !== 'bytes') throw new Error(record.kind);
      const { at, value } = record;
      expect(at).toBe(Buffer.concat(pieces).byteLength);
      if (isText) expect(value).toHaveProperty('text');
      pieces.push('text' in value ? Buffer.from(value.text) : Buffer.from(value.base64, 'base64'));
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  }
});
