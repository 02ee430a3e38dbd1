import { createHash } from 'node:crypto';
import { BackupError } from './backup-format.ts';
import { type BytePath, pathIn, shown } from './byte-paths.ts';

/** What was copied: a file by what it holds, a link by where it leads, a folder. */
export interface CopiedEntry {
  readonly path: BytePath;
  readonly digest: string;
  /** Of a file. */
  readonly bytes: number | null;
}

export const FOLDER = 'folder';
export const digestOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');
export const digestOfLink = (target: Buffer): string => `link:${digestOf(target)}`;

export const within = (root: string, { path, ...entry }: CopiedEntry): CopiedEntry => ({
  ...entry,
  path: path === '' ? root : pathIn(root, path),
});

/** Each entry ends with a byte that no name has. */
export const writtenList = (entries: readonly CopiedEntry[]): Buffer =>
  Buffer.from(entries.map(({ path, digest }) => `${digest}  ${path}\0`).join(''), 'latin1');

export type List = ReadonlyMap<BytePath, string>;

/** @throws BackupError */
export function readList(written: Buffer, version: number): List {
  const text = written.toString('latin1');
  const entries = version === 1 ? linesOf(text) : text.split('\0').slice(0, -1);
  return new Map(entries.map(entryOf));
}

/** The first version had a line for each file, also where its name has line breaks. */
const linesOf = (text: string): string[] =>
  text === '' ? [] : text.slice(0, -1).split(/\n(?=[0-9a-f]{64} {2}(?:home|postgres)\/)/);

function entryOf(written: string): [BytePath, string] {
  const [, digest, path] = /^([0-9a-f]{64}|link:[0-9a-f]{64}|folder) {2}(.+)$/s.exec(written) ?? [];
  if (digest === undefined || path === undefined) throw altered('its list has another form');
  return [path, digest];
}

export const altered = (what: string): BackupError =>
  new BackupError('altered', `The backup was altered: ${what}`, 'Use another copy of it.');

/** Compares each entry with the list, and knows in the end what is missing. */
export function checker(list: List, version: number) {
  const left = new Set(list.keys());
  const check = (root: string) => (entry: CopiedEntry) => {
    const { path, digest, bytes } = within(root, entry);
    // The first version listed files alone.
    if (version === 1 && bytes === null && !list.has(path)) return;
    if (list.get(path) !== digest) throw altered(`${shown(path)} is not what was written`);
    left.delete(path);
  };
  return Object.assign(check, {
    assertWhole() {
      const [first] = left;
      if (first !== undefined) throw altered(`${shown(first)} is gone`);
    },
  });
}
