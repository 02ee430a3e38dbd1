import type { ShownChange } from '../../schema/basis-change.ts';
import { oneLine, printable } from './terminal.ts';

const said: Record<ShownChange['kind'], string> = {
  script: 'script changed',
  configuration: 'configuration changed',
  executable: 'another executable is found',
  link: 'leads out of the workspace',
  mode: 'can be executed now',
  suppression: 'a checker is silenced',
  test_deleted: 'test file deleted',
  test_changed: 'test file changed',
  test_skipped: 'test is skipped now',
  test_gone: 'test no longer runs',
  beyond_scope: 'changed beyond the scope',
};

/** The changes of the checks' basis, each with its diff. */
export function changeLines(changes: readonly ShownChange[]): string[] {
  if (changes.length === 0) return [];
  const title = 'what the checks rest on changed since the baseline:';
  return [title, ...changes.flatMap(linesOf)];
}

function linesOf({ name, kind, criterionIds, before, now, diff }: ShownChange): string[] {
  const what = kindOf(kind, before, now);
  const head = `  ${oneLine(name.replace(/^(test|mode|suppressions):/, ''), 120)}  ${what} (${criterionIds.join(', ')})`;
  const lines = diff === '' ? [] : diff.split('\n').map((line) => `    ${printable(line)}`);
  return [head, ...lines];
}

function kindOf(kind: ShownChange['kind'], before: string | null, now: string | null): string {
  if (kind === 'configuration' || kind === 'script') {
    if (before === null) return said[kind].replace('changed', 'added');
    if (now === null) return said[kind].replace('changed', 'removed');
  }
  if (kind === 'mode' && now === null) return 'can no longer be executed';
  return said[kind];
}
