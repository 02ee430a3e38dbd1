import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { importCommit } from '../../src/checkpoints/import-commit.ts';
import type { Change } from '../../src/checkpoints/loose-commit.ts';
import { metaChange } from '../../src/checkpoints/snapshot.ts';
import { openStore } from '../../src/checkpoints/store.ts';
import { readGit, type StorePlace } from '../../src/checkpoints/store-git.ts';
import { readStoredTree } from '../../src/checkpoints/tree.ts';

export async function newStore(): Promise<StorePlace> {
  const place = { folder: join(await mkdtemp(join(tmpdir(), 'goalkeeper-loose-')), 'store') };
  await openStore(place);
  return place;
}

export const meta = metaChange({ modes: {}, leftOut: [], unread: [] });
export const written = (path: string, content: string, mode = '100644'): Change => ({
  path: `files/${path}`,
  file: { mode, content: Buffer.from(content) },
});
export const gone = (path: string): Change => ({ path: `files/${path}`, file: null });

const treeId = async (place: StorePlace, commit: string): Promise<string> =>
  (await readGit(place, ['rev-parse', `${commit}^{tree}`])).toString().trim();
export const packsOf = async ({ folder }: StorePlace): Promise<string[]> =>
  (await readdir(join(folder, 'objects', 'pack')).catch(() => [])).filter((name) =>
    name.endsWith('.pack'),
  );
/** What makes the import a large one, which git does. */
export async function* many(changes: readonly Change[]): AsyncGenerator<Change> {
  for (let at = 0; at < 101; at += 1) yield meta;
  yield* changes;
  yield meta;
}

const name = fc.constantFrom('a', 'b', 'a-', 'a.', 'a0', 'ä', 'x y', '"q"', 'tab\t', 'line\n', '-');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const change = fc.oneof(
  fc.record({
    path,
    content: fc.string(),
    mode: fc.constantFrom('100644', '100755', '120000'),
  }),
  fc.record({ path, content: fc.constant(null), mode: fc.constant('100644') }),
);

/** A small commit is the same tree that git makes of the same changes, over and over. */
export async function compareWithGit(numRuns: number): Promise<void> {
  const small = await newStore();
  const large = await newStore();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      async (steps) => {
        let own: string | undefined;
        let gits: string | undefined;
        for (const step of steps) {
          const changes = step.map((one) =>
            one.content === null ? gone(one.path) : written(one.path, one.content, one.mode),
          );
          own = await importCommit(small, own, [...changes, meta]);
          gits = await importCommit(large, gits, many(changes));
          expect(await treeId(small, own)).toBe(await treeId(large, gits));
          await readStoredTree(small, own);
        }
      },
    ),
    { numRuns },
  );
  expect(await packsOf(small)).toEqual([]);
  expect(String(await readGit(small, ['fsck', '--strict', '--no-dangling']))).toBe('');
}
