import { createHash } from 'node:crypto';

/** What stands in a commit at one path. */
export interface GitEntry {
  readonly mode: string;
  /** The id of its content, 40 hex digits. */
  readonly object: string;
}

/** The id under which git stores this. */
export const objectId = (kind: 'blob' | 'tree' | 'commit', body: Buffer): string =>
  createHash('sha1').update(`${kind} ${body.byteLength}\0`).update(body).digest('hex');

export const blobId = (content: Buffer): string => objectId('blob', content);

const FOLDER = '40000';

/** A folder as git stores it, by the names in it. */
export function treeBody(inside: Iterable<readonly [name: string, GitEntry]>): Buffer {
  const lines = [...inside].map(([name, { mode, object }]) => ({
    sorted: Buffer.from(mode === FOLDER ? `${name}/` : name),
    line: Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')]),
  }));
  lines.sort((one, other) => Buffer.compare(one.sorted, other.sorted));
  return Buffer.concat(lines.map(({ line }) => line));
}

/** Every folder above these paths, by its id; `root` is that of the uppermost. */
export function treesOf(entries: ReadonlyMap<string, GitEntry>): {
  readonly root: string;
  readonly bodies: ReadonlyMap<string, Buffer>;
} {
  interface Folder {
    readonly folders: Map<string, Folder>;
    readonly inside: Map<string, GitEntry>;
  }
  const open = (): Folder => ({ folders: new Map(), inside: new Map() });
  const top = open();
  for (const [path, entry] of entries) {
    const names = path.split('/');
    const last = names.pop() as string;
    let folder = top;
    for (const name of names) {
      const next = folder.folders.get(name) ?? open();
      folder.folders.set(name, next);
      folder = next;
    }
    folder.inside.set(last, entry);
  }
  const bodies = new Map<string, Buffer>();
  const close = ({ folders, inside }: Folder): string => {
    const all = new Map(inside);
    for (const [name, folder] of folders) all.set(name, { mode: FOLDER, object: close(folder) });
    const body = treeBody(all);
    const id = objectId('tree', body);
    bodies.set(id, body);
    return id;
  };
  return { root: close(top), bodies };
}
