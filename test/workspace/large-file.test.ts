import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFileTool } from '../../src/tools/read-file.ts';
import type { Effects } from '../../src/workspace/helper/client.ts';
import { readPart } from '../../src/workspace/large-file.ts';
import { temporaryFolder, testContext } from '../tools/support.ts';

const { signal } = new AbortController();

async function fileOf(text: string | Buffer): Promise<string> {
  const path = join(await temporaryFolder(), 'file.txt');
  await writeFile(path, text);
  return path;
}

test('a part of a large file is read like the same part of a small one', async () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `${n + 1} ${'é'.repeat(n % 90)}`);
  const path = await fileOf(lines.join('\r\n'));
  for (const [first, limit] of [
    [1, 3],
    [3000, 2],
    [199_999, 5],
    [200_000, 1],
  ] as const) {
    const part = await readPart(path, { first, limit, maxBytes: 100_000 }, signal);
    const hasMore = first - 1 + limit < 200_000;
    expect(part).toMatchObject({ lines: lines.slice(first - 1, first - 1 + limit) });
    if (hasMore) expect(part).toMatchObject({ hasMore });
  }
  const beyond = await readPart(path, { first: 200_001, limit: 1, maxBytes: 1000 }, signal);
  expect(beyond).toBe('has only 200000 lines');
});

test('one endless line costs no more than a long one', async () => {
  const path = await fileOf(`${'x'.repeat(30_000_000)}\nthe second`);
  const part = await readPart(path, { first: 1, limit: 2, maxBytes: 100_000 }, signal);
  if (typeof part === 'string') throw new Error(part);
  expect(part.lines[0]?.length).toBe(32 * 1024);
  expect(part.lines[1]).toBe('the second');
});

test('read_file pages through more than it takes into memory, and says where to go on', async () => {
  const path = await fileOf('line\n'.repeat(3_000_000));
  const context = testContext(join(path, '..'), {} as Effects);
  const read = (input: object) =>
    readFileTool.run({ path: 'file.txt', ...input }, context, undefined);
  expect((await read({ offset: 2_999_999 })).text).toBe('2999999\tline\n3000000\tline');
  expect((await read({ offset: 7, limit: 1 })).text).toBe(
    '     7\tline\n(there is more; go on with offset 8)',
  );
  await truncate(path, 20_000_000);
  expect((await read({ offset: 2 })).text).toMatch(/binary|line/);
});
