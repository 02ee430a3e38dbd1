import { isDeepStrictEqual } from 'node:util';

/** A package that a goal added, as its lock file names it. */
export interface AddedPackage {
  readonly name: string;
  readonly version: string;
}

/** The files that decide what is installed, by path. */
export interface Inputs {
  readonly lock: string;
  /** All inputs that an addition changes but the lock file. */
  readonly manifests: ReadonlyMap<string, string>;
}

/** What an added package would be found in place of. */
export interface NamesTaken {
  /** A program on PATH. */
  readonly isProgram: (name: string) => boolean;
  /** A file or folder of the project. */
  readonly isOwn: (name: string) => boolean;
}

export type Additions =
  | { readonly added: readonly AddedPackage[] }
  /** What else changed, for people. */
  | { readonly why: string };

/** One dependency of a manifest, or of a lock file's entry of one. */
export interface Dependency {
  /** The list that it stands in. */
  readonly list: string;
  readonly name: string;
  /** As it is written. */
  readonly spec: unknown;
  /** A range of versions of a registry's package, and nothing else. */
  readonly isRange: boolean;
}

/** What depends on packages. */
export interface Wants {
  readonly dependencies: readonly Dependency[];
  /** Names that mean something already beside the dependencies. */
  readonly reserved?: readonly string[];
  /** All but the dependencies. */
  readonly rest: unknown;
}

/** A package of a lock file. */
export interface Locked extends AddedPackage {
  /** What stands there of it. */
  readonly entry: unknown;
  /** Registries and other places that it is fetched from; empty = those of the settings. */
  readonly sources: readonly string[];
  /** Why it is none that a goal may add; null = it may be. */
  readonly issue: string | null;
}

/** A lock file of a known version. */
export interface Lock {
  /** All that no addition changes. */
  readonly head: unknown;
  /** Entries of the project's own packages. */
  readonly own: ReadonlyMap<string, Wants>;
  /** By what tells one from all others. */
  readonly packages: ReadonlyMap<string, Locked>;
  /** What is looked up in it: earlier ones stay, others may come. */
  readonly kept?: ReadonlyMap<string, unknown>;
}

/** How a manager's files are read. */
export interface LockFormat {
  /** Null for a version that is not known. Throws what the parser throws. */
  readonly lockOf: (text: string) => Lock | null;
  readonly manifestOf: (text: string) => Wants;
  /** Registries that need no entry of the original. */
  readonly registries: readonly string[];
  readonly isName: RegExp;
  /** The name by which the project's own files could be found instead. */
  readonly foundAs: (name: string) => string;
  /** Why it may not stand beside these packages. */
  readonly clash?: (name: string, others: ReadonlySet<string>) => string | null;
}

/**
 * The packages that came from a registry, if nothing else changed. A package whose name is there in
 * another version is no addition: where the two come to lie, these lock files don't say.
 */
export function lockedAdditions(format: LockFormat) {
  return (before: Inputs, now: Inputs, names: NamesTaken): Additions => {
    try {
      const issue = manifestIssue(before.manifests, now.manifests, format.manifestOf);
      if (issue !== null) return { why: issue };
      const [old, young] = [format.lockOf(before.lock), format.lockOf(now.lock)];
      if (old === null || young === null) return { why: 'the lock file is of another kind' };
      return compared(old, young, format, names);
    } catch (error) {
      if (error instanceof Error) return { why: `a file can't be read: ${error.message}` };
      throw error;
    }
  };
}

export function manifestIssue(
  before: Inputs['manifests'],
  now: Inputs['manifests'],
  manifestOf: LockFormat['manifestOf'],
): string | null {
  if (!isDeepStrictEqual([...before.keys()].sort(), [...now.keys()].sort())) {
    return 'a package of the workspace came or went';
  }
  for (const [path, text] of now) {
    const issue = wantsIssue(manifestOf(before.get(path) ?? ''), manifestOf(text));
    if (issue !== null) return `${path} ${issue}`;
  }
  return null;
}

/** They differ by new dependencies alone. */
export function wantsIssue(before: Wants, now: Wants): string | null {
  const key = ({ list, name }: Dependency) => JSON.stringify([list, name]);
  const old = new Map(before.dependencies.map((one) => [key(one), one.spec]));
  const known = new Set([
    ...before.dependencies.map(({ name }) => name),
    ...(before.reserved ?? []),
  ]);
  for (const one of now.dependencies) {
    if (old.has(key(one))) continue;
    if (known.has(one.name)) return `moves ${one.name}`;
    if (!one.isRange) return `takes ${one.name} from ${textOf(one.spec)}`;
  }
  const kept = new Map(now.dependencies.map((one) => [key(one), one.spec]));
  const isSame =
    isDeepStrictEqual(before.rest, now.rest) &&
    kept.size === now.dependencies.length &&
    [...old].every(([one, spec]) => isDeepStrictEqual(kept.get(one), spec));
  return isSame ? null : 'has other changes than additions';
}

const textOf = (spec: unknown): string => (typeof spec === 'string' ? spec : JSON.stringify(spec));

function compared(old: Lock, young: Lock, format: LockFormat, names: NamesTaken): Additions {
  if (!isDeepStrictEqual(old.head, young.head)) return { why: 'the head of the lock file changed' };
  if (!isDeepStrictEqual([...old.own.keys()].sort(), [...young.own.keys()].sort())) {
    return { why: 'a package of the workspace came or went in the lock file' };
  }
  for (const [at, wants] of young.own) {
    const issue = wantsIssue(old.own.get(at) ?? wants, wants);
    if (issue !== null) return { why: `${at} ${issue} in the lock file` };
  }
  for (const [key, value] of old.kept ?? []) {
    if (!isDeepStrictEqual(young.kept?.get(key), value)) return { why: `${key} changed` };
  }
  for (const [key, { entry, name }] of old.packages) {
    const other = young.packages.get(key);
    if (other === undefined) return { why: `${key} is gone` };
    if (!isDeepStrictEqual(other.entry, entry)) return { why: `${name} changed` };
  }
  const fresh = [...young.packages].filter(([key]) => !old.packages.has(key));
  const others = new Set([...old.packages.values()].map(({ name }) => name));
  const known = [...old.packages.values()].flatMap(({ sources }) => sources);
  const sources = new Set([...format.registries, ...known]);
  for (const [, one] of fresh) {
    const issue = additionIssue(one, others, sources, format, names);
    if (issue !== null) return { why: `${one.name} ${issue}` };
  }
  return { added: fresh.map(([, { name, version }]) => ({ name, version })) };
}

function additionIssue(
  { name, issue, sources }: Locked,
  others: ReadonlySet<string>,
  known: ReadonlySet<string>,
  { isName, foundAs, clash }: LockFormat,
  { isOwn }: NamesTaken,
): string | null {
  if (!isName.test(name)) return 'has no name of a package';
  if (issue !== null) return issue;
  const foreign = sources.find((source) => !known.has(source));
  if (foreign !== undefined) return `comes from ${foreign}`;
  if (others.has(name)) return 'is there in another version';
  if (isOwn(foundAs(name))) return 'takes a name of the project';
  return clash?.(name, others) ?? null;
}
