import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { quoted } from '../checkpoints/import-stream.ts';
import { StoreFailed, type StorePlace, startGit } from '../checkpoints/store-git.ts';
import { runGit } from '../workspace/git/run-git.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';
import { type ChangedPath, changedPaths, isBlob } from './changed-paths.ts';
import { unnamedCommit, writtenFrom } from './unnamed-commit.ts';

export type Merged =
  | { readonly kind: 'merged'; readonly commit: string }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** Git does not merge the two, or this machine's git merges nothing by itself. */
  | { readonly kind: 'unable'; readonly why: string };

/**
 * The commit that merges two, on no branch yet. Git merges in an empty repository that borrows the
 * objects: no attribute, driver or setting of the goal's repository counts, and no file is touched.
 *
 * @param place of the repository, which gets the commit
 */
export async function mergedCommit(
  place: StorePlace,
  { onto, work, message }: { onto: string; work: string; message: string },
): Promise<Merged> {
  const scratch = await makeScratch('checkout');
  try {
    await runGit({ folder: scratch }, ['init', '-q', '--bare', '.']);
    await writeFile(
      join(scratch, 'objects', 'info', 'alternates'),
      `${join(place.folder, 'objects')}\n`,
    );
    const borrowing = { folder: scratch };
    const found = await mergedTree(borrowing, onto, work);
    if (typeof found !== 'string') return found;
    const changes = await changedPaths(borrowing, onto, found);
    const about = { parents: [onto, work], message } as const;
    const commit = await unnamedCommit(place, about, told(borrowing, changes));
    return { kind: 'merged', commit };
  } finally {
    await removeScratch(scratch);
  }
}

const TREE = /^[0-9a-f]{40}$/;

async function mergedTree(
  place: StorePlace,
  onto: string,
  work: string,
): Promise<string | Exclude<Merged, { kind: 'merged' }>> {
  const flags = ['--write-tree', '-z', '--name-only', '--no-messages'];
  const { child, done } = startGit(place, ['merge-tree', ...flags, onto, work]);
  child.stdin.end();
  const said = text(child.stdout);
  const failure = await done().then(
    () => null,
    (error: Error) => error,
  );
  const [tree = '', ...files] = (await said).split('\0').map((part) => part.trim());
  if (failure !== null && !(failure instanceof StoreFailed)) throw failure;
  if (failure === null && TREE.test(tree)) return tree;
  if (TREE.test(tree)) {
    const named = files.filter((name) => name !== '').map(nameIn(onto, work));
    return { kind: 'conflict', files: [...new Set(named)] };
  }
  return { kind: 'unable', why: failure?.message ?? 'git merge-tree said no' };
}

/** Where a file stands in the way of a folder, git tells it by its name and the commit that has it. */
const nameIn =
  (onto: string, work: string) =>
  (told: string): string => {
    const mark = [`~${onto}`, `~${work}`].find((end) => told.endsWith(end)) ?? '';
    return told.slice(0, told.length - mark.length);
  };

async function* told(
  place: StorePlace,
  changes: readonly ChangedPath[],
): AsyncGenerator<string | Buffer> {
  for (const { path, is } of changes) if (is === null) yield `D ${quoted(path)}\n`;
  const written = changes.flatMap(({ path, is }) => (is === null ? [] : [{ path, ...is }]));
  for (const { path, mode, object } of written.filter((one) => !isBlob(one)))
    yield `M ${mode} ${object} ${quoted(path)}\n`;
  yield* writtenFrom(place, written.filter(isBlob));
}
