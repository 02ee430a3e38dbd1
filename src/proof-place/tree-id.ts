import { createHash } from 'node:crypto';
import type { TreeEntry } from '../checkpoints/stored-tree.ts';

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: Map<string, TreeEntry>;
}

const newFolder = (): Folder => ({ folders: new Map(), files: new Map() });

/** The id that git gives this tree, 40 hex digits: anybody can compute it from the files again. */
export function treeId(entries: ReadonlyMap<string, TreeEntry>): string {
  const root = newFolder();
  for (const [path, entry] of entries) {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    let folder = root;
    for (const segment of segments) {
      const next = folder.folders.get(segment) ?? newFolder();
      folder.folders.set(segment, next);
      folder = next;
    }
    folder.files.set(name, entry);
  }
  return idOf(root).toString('hex');
}

function idOf({ folders, files }: Folder): Buffer {
  const lines = [
    ...[...folders].map(([name, folder]) => lineOf('40000', name, idOf(folder), `${name}/`)),
    ...[...files].map(([name, entry]) =>
      lineOf(gitMode(entry), name, Buffer.from(entry.object, 'hex'), name),
    ),
  ].sort((left, right) => Buffer.compare(left.sortedBy, right.sortedBy));
  const body = Buffer.concat(lines.map(({ line }) => line));
  return createHash('sha1').update(`tree ${body.byteLength}\0`).update(body).digest();
}

/** Git sorts a folder as if its name ended with a slash. */
const lineOf = (mode: string, name: string, id: Buffer, sortedBy: string) => ({
  line: Buffer.concat([Buffer.from(`${mode} ${name}\0`), id]),
  sortedBy: Buffer.from(sortedBy),
});

/** As git writes it: `100644`, `100755`, `120000`. */
export function gitMode({ kind, mode }: TreeEntry): string {
  if (kind === 'link') return '120000';
  return (mode & 0o111) === 0 ? '100644' : '100755';
}
