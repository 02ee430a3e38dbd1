import { changedName } from '../../schema/change-name.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import { oneLine, printable } from './terminal.ts';

const said: Record<ShownChange['kind'], string> = {
  beyond_scope: 'changed',
  packages: 'installed packages changed',
  test_skipped: 'test is skipped now',
  test_gone: 'test no longer runs',
  not_looked_at: 'no longer looked at',
  rewritten: 'changed by the work while the check ran',
  breaks: 'with it the checks of the original no longer hold',
};

/** The changes that a proof needs, each with its diff. */
export function changeLines(
  changes: readonly ShownChange[],
  title = 'beyond the scope, and the proof needs it:',
): string[] {
  if (changes.length === 0) return [];
  return [title, ...changes.flatMap(linesOf)];
}

function linesOf({ name, kind, criterionIds, before, now, diff }: ShownChange): string[] {
  const what = kindOf(kind, before, now);
  const of = criterionIds.length === 0 ? '' : ` (${criterionIds.join(', ')})`;
  const head = `  ${oneLine(changedName(name), 120)}  ${what}${of}`;
  const lines = diff === '' ? [] : diff.split('\n').map((line) => `    ${printable(line)}`);
  return [head, ...lines];
}

function kindOf(kind: ShownChange['kind'], before: string | null, now: string | null): string {
  if (kind !== 'beyond_scope') return said[kind];
  if (before === null) return 'added';
  return now === null ? 'removed' : said[kind];
}
