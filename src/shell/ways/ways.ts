import { type Fact, type Path, withFact } from '../read/path.ts';
import type { Command, Word } from '../read/script.ts';
import type { Execution } from './execution.ts';
import { idleReason } from './idle.ts';

/** A command succeeds or fails, and either way is certain of it. */
export function waysOf(
  { redirects }: Command,
  words: readonly Word[],
  assignments: Fact['assignments'],
  path: Path,
  { harmless }: Execution,
): Path[] {
  const folders = new Set([path.shell.folder]);
  const fact = { words, assignments, redirects, folders, hasSucceeded: true };
  const success = withFact({ ...path, status: 'ok' }, fact);
  if (harmless !== null && isHarmless(fact, harmless)) return [success];
  return [success, withFact({ ...path, status: 'failed' }, { ...fact, hasSucceeded: false })];
}

function isHarmless(fact: Fact, filters: ReadonlySet<string>): boolean {
  return idleReason(fact) !== null || filters.has(fact.words.map(({ text }) => text).join('\0'));
}

/** Nothing is known of what it does. */
export function eitherWay(path: Path): Path[] {
  return [
    { ...path, status: 'ok' },
    { ...path, status: 'failed' },
  ];
}
