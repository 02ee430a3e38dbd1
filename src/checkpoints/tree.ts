import { ownValue } from '../../schema/own-value.ts';
import { blobId } from './git-objects.ts';
import {
  rememberContent,
  rememberedContent,
  rememberedSize,
  rememberedTree,
  rememberSize,
  rememberTree,
} from './memory.ts';
import { META, type Meta, plainMode } from './snapshot.ts';
import { readGit, StoreFailed, type StorePlace } from './store-git.ts';
import type { StoredTree, TreeEntry } from './stored-tree.ts';

/** @throws StoreFailed */
export async function readTree(place: StorePlace, commit: string): Promise<StoredTree> {
  return rememberedTree(commit) ?? (await readStoredTree(place, commit));
}

/** The tree as the store itself has it. @throws StoreFailed where it does not */
export async function readStoredTree(place: StorePlace, commit: string): Promise<StoredTree> {
  const listed = await readGit(place, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const lines = listed.toString().split('\0');
  const meta = await readMeta(place, lines);
  const entries = new Map<string, TreeEntry>();
  for (const line of lines) {
    const [, gitMode, object, path] = /^(\d+) blob ([0-9a-f]+)\tfiles\/(.+)$/s.exec(line) ?? [];
    if (gitMode === undefined || object === undefined || path === undefined) continue;
    const kind = gitMode === '120000' ? 'link' : 'file';
    const mode =
      kind === 'link'
        ? 0o755
        : (ownValue(meta.modes, path) ?? plainMode(Number.parseInt(gitMode, 8)));
    entries.set(path, { kind, mode, object });
  }
  const tree = { entries, leftOut: meta.leftOut, unread: meta.unread ?? [] };
  rememberTree(commit, tree);
  return tree;
}

const NOTHING_TOLD: Meta = { modes: {}, leftOut: [], unread: [] };
/** The id of that under which git stores it: of most trees nothing else is to be read. */
const NOTHING_TOLD_ID = blobId(Buffer.from(JSON.stringify(NOTHING_TOLD)));

/** @throws StoreFailed */
async function readMeta(place: StorePlace, lines: readonly string[]): Promise<Meta> {
  const line = lines.find((one) => one.endsWith(`\t${META}`) && !one.includes('\tfiles/'));
  const object = line?.split(/\s/)[2];
  if (object === undefined) throw new StoreFailed('ls-tree', `the tree has no ${META}`);
  if (object === NOTHING_TOLD_ID) return NOTHING_TOLD;
  return JSON.parse((await readGit(place, ['cat-file', 'blob', object])).toString()) as Meta;
}

const HEADER = /^[0-9a-f]+ blob (\d+)$/;

/** Contents in the order of the objects; nobody changes them. */
export async function readObjects(
  place: StorePlace,
  objects: readonly string[],
): Promise<Buffer[]> {
  const found = objects.map(rememberedContent);
  const missing = objects.filter((_, index) => found[index] === undefined);
  const read = await readStoredObjects(place, missing);
  for (const [index, content] of read.entries()) {
    const object = missing[index] as string;
    // Git believes the name of a file in its folder of objects.
    if (blobId(content) === object) rememberContent(object, content);
  }
  return found.map((content) => content ?? (read.shift() as Buffer));
}

/** Contents that are held at once. */
const FILES_AT_ONCE = 200;

/** Each of these files with its content. */
export async function* readEach(
  place: StorePlace,
  files: readonly (readonly [path: string, entry: { readonly object: string }])[],
): AsyncGenerator<readonly [path: string, content: Buffer]> {
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const part = files.slice(at, at + FILES_AT_ONCE);
    const contents = await readObjects(
      place,
      part.map(([, { object }]) => object),
    );
    for (const [index, [path]] of part.entries()) yield [path, contents[index] as Buffer];
  }
}

/** The contents as the store itself has them, which nobody has compared with their ids. */
export async function readStoredObjects(
  place: StorePlace,
  objects: readonly string[],
): Promise<Buffer[]> {
  if (objects.length === 0) return [];
  const output = await readGit(place, ['cat-file', '--batch'], `${objects.join('\n')}\n`);
  const contents: Buffer[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    const size = HEADER.exec(output.subarray(at, end).toString())?.[1];
    if (size === undefined) throw new StoreFailed('cat-file', 'an object is missing');
    const start = end + 1;
    contents.push(output.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return contents;
}

/** The lengths in bytes, in the order of the objects. */
export async function sizesOfObjects(
  place: StorePlace,
  objects: readonly string[],
): Promise<number[]> {
  const known = objects.map(rememberedSize);
  const missing = objects.filter((_, index) => known[index] === undefined);
  if (missing.length === 0) return known as number[];
  const args = ['cat-file', '--batch-check=%(objectsize)'];
  const lines = (await readGit(place, args, `${missing.join('\n')}\n`)).toString().split('\n');
  for (const [index, object] of missing.entries()) rememberSize(object, Number(lines[index]));
  return known.map((size) => size ?? Number(lines.shift()));
}
