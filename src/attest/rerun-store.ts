import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { KnownBase } from '../../schema/proof-bundle.ts';
import { blobId } from '../checkpoints/git-objects.ts';
import { openStore } from '../checkpoints/store.ts';
import { readGit, type StorePlace, startGit } from '../checkpoints/store-git.ts';
import type { TreeEntry } from '../checkpoints/stored-tree.ts';
import { readEach } from '../checkpoints/tree.ts';
import { runGit } from '../workspace/git/run-git.ts';
import { BundleRefused, listed } from './refused.ts';

/** A store that sees the repository's objects, and has what the bundle carries of the original. */
export async function prepareStore(
  place: StorePlace,
  folder: string,
  base: KnownBase,
): Promise<void> {
  await openStore(place);
  const objects = await runGit({ folder }, ['rev-parse', '--git-path', 'objects']);
  if (objects !== null) {
    await mkdir(join(place.folder, 'objects', 'info'), { recursive: true });
    const alternates = join(place.folder, 'objects', 'info', 'alternates');
    await writeFile(alternates, `${resolve(folder, objects.trim())}\n`);
  }
  for (const { content } of base.files) {
    if (content === undefined) continue;
    const { child, done } = startGit(place, ['hash-object', '-w', '--stdin']);
    child.stdout.resume();
    child.stdin.end(Buffer.from(content, 'base64'));
    await done();
  }
}

/** The subset of these objects that the store can read. */
export async function presentObjects(
  place: StorePlace,
  objects: readonly string[],
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set();
  const input = objects.map((one) => `${one}\n`).join('');
  const said = await readGit(
    place,
    ['cat-file', '--batch-check=%(objectname) %(objecttype)'],
    input,
  );
  const blobs = said.toString().matchAll(/^([0-9a-f]+) blob$/gm);
  return new Set([...blobs].map(([, object = '']) => object));
}

/**
 * All contents are there and give their ids: git believes what lies in a repository.
 * @throws BundleRefused
 */
export async function assertContents(
  place: StorePlace,
  entries: ReadonlyMap<string, TreeEntry>,
): Promise<void> {
  const all = [...entries];
  const present = await presentObjects(
    place,
    all.map(([, { object }]) => object),
  );
  const absent = all.filter(([, { object }]) => !present.has(object)).map(([path]) => path);
  if (absent.length > 0) {
    const problem = `the original can't be laid out without the former content of ${listed(absent)}`;
    throw new BundleRefused('rerun_incomplete', problem);
  }
  const forged: string[] = [];
  for await (const [path, content] of readEach(place, all)) {
    if (blobId(content) !== entries.get(path)?.object) forged.push(path);
  }
  if (forged.length > 0) {
    const problem = `the repository holds other contents than their ids say: ${listed(forged)}`;
    throw new BundleRefused('base_differs', problem);
  }
}
