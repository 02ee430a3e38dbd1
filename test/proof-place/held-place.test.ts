import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepCaches } from '../../src/proof-place/home-caches.ts';
import { keepOriginal, originalStore, readOriginal } from '../../src/proof-place/original.ts';
import { layOut } from '../../src/proof-place/place.ts';
import { removeTree } from '../../src/sandbox/remove-tree.ts';
import { ROOT, testWith } from '../support/needs.ts';
import { whileSwapping } from '../support/swapping.ts';
import { temporaryFolder } from '../tools/support.ts';

const OWNER = { uid: 12_345, gid: 12_345 };

/** A folder of the host's, with a file, that nobody else may read. */
function closedFolder(path: string): () => unknown {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'kept'), 'of the host', { mode: 0o600 });
  chmodSync(path, 0o700);
  return () => ({
    names: readdirSync(path),
    kept: readFileSync(join(path, 'kept'), 'utf8'),
    ...Object.fromEntries(
      [path, join(path, 'kept')].flatMap((at) => {
        const { mode, uid, ctimeMs } = statSync(at);
        return [[at, { mode, uid, ctimeMs }]];
      }),
    ),
  });
}

async function ground() {
  const root = await temporaryFolder();
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  mkdirSync(join(workspace, 'src'), { recursive: true });
  for (const name of ['a', 'b', 'c']) writeFileSync(join(workspace, 'src', name), `${name}\n`);
  const original = await keepOriginal(home, 'g-1', workspace);
  const { entries } = await readOriginal(home, 'g-1', original);
  const place = join(home, 'proofs/g-1/place-1');
  const victim = join(root, 'victim');
  const swap = { at: join(place, 'src'), target: victim, aside: join(root, 'aside') };
  const store = originalStore(home, 'g-1');
  return { root, place, victim, swap, store, entries };
}

describe('BOX-25: what is swapped with a link while the host lays a place out, or clears it, costs nothing behind the link', () => {
  for (const owner of [null, OWNER]) {
    const runs = owner === null ? test : testWith(ROOT);
    runs(
      `a place of ${owner === null ? "the worker's user" : 'the workspace’s owner'}`,
      async () => {
        const { place, victim, swap, store, entries } = await ground();
        await layOut(place, store, entries, owner);
        const state = closedFolder(victim);
        const before = state();
        await whileSwapping(swap, async () => {
          for (let round = 0; round < 200; round += 1) {
            await layOut(place, store, entries, owner).catch(() => {});
            if (round % 4 === 0) await removeTree(join(place, 'src')).catch(() => {});
          }
        });
        expect(state()).toEqual(before);
        await layOut(place, store, entries, owner);
        expect(readdirSync(join(place, 'src')).sort()).toEqual(['a', 'b', 'c']);
      },
    );
  }

  test('a cache of a home behind a link is none', async () => {
    const root = await temporaryFolder();
    const [home, victim] = [join(root, 'home'), join(root, 'victim')];
    mkdirSync(home);
    const state = closedFolder(join(victim, 'go-build'));
    const before = state();
    symlinkSync(victim, join(home, '.cache'));
    await keepCaches(home, join(root, 'caches'));
    expect(state()).toEqual(before);
    renameSync(join(home, '.cache'), join(home, 'link'));
    mkdirSync(join(home, '.cache/go-build'), { recursive: true });
    await keepCaches(home, join(root, 'caches'));
    expect(readdirSync(join(root, 'caches/.cache'))).toEqual(['go-build']);
  });
});
