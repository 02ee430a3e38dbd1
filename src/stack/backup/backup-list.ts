import { type Backup, BackupError, digestOf, HEAD } from './backup-format.ts';
import { type BytePath, pathIn, shown } from './byte-paths.ts';

/** Whose something is, and who may do what with it. */
export interface Rights {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** What was copied: a file by what it holds, a link by where it leads, a folder. */
export interface CopiedEntry extends Rights {
  readonly path: BytePath;
  readonly digest: string;
  /** Of a file. */
  readonly bytes: number | null;
  /** What it takes on the disk. */
  readonly stored: number;
}

export const FOLDER = 'folder';
export const digestOfLink = (target: Buffer): string => `link:${digestOf(target)}`;

export const within = <Entry extends { readonly path: BytePath }>(
  root: string,
  { path, ...entry }: Entry,
) => ({
  ...entry,
  path: path === '' ? root : pathIn(root, path),
});

/** Each entry ends with a byte that no name has. */
export const writtenList = (entries: readonly CopiedEntry[]): Buffer =>
  Buffer.from(entries.map((entry) => `${lineOf(entry)}\0`).join(''), 'latin1');

const lineOf = ({ path, digest, mode, uid, gid }: CopiedEntry): string =>
  `${digest} ${mode.toString(8)} ${uid} ${gid}  ${path}`;

interface Listed {
  readonly digest: string;
  /** Null = an earlier version, which listed none. */
  readonly rights: Rights | null;
}

export type List = ReadonlyMap<BytePath, Listed>;

/** @throws BackupError */
export function readList(written: Buffer, version: number): List {
  const text = written.toString('latin1');
  const entries = version === 1 ? linesOf(text) : text.split('\0').slice(0, -1);
  return new Map(entries.map(version < 3 ? formerEntryOf : entryOf));
}

/** The first version had a line for each file, also where its name has line breaks. */
const linesOf = (text: string): string[] =>
  text === '' ? [] : text.slice(0, -1).split(/\n(?=[0-9a-f]{64} {2}(?:home|postgres)\/)/);

function entryOf(written: string): [BytePath, Listed] {
  const [, digest, mode = '', uid, gid, path] =
    /^([0-9a-f]{64}|link:[0-9a-f]{64}|folder) ([0-7]{1,4}) (\d+) (\d+) {2}(.+)$/s.exec(written) ??
    [];
  if (digest === undefined || path === undefined) throw altered('its list has another form');
  const rights = { mode: Number.parseInt(mode, 8), uid: Number(uid), gid: Number(gid) };
  return [path, { digest, rights }];
}

function formerEntryOf(written: string): [BytePath, Listed] {
  const [, digest, path] = /^([0-9a-f]{64}|link:[0-9a-f]{64}|folder) {2}(.+)$/s.exec(written) ?? [];
  if (digest === undefined || path === undefined) throw altered('its list has another form');
  return [path, { digest, rights: null }];
}

export const altered = (what: string): BackupError =>
  new BackupError('altered', `The backup was altered: ${what}`, 'Use another copy of it.');

/**
 * Compares each entry with the list, and knows in the end what is missing. What was listed of its rights
 * is told.
 */
export function checker(list: List, { version, files, bytes }: Backup) {
  const left = new Set(list.keys());
  const read = { files: 0, bytes: 0 };
  const check =
    (root: string) =>
    (entry: Pick<CopiedEntry, 'path' | 'digest' | 'bytes'>): Rights | null => {
      const { path, digest, bytes } = within(root, entry);
      const listed = list.get(path);
      // The first version listed files alone.
      if (version === 1 && bytes === null && listed === undefined) return null;
      if (listed?.digest !== digest) throw altered(`${shown(path)} is not what was written`);
      left.delete(path);
      if (bytes !== null) {
        read.files += 1;
        read.bytes += bytes;
      }
      return listed.rights;
    };
  return Object.assign(check, {
    assertWhole() {
      const [first] = left;
      if (first !== undefined) throw altered(`${shown(first)} is gone`);
      const isSaid = read.files === files && read.bytes === bytes;
      const said = `${files} files of ${bytes} bytes, and there are ${read.files} of ${read.bytes}`;
      if (!isSaid) throw altered(`${HEAD} says ${said}`);
    },
  });
}
