import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createChanges } from '../../src/checkpoints/changes.ts';
import { changedFiles, filesOfEnds } from '../../src/checkpoints/diff.ts';
import { rememberedDifferences } from '../../src/checkpoints/memory.ts';
import { takeSnapshot } from '../../src/checkpoints/snapshot.ts';
import { storeOf } from '../../src/checkpoints/store.ts';
import type { StoredCheckpoint } from '../../src/contract/checkpoints.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../tools/support.ts';

async function keptTwice() {
  const home = await temporaryFolder();
  const workspace = join(home, '../', `${home.split('/').at(-1)}-tree`);
  await mkdir(workspace);
  const place = storeOf(home, 'g-1');
  const kept: StoredCheckpoint[] = [];
  for (const turn of [0, 1]) {
    await writeFile(join(workspace, `${home.split('-').at(-1)}-${turn}.txt`), `${home}\n`);
    const { commit } = await takeSnapshot(place, workspace);
    kept.push({
      ...{ name: `t${turn}`, turn, kind: 'turn', commit, writeSeq: 0, todoRevision: 0 },
      ...{ changed: 1, leftOut: [], unread: [], createdAt: '2026-11-27T00:00:00.000Z' },
    });
  }
  const changes = createChanges({
    ...{ home, host: 'here', mask: (value) => value, rewinds: async () => [] },
    ...{ checkpoints: async () => kept, isLeft: async () => false, writingRows: async () => [] },
    folderOf: async () => ({ path: workspace, host: 'here' }),
  });
  const [from = '', to = ''] = kept.map(({ commit }) => commit);
  return { place, changes, from, to, workspace };
}

test('CON-88: who asks for checkpoints has what their list takes of git read meanwhile', async () => {
  const { place, changes, from, to, workspace } = await keptTwice();
  const trees = (await filesOfEnds(place, from, to)).join();
  expect(rememberedDifferences(trees)).toBeUndefined();
  expect((await changes.checkpoints('g-1')).checkpoints).toHaveLength(2);
  const read = await eventually(() => {
    const found = rememberedDifferences(trees);
    if (found === undefined) throw new Error('it is not read yet');
    return found;
  });
  expect(read).toHaveLength(1);
  await rm(workspace, { recursive: true });
});

test('CON-88: who asks the same of git meanwhile waits for one answer', async () => {
  const { place, from, to, workspace } = await keptTwice();
  const trees = await filesOfEnds(place, from, to);
  const [one, other] = await Promise.all([changedFiles(place, trees), changedFiles(place, trees)]);
  expect(one).toBe(other);
  await rm(workspace, { recursive: true });
});
