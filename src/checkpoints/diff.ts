import type { ChangedFile, GoalDiff } from '../../schema/checkpoint.ts';
import type { DiffPage } from '../contract/changes.ts';
import { visibleLine } from '../proof/visible-text.ts';
import { readGit, type StorePlace } from './store-git.ts';

/** Characters of one file's diff, and of all on a page. */
const MAX_DIFF = 64 * 1024;
/** Of what is no text, enough to tell what it is. */
const MAX_BINARY = 4 * 1024;
const MAX_PAGE = 1024 * 1024;
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const PLAIN = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];

type Diff = Pick<GoalDiff, 'files' | 'total' | 'nextCursor'>;

/** The differences between two snapshots, by path. */
export async function diffSnapshots(
  place: StorePlace,
  from: string,
  to: string,
  { offset, limit, isStat }: DiffPage,
): Promise<Diff> {
  const trees = [await filesOf(place, from), await filesOf(place, to)];
  const all = (await changedFiles(place, trees)).map(({ file }) => file);
  const shown = all.slice(offset, offset + limit);
  const files: ChangedFile[] = [];
  let room = MAX_PAGE;
  for (const file of shown) {
    const whole = isStat || room <= 0 ? null : await diffText(place, trees, file.path);
    const diff = whole?.slice(0, Math.min(file.isBinary ? MAX_BINARY : MAX_DIFF, room));
    room -= diff?.length ?? 0;
    const isCut = diff === undefined ? !isStat : diff.length < (whole?.length ?? 0);
    files.push({
      ...file,
      ...(diff === undefined ? {} : { diff }),
      ...(isCut ? { isCut: true as const } : {}),
    });
  }
  const sum = (part: 'added' | 'removed') => all.reduce((total, file) => total + file[part], 0);
  const next = offset + limit;
  return {
    files,
    total: { files: all.length, added: sum('added'), removed: sum('removed') },
    nextCursor: next < all.length ? String(next) : null,
  };
}

/** A snapshot without any file has no folder for them. */
export async function filesOf(place: StorePlace, commit: string): Promise<string> {
  const listed = (await readGit(place, ['ls-tree', commit, 'files'])).toString();
  return /^040000 tree ([0-9a-f]+)\t/.exec(listed)?.[1] ?? EMPTY_TREE;
}

/** A file that differs, with the ids of its contents; null = it was not there. */
export interface DiffEntry {
  readonly file: ChangedFile;
  readonly before: string | null;
  readonly after: string | null;
}

/** By path. */
export async function changedFiles(
  place: StorePlace,
  trees: readonly string[],
): Promise<DiffEntry[]> {
  const look = async (manner: string) =>
    (await readGit(place, ['diff-tree', '-r', '-z', manner, ...PLAIN, ...trees])).toString();
  const lines = new Map(
    (await look('--numstat')).split('\0').flatMap((line): [string, string[]][] => {
      const [, added = '', removed = '', path] = /^(\S+)\t(\S+)\t(.*)$/s.exec(line) ?? [];
      return path === undefined ? [] : [[path, [added, removed]]];
    }),
  );
  const raw = (await look('--raw')).split('\0');
  const entries: DiffEntry[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const path = raw[at + 1] ?? '';
    const [added = '0', removed = '0'] = lines.get(path) ?? [];
    const [, , before = '', after = ''] = (raw[at] ?? '').split(' ');
    entries.push({
      file: {
        path,
        status: statusOf(raw[at] ?? ''),
        isBinary: added === '-',
        added: Number(added) || 0,
        removed: Number(removed) || 0,
      },
      before: /^0+$/.test(before) ? null : before,
      after: /^0+$/.test(after) ? null : after,
    });
  }
  return entries;
}

/** `:100644 100755 <before> <after> M`. */
function statusOf(line: string): ChangedFile['status'] {
  const [, , before, after, letter] = line.split(' ');
  if (letter === 'A') return 'added';
  if (letter === 'D') return 'deleted';
  if (letter === 'T') return 'type';
  return before === after ? 'mode' : 'modified';
}

/** What can't be seen is made visible, whatever git takes the file for. */
export async function diffText(
  place: StorePlace,
  trees: readonly string[],
  path: string,
  manner: '--text' | '--patch' = '--text',
): Promise<string> {
  const args = ['diff-tree', '-r', '-p', manner, ...PLAIN, ...trees, '--', path];
  const text = (await readGit(place, args)).toString('latin1');
  return text
    .split('\n')
    .map((line) => visibleLine(Buffer.from(line, 'latin1')))
    .join('\n');
}
