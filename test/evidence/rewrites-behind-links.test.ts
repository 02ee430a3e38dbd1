import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withRewrites } from '../../src/evidence/proof/rewrites.ts';
import { keepOriginal, originalStore, readOriginal } from '../../src/proof-place/original.ts';
import { layOut } from '../../src/proof-place/place.ts';
import { temporaryFolder } from '../tools/support.ts';

test('BOX-31: what a run leaves behind a link is not read: it may be what only the host may read', async () => {
  const root = await temporaryFolder();
  const [home, workspace, victim] = ['home', 'work', 'victim'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [join(workspace, 'src'), victim]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, 'src/key'), 'of the workspace\n');
  writeFileSync(join(victim, 'key'), 'of the host\n');
  const original = await keepOriginal(home, 'g-1', workspace);
  const { entries } = await readOriginal(home, 'g-1', original);
  const store = originalStore(home, 'g-1');
  const checkout = join(home, 'proofs/g-1/place-1');
  await layOut(checkout, store, entries);
  const place = { checkout, lent: [], problem: null };
  const { rewrites } = await withRewrites(place, { store, entries, packages: [] }, async () => {
    renameSync(join(checkout, 'src'), join(checkout, 'moved'));
    symlinkSync(victim, join(checkout, 'src'));
    return {};
  });
  const key = rewrites.find(({ path }) => path === 'src/key');
  expect(key).toMatchObject({ now: null, isMade: false });
  expect(JSON.stringify(rewrites)).not.toContain('of the host');
});
