import type { Scope } from '../../../schema/scope.ts';
import { isCode, nameOf } from '../scope/code-files.ts';
import { judgesByName } from '../scope/judge-like.ts';
import { scopeTest } from '../scope/scope.ts';
import type { Judge } from './judge.ts';
import { namesFiles } from './own-files.ts';

/** npm finds it by this name, goes on without it, and tells of it: no work has named another one. */
const MANIFEST = 'package.json';

/** What a tree has at a path. */
interface Entry {
  readonly kind: string;
  readonly object: string;
}

/**
 * Data of the judge that is what it was, and of which no text says the whole name: what puts the
 * name together may ask the work for a part of it.
 */
export function unnamedData(
  { texts }: Judge,
  scope: Scope,
  entries: ReadonlyMap<string, Entry>,
  original: ReadonlyMap<string, Entry>,
): string[] {
  const isWork = scopeTest(scope);
  const isNamed = namesFiles(texts.map(({ path, text }) => ({ path: path ?? '', text })));
  return [...original].flatMap(([path, { kind, object }]) =>
    kind === 'file' &&
    !isCode(path) &&
    nameOf(path) !== MANIFEST &&
    judgesByName(path) &&
    !isWork(path) &&
    entries.get(path)?.object === object &&
    !isNamed(path)
      ? [path]
      : [],
  );
}

export const entriesWithout = <One>(
  entries: ReadonlyMap<string, One>,
  paths: readonly string[],
): Map<string, One> => new Map([...entries].filter(([path]) => !paths.includes(path)));
