import { createHash } from 'node:crypto';
import { META, type Meta, plainMode } from './snapshot.ts';
import { readGit, StoreFailed, type StorePlace } from './store-git.ts';

export interface TreeEntry {
  readonly kind: 'file' | 'link';
  readonly mode: number;
  /** The id of its content in the store. */
  readonly object: string;
}

/** A snapshot by path. */
export interface StoredTree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Too large for a checkpoint when it was made. */
  readonly leftOut: readonly string[];
  /** Files, and folders with a trailing slash, that could not be read then. */
  readonly unread: readonly string[];
}

/** Whether the path existed and what it held is unknown. */
export const isUnread = ({ unread }: Pick<StoredTree, 'unread'>, path: string): boolean =>
  unread.some((one) => one === path || ((one === '' || one.endsWith('/')) && path.startsWith(one)));

export const isSameEntry = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
  one?.object === other?.object && one?.kind === other?.kind && one?.mode === other?.mode;

/** @throws StoreFailed */
export async function readTree(place: StorePlace, commit: string): Promise<StoredTree> {
  const listed = await readGit(place, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const lines = listed.toString().split('\0');
  const meta = await readMeta(place, lines);
  const entries = new Map<string, TreeEntry>();
  for (const line of lines) {
    const [, gitMode, object, path] = /^(\d+) blob ([0-9a-f]+)\tfiles\/(.+)$/s.exec(line) ?? [];
    if (gitMode === undefined || object === undefined || path === undefined) continue;
    const kind = gitMode === '120000' ? 'link' : 'file';
    const mode =
      kind === 'link' ? 0o755 : (meta.modes[path] ?? plainMode(Number.parseInt(gitMode, 8)));
    entries.set(path, { kind, mode, object });
  }
  return { entries, leftOut: meta.leftOut, unread: meta.unread ?? [] };
}

const NOTHING_TOLD: Meta = { modes: {}, leftOut: [], unread: [] };
/** The id of that under which git stores it: of most trees nothing else is to be read. */
const NOTHING_TOLD_ID = blobId(JSON.stringify(NOTHING_TOLD));

function blobId(content: string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** @throws StoreFailed */
async function readMeta(place: StorePlace, lines: readonly string[]): Promise<Meta> {
  const line = lines.find((one) => one.endsWith(`\t${META}`) && !one.includes('\tfiles/'));
  const object = line?.split(/\s/)[2];
  if (object === undefined) throw new StoreFailed('ls-tree', `the tree has no ${META}`);
  if (object === NOTHING_TOLD_ID) return NOTHING_TOLD;
  return JSON.parse((await readGit(place, ['cat-file', 'blob', object])).toString()) as Meta;
}

const HEADER = /^[0-9a-f]+ blob (\d+)$/;

/** Contents in the order of the objects. */
export async function readObjects(
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
