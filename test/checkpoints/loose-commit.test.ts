import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importCommit } from '../../src/checkpoints/import-commit.ts';
import type { Change } from '../../src/checkpoints/loose-commit.ts';
import { rememberTree } from '../../src/checkpoints/memory.ts';
import { metaChange } from '../../src/checkpoints/snapshot.ts';
import { openStore } from '../../src/checkpoints/store.ts';
import { readGit, type StorePlace } from '../../src/checkpoints/store-git.ts';
import { readStoredTree } from '../../src/checkpoints/tree.ts';

async function newStore(): Promise<StorePlace> {
  const place = { folder: join(await mkdtemp(join(tmpdir(), 'goalkeeper-loose-')), 'store') };
  await openStore(place);
  return place;
}

const meta = metaChange({ modes: {}, leftOut: [], unread: [] });
const written = (path: string, content: string, mode = '100644'): Change => ({
  path: `files/${path}`,
  file: { mode, content: Buffer.from(content) },
});
const gone = (path: string): Change => ({ path: `files/${path}`, file: null });

const treeId = async (place: StorePlace, commit: string): Promise<string> =>
  (await readGit(place, ['rev-parse', `${commit}^{tree}`])).toString().trim();
const packsOf = async ({ folder }: StorePlace): Promise<string[]> =>
  (await readdir(join(folder, 'objects', 'pack')).catch(() => [])).filter((name) =>
    name.endsWith('.pack'),
  );
/** What makes the import a large one, which git does. */
async function* many(changes: readonly Change[]): AsyncGenerator<Change> {
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

test('a small commit is the same tree that git makes of the same changes, over and over', async () => {
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
    { numRuns: 25 },
  );
  expect(await packsOf(small)).toEqual([]);
  expect(String(await readGit(small, ['fsck', '--strict', '--no-dangling']))).toBe('');
});

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
