import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importCommit } from '../../src/checkpoints/import-commit.ts';
import { rememberTree } from '../../src/checkpoints/memory.ts';
import { readGit } from '../../src/checkpoints/store-git.ts';
import { readStoredTree } from '../../src/checkpoints/tree.ts';
import { compareWithGit, gone, many, meta, newStore, packsOf, written } from './same-tree.ts';

test('a small commit is the same tree that git makes of the same changes, over and over', () =>
  compareWithGit(8));

test('what is stored in packs is gone on from by git once, and then without it', async () => {
  const place = await newStore();
  const first = await importCommit(
    place,
    undefined,
    many([written('a', '1'), written('d/b', '2')]),
  );
  expect(await packsOf(place)).toHaveLength(1);
  await readStoredTree(place, first);
  const second = await importCommit(place, first, [written('a', '3'), meta]);
  await readStoredTree(place, second);
  const third = await importCommit(place, second, [gone('d/b'), meta]);
  expect(await packsOf(place)).toHaveLength(1);
  const { entries } = await readStoredTree(place, third);
  expect([...entries.keys()]).toEqual(['a']);
  const parents = await readGit(place, ['rev-list', third]);
  expect(parents.toString().trim().split('\n')).toEqual([third, second, first]);
});

test('a store goes on without git from what it borrows', async () => {
  const lender = await newStore();
  const first = await importCommit(lender, undefined, [written('a', '1'), meta]);
  await readStoredTree(lender, first);
  const place = await newStore();
  const info = join(place.folder, 'objects', 'info');
  await mkdir(info, { recursive: true });
  await writeFile(join(info, 'alternates'), `${lender.folder}/objects\n`);
  const objects = async () => (await readdir(join(place.folder, 'objects'))).sort();
  const second = await importCommit(place, first, [written('b', '2'), meta]);
  // Git would have written a pack, and its folder.
  expect(await objects()).not.toContain('pack');
  expect([...(await readStoredTree(place, second)).entries.keys()]).toEqual(['a', 'b']);
  expect(String(await readGit(place, ['fsck', '--strict', '--no-dangling']))).toBe('');
});

test('a commit on one that its store has lost is refused', async () => {
  const place = await newStore();
  const other = await newStore();
  const lost = await importCommit(other, undefined, [written('a', '1'), meta]);
  rememberTree(lost, { entries: new Map(), leftOut: [], unread: [] });
  await expect(importCommit(place, lost, [written('b', '2'), meta])).rejects.toThrow(
    /git fast-import/,
  );
});
