import { extensionOf, folderOf } from '../scope/code-files.ts';
import { linesNamedIn } from './pins.ts';

/*
 * A checker compares no value: it looks at files. Those of which it complained on the original it has
 * to look at still, and has to complain of them again where they are broken again.
 */

export interface Complaint {
  readonly path: string;
  /** From 1; absent where it named the file alone. */
  readonly line?: number;
}

/**
 * Of which of these files, and where, a failed check complained.
 *
 * @param isKnown whether a path is that of a file of the project
 */
export function complaintsIn(
  output: string,
  paths: readonly string[],
  isKnown: (path: string) => boolean,
): Complaint[] {
  return paths.flatMap((path): Complaint[] => {
    const [line] = linesNamedIn(output, path, isKnown);
    if (line !== undefined) return [{ path, line }];
    const at = output.indexOf(path);
    const around = at < 0 ? 'x' : output.charAt(at - 1) + output.charAt(at + path.length);
    return /[\w-]/.test(around) ? [] : [{ path }];
  });
}

/** The only new file of its kind in its folder, where it is the only one there that is gone. */
export function renamedTo(
  path: string,
  gone: readonly string[],
  came: readonly string[],
): string | null {
  const isAlike = (other: string) =>
    folderOf(other) === folderOf(path) && extensionOf(other) === extensionOf(path);
  const [now, ...more] = came.filter(isAlike);
  const isAlone = more.length === 0 && gone.filter(isAlike).length === 1;
  return isAlone ? (now ?? null) : null;
}

/** What stands in no language, and in Rust what it does not know. */
const broken = (path: string, word: string): string =>
  path.endsWith('.rs') ? `${word}!();` : `)]} ${word} ${word}`;

/** What fails: the first that is noticed will do. */
export function brokenAgain(
  { path, line }: Complaint,
  before: string,
  now: string,
  word: string,
): readonly string[] {
  const old = before.split('\n');
  const lines = now.split('\n');
  const at = placeOf(old, lines, line === undefined ? old.length : line - 1);
  const was = line === undefined ? [] : (old[line - 1] ?? []);
  const withLine = (text: string) => [...lines.slice(0, at), text, ...lines.slice(at)].join('\n');
  return [broken(path, word), was]
    .flat()
    .filter((one) => one !== '')
    .map(withLine);
}

/** Before the line itself, where it is left; otherwise behind the last one above it that is. */
function placeOf(old: readonly string[], now: readonly string[], at: number): number {
  for (let back = at; back >= 0; back--) {
    const line = old[back]?.trim() ?? '';
    if (line === '') continue;
    const found = now.flatMap((one, index) => (one.trim() === line ? [index] : []));
    const [nearest] = found.sort((one, other) => Math.abs(one - back) - Math.abs(other - back));
    if (nearest !== undefined) return back === at ? nearest : nearest + 1;
  }
  return 0;
}
