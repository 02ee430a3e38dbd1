import type { Checkpoints, FileChange } from '../api/types.ts';
import { clock } from './format.ts';

/** A row of the tree of changed files. */
export type TreeRow =
  | { readonly kind: 'group'; readonly scope: 'in' | 'beyond' | 'all'; readonly count: number }
  | { readonly kind: 'folder'; readonly key: string; readonly folder: string }
  | { readonly kind: 'file'; readonly file: FileChange; readonly name: string };

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** In scope first; within each group by folder, those at the top last, as git lists them. */
export function treeRows(files: readonly FileChange[]): TreeRow[] {
  return (['in', 'beyond', 'all'] as const).flatMap((scope) => {
    const group = files.filter((file) => (file.scope ?? 'all') === scope);
    if (group.length === 0) return [];
    const folders = new Map<string, FileChange[]>();
    for (const file of group) {
      const folder = folderOf(file.path);
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    }
    const rows = [...folders].flatMap(([folder, inside]): TreeRow[] => [
      ...(folder === '' ? [] : [{ kind: 'folder', key: `${scope} ${folder}`, folder } as const]),
      ...inside.map((file) => ({
        kind: 'file' as const,
        file,
        name: file.path.slice(folder.length),
      })),
    ]);
    return [{ kind: 'group', scope, count: group.length }, ...rows];
  });
}

/** Files in the order of the tree. */
export const filesOf = (rows: readonly TreeRow[]): FileChange[] =>
  rows.flatMap((row) => (row.kind === 'file' ? [row.file] : []));

/** With more lines than this a file is shown on demand. */
const FOLDED_FROM = 500;

/** Why a file's lines are shown on demand; null = they are shown. */
export function foldedBecause(file: FileChange): string | null {
  const lines = file.added + file.removed;
  if (file.isBinary) return 'Binary file';
  if (file.isGenerated) return `Generated, ${lines} lines folded`;
  if (file.status === 'deleted') return `Deleted, ${lines} lines folded`;
  return lines > FOLDED_FROM ? `${lines} lines folded` : null;
}

export const statusLetters: Readonly<Record<FileChange['status'], string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  mode: 'P',
  type: 'T',
};

export const statusWords: Readonly<Record<FileChange['status'], string>> = {
  added: 'Added',
  modified: 'Modified',
  deleted: 'Deleted',
  mode: 'Permissions changed',
  type: 'Kind of file changed',
};

export interface Place {
  readonly name: string;
  readonly words: string;
}

/** What can be compared, oldest first. */
export function placesOf({ checkpoints }: Pick<Checkpoints, 'checkpoints'>): Place[] {
  return checkpoints.map(({ name, turn, kind, createdAt }, index) => ({
    name,
    words: `${index === 0 ? 'Baseline' : wordsOf(name, turn, kind)}, ${clock(createdAt)}`,
  }));
}

function wordsOf(name: string, turn: number, kind: string): string {
  if (kind === 'turn') return `After turn ${turn}`;
  return `${kind === 'before_rewind' ? 'Before' : 'After'} rewind ${name.slice(1)}`;
}

/** Where a rewind to before a turn leads, as the service finds it; null = nothing was written yet. */
export function placeBefore(all: Pick<Checkpoints, 'checkpoints'>, turn: number): Place | null {
  const { checkpoints } = all;
  const own = checkpoints.findIndex((one) => one.kind === 'turn' && one.turn === turn - 1);
  const found =
    own === -1
      ? checkpoints.findLastIndex((one) => one.kind !== 'before_rewind' && one.turn <= turn - 1)
      : own;
  return placesOf(all)[found] ?? null;
}
