import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreFailed, startGit } from '../../src/checkpoints/store-git.ts';
import { readStoredObjects, readStoredTree } from '../../src/checkpoints/tree.ts';

const ID = 'a'.repeat(40);
const elsewhere = { folder: join(tmpdir(), 'goalkeeper-kept-elsewhere') };

test.each([
  ['a tree', () => readStoredTree(elsewhere, ID)],
  ['contents', () => readStoredObjects(elsewhere, [ID])],
  ['a list', () => startGit(elsewhere, ['for-each-ref']).done()],
])('POOL-10 %s that another machine kept is told as missing here', async (_what, read) => {
  const failure = await read().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreFailed);
  expect(String(failure)).toContain('this machine does not have what was kept');
});
