import type { ShownChange } from '../../schema/proof-change.ts';
import { oneLine, printable } from './terminal.ts';

const said: Record<ShownChange['kind'], string> = {
  beyond_scope: 'changed',
  packages: 'installed packages changed',
  test_skipped: 'test is skipped now',
  test_gone: 'test no longer runs',
  not_looked_at: 'no longer looked at',
  rewritten: 'changed by the work while the check ran',
};

/** The changes that a proof needs, each with its diff. */
export function changeLines(changes: readonly ShownChange[]): string[] {
  if (changes.length === 0) return [];
  const title = 'beyond the scope, and the proof needs it:';
  return [title, ...changes.flatMap(linesOf)];
}

function linesOf({ name, kind, criterionIds, before, now, diff }: ShownChange): string[] {
  const what = kindOf(kind, before, now);
  const head = `  ${oneLine(name.replace(/^(?:test|looked at|rewritten):/, ''), 120)}  ${what} (${criterionIds.join(', ')})`;
  const lines = diff === '' ? [] : diff.split('\n').map((line) => `    ${printable(line)}`);
  return [head, ...lines];
}

function kindOf(kind: ShownChange['kind'], before: string | null, now: string | null): string {
  if (kind !== 'beyond_scope') return said[kind];
  if (before === null) return 'added';
  return now === null ? 'removed' : said[kind];
}
