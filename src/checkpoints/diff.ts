import type { ChangedFile, GoalDiff } from '../../schema/checkpoint.ts';
import type { DiffPage } from '../contract/changes.ts';
import { visibleLine } from '../proof/visible-text.ts';
import type { DiffEntry } from './diff-entry.ts';
import {
  rememberDifferences,
  rememberedDifferences,
  rememberedFolder,
  rememberFolder,
} from './memory.ts';
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
  const trees = await filesOfEnds(place, from, to);
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
  const known = rememberedFolder(commit);
  if (known !== undefined) return known;
  const listed = (await readGit(place, ['ls-tree', commit, 'files'])).toString();
  const tree = /^040000 tree ([0-9a-f]+)\t/.exec(listed)?.[1] ?? EMPTY_TREE;
  rememberFolder(commit, tree);
  return tree;
}

/** Of both ends at once. */
export const filesOfEnds = (place: StorePlace, from: string, to: string): Promise<string[]> =>
  Promise.all([filesOf(place, from), filesOf(place, to)]);

/** By path. What two trees differ in never changes, so it is asked once. */
export async function changedFiles(
  place: StorePlace,
  trees: readonly string[],
): Promise<readonly DiffEntry[]> {
  const key = trees.join();
  const known = rememberedDifferences(key) ?? underWay.get(key);
  if (known !== undefined) return await known;
  const asked = readChanged(place, trees);
  underWay.set(key, asked);
  return await asked.finally(() => underWay.delete(key));
}

/** What git is being asked: who asks the same meanwhile waits for it. */
const underWay = new Map<string, Promise<readonly DiffEntry[]>>();

async function readChanged(
  place: StorePlace,
  trees: readonly string[],
): Promise<readonly DiffEntry[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', ...PLAIN, ...trees];
  const entries = entriesOf((await readGit(place, args)).toString().split('\0'));
  rememberDifferences(trees.join(), entries);
  return entries;
}

/** Git tells of all files first what they are, a path behind each, and then their lines. */
function entriesOf(told: readonly string[]): DiffEntry[] {
  const end = told.findIndex((line, at) => at % 2 === 0 && !line.startsWith(':'));
  const lines = new Map(
    told.slice(end).flatMap((line): [string, string[]][] => {
      const [, added = '', removed = '', path] = /^(\S+)\t(\S+)\t(.*)$/s.exec(line) ?? [];
      return path === undefined ? [] : [[path, [added, removed]]];
    }),
  );
  const entries: DiffEntry[] = [];
  for (let at = 0; at + 1 < end; at += 2) {
    const [facts = '', path = ''] = told.slice(at, at + 2);
    const [added = '0', removed = '0'] = lines.get(path) ?? [];
    const [, , before = '', after = ''] = facts.split(' ');
    entries.push({
      file: {
        path,
        status: statusOf(facts),
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
  // A path that was a folder at one end means this file alone.
  const paths = [`:(literal)${path}`, `:(exclude,literal)${path}/`];
  const shown = ['diff-tree', '-r', '-p', manner, ...PLAIN, ...trees, '--', ...paths];
  const args = ['--no-literal-pathspecs', ...shown];
  const text = (await readGit(place, args)).toString('latin1');
  return text
    .split('\n')
    .map((line) => visibleLine(Buffer.from(line, 'latin1')))
    .join('\n');
}
