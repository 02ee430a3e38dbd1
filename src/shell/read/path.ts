import type { Folder } from './folder.ts';
import type { Redirect, Statement, Word } from './script.ts';

/** A certainty of a path: this command ran and ended so. */
export interface Fact {
  readonly words: readonly Word[];
  readonly assignments: ReadonlyMap<string, string>;
  readonly redirects: readonly Redirect[];
  readonly hasSucceeded: boolean;
  /** Folders in which it may have run: more than one where an earlier `cd` may have failed. */
  readonly folders: ReadonlySet<Folder>;
}

export interface Shell {
  readonly folder: Folder;
  readonly errexit: boolean;
  readonly pipefail: boolean;
  /** `set -n`: reads on and runs nothing. */
  readonly noexec: boolean;
  /** Shell variables whose value the text tells. */
  readonly variables: ReadonlyMap<string, string>;
  /** Exported by the script, so that every later command sees them. */
  readonly exported: ReadonlyMap<string, string>;
  /** Defined so far. */
  readonly functions: ReadonlyMap<string, Statement>;
}

/**
 * One way through a script, as far as it can be told apart from the others: commands may succeed
 * or fail, and what the script does next depends on it.
 */
export interface Path {
  readonly flow: 'next' | 'exit' | 'break' | 'continue' | 'return';
  readonly status: 'ok' | 'failed';
  readonly shell: Shell;
  readonly facts: ReadonlyMap<string, Fact>;
}

export function factKey({ words, assignments, redirects, hasSucceeded }: Fact): string {
  const read = redirects.filter(({ operator }) => operator.startsWith('<'));
  return JSON.stringify([
    hasSucceeded,
    [...assignments].sort(),
    words.map(({ text }) => text),
    read.map(({ operator, target }) => operator + target.text),
  ]);
}

export function withFact(path: Path, fact: Fact): Path {
  return { ...path, facts: new Map(path.facts).set(factKey(fact), fact) };
}

/** Paths that go on alike become one, which is certain only of what both are certain of. */
export function mergePaths(paths: readonly Path[]): Path[] {
  const merged = new Map<string, Path>();
  for (const path of paths) {
    const key = pathKey(path);
    const known = merged.get(key);
    merged.set(key, known === undefined ? path : { ...known, facts: common(known, path) });
  }
  return [...merged.values()];
}

function pathKey({ flow, status, shell }: Path): string {
  const { folder, errexit, pipefail, noexec, variables, exported, functions } = shell;
  return JSON.stringify([
    flow,
    status,
    folder,
    errexit,
    pipefail,
    noexec,
    [...variables].sort(),
    [...exported].sort(),
    [...functions],
  ]);
}

/** The certainties that all paths share. */
export function certainOf(paths: readonly Path[]): ReadonlyMap<string, Fact> {
  const [first, ...rest] = paths;
  if (first === undefined) return new Map();
  let facts = first.facts;
  for (const path of rest) facts = common({ facts }, path);
  return facts;
}

function common(left: Pick<Path, 'facts'>, right: Path): Map<string, Fact> {
  const facts = new Map<string, Fact>();
  for (const [key, fact] of left.facts) {
    const other = right.facts.get(key);
    if (other === undefined) continue;
    facts.set(key, { ...fact, folders: new Set([...fact.folders, ...other.folders]) });
  }
  return facts;
}
