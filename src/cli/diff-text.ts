import type { ChangedFile, GoalDiff } from '../../schema/checkpoint.ts';
import { oneLine, type Paint, printable } from './terminal.ts';

/** Lines as they are, and their sum at the end; a file whose lines are not shown is named. */
export function diffLines(found: GoalDiff, paint: Paint, isStat = false): string[] {
  const { from, to, files, total, leftOut } = found;
  const sum = `${total.files} files from ${from} to ${to}: +${total.added} −${total.removed}`;
  const large = leftOut.map((path) => `  not compared, too large: ${oneLine(path)}`);
  const lines = files.flatMap((file) => {
    const head = `  ${file.status.padEnd(8)} ${oneLine(file.path)}  ${countsOf(file, paint)}`;
    if (isStat) return [head];
    const cut = file.isCut === true ? ['  … the rest is left out'] : [];
    return file.diff === undefined
      ? [head, ...cut]
      : [...patchLines(printable(file.diff.replace(/\n$/, '')).split('\n'), paint), ...cut];
  });
  return [...lines, ...large, sum];
}

const countsOf = ({ isBinary, added, removed }: ChangedFile, paint: Paint): string =>
  isBinary ? 'binary' : `${paint.added(`+${added}`)} ${paint.removed(`−${removed}`)}`;

/** Lines of one file's unified diff. Up to the first hunk they name the file. */
export function patchLines(lines: readonly string[], paint: Paint): string[] {
  let isHead = true;
  return lines.map((text) => {
    if (text.startsWith('@@')) isHead = false;
    if (isHead || text.startsWith('@@')) return paint.dim(text);
    if (text.startsWith('+')) return paint.added(text);
    return text.startsWith('-') ? paint.removed(text) : text;
  });
}
