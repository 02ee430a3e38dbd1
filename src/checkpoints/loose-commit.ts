import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { type GitEntry, objectId, treesOf } from './git-objects.ts';
import type { StorePlace } from './store-git.ts';

const deflated = promisify(deflate);

/** One path of a commit: what it holds from now on, or null = nothing. */
export interface Change {
  readonly path: string;
  readonly file: { readonly mode: string; readonly content: Buffer } | GitEntry | null;
}

interface Small {
  /** None = it is the first one. */
  readonly parent: string | undefined;
  /** All that the parent holds. */
  readonly before: ReadonlyMap<string, GitEntry>;
  readonly changes: readonly Change[];
}

const BY = 'Goalkeeper <checkpoints@localhost>';

/**
 * Writes a small commit object by object, because a process of git takes longer than that. After a
 * kill the store is as before, or has objects that nothing names.
 *
 * @returns the commit's id, 40 hex digits
 */
export async function commitLoose(
  place: StorePlace,
  ref: string,
  { parent, before, changes }: Small,
): Promise<string> {
  const after = new Map(before);
  const blobs = new Map<string, Buffer>();
  for (const change of changes) apply(change, after, blobs);
  const { root, bodies } = treesOf(after);
  const known = treesOf(before).bodies;
  const trees = [...bodies].filter(([id]) => !known.has(id));
  await Promise.all([
    ...[...blobs].map(([id, body]) => writeObject(place, 'blob', body, id)),
    ...trees.map(([id, body]) => writeObject(place, 'tree', body, id)),
  ]);
  const at = `${BY} ${Math.floor(Date.now() / 1000)} +0000`;
  const above = parent === undefined ? '' : `parent ${parent}\n`;
  const body = Buffer.from(`tree ${root}\n${above}author ${at}\ncommitter ${at}\n\n`);
  const id = objectId('commit', body);
  await writeObject(place, 'commit', body, id);
  await writeWhole(join(place.folder, ref), `${join(place.folder, ref)}.lock`, `${id}\n`);
  return id;
}

/** As git reads them: what goes takes all below it, and what comes takes the place of a folder or file. */
function apply(
  { path, file }: Change,
  after: Map<string, GitEntry>,
  blobs: Map<string, Buffer>,
): void {
  for (const other of after.keys()) {
    const isAbove = file !== null && path.startsWith(`${other}/`);
    if (other === path || other.startsWith(`${path}/`) || isAbove) after.delete(other);
  }
  if (file === null) return;
  if (!('content' in file)) return void after.set(path, file);
  const object = objectId('blob', file.content);
  blobs.set(object, file.content);
  after.set(path, { mode: file.mode, object });
}

const objectsOf = ({ folder }: StorePlace): string => join(folder, 'objects');

const fileOf = (objects: string, id: string): string => join(objects, id.slice(0, 2), id.slice(2));

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Whether the store, or one that it borrows from, has this object as a file of its own. */
export async function isLoose(place: StorePlace, id: string): Promise<boolean> {
  if (await isThere(fileOf(objectsOf(place), id))) return true;
  const borrowed = join(objectsOf(place), 'info', 'alternates');
  const lines = (await readFile(borrowed, 'utf8').catch(() => '')).split('\n');
  for (const objects of lines) {
    if (objects !== '' && (await isThere(fileOf(objects, id)))) return true;
  }
  return false;
}

async function writeObject(
  place: StorePlace,
  kind: 'blob' | 'tree' | 'commit',
  body: Buffer,
  id: string,
): Promise<void> {
  const path = fileOf(objectsOf(place), id);
  if (await isThere(path)) return;
  const whole = Buffer.concat([Buffer.from(`${kind} ${body.byteLength}\0`), body]);
  const scratch = join(objectsOf(place), `tmp_obj_${randomUUID()}`);
  await writeWhole(path, scratch, await deflated(whole, { level: 1 }));
}

/** Under its name it is whole, also after a power failure. */
async function writeWhole(path: string, scratch: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = await open(scratch, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(scratch, path);
  } finally {
    await rm(scratch, { force: true });
  }
}
