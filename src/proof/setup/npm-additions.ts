import { isDeepStrictEqual } from 'node:util';
import { Json } from '../scope/tree.ts';

/** A package that a goal added, as its lock file names it. */
export interface AddedPackage {
  readonly name: string;
  readonly version: string;
}

/** The files that decide what npm installs, by path from the lock file's folder. */
export interface NpmInputs {
  readonly lock: string;
  /** `package.json` and those of workspaces. */
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

/** Npm moves these marks between entries whenever something is added. */
const MARKS = ['dev', 'devOptional', 'optional', 'peer'];
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies'];
const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';

/**
 * The packages that came from a registry, if nothing else changed. An added package may hold any
 * code of a registry: it must not be found in place of something that was there.
 *
 */
export function npmAdditions(before: NpmInputs, now: NpmInputs, names: NamesTaken): Additions {
  try {
    const manifests = manifestIssue(before.manifests, now.manifests);
    if (manifests !== null) return { why: manifests };
    return lockAdditions(parsed(before.lock), parsed(now.lock), names);
  } catch (error) {
    if (error instanceof SyntaxError) return { why: `a file can't be read: ${error.message}` };
    throw error;
  }
}

const parsed = (text: string): Json => new Json(JSON.parse(text));

function manifestIssue(before: NpmInputs['manifests'], now: NpmInputs['manifests']): string | null {
  if (!isDeepStrictEqual([...before.keys()].sort(), [...now.keys()].sort())) {
    return 'a package of the workspace came or went';
  }
  for (const [path, text] of now) {
    const issue = packageIssue(parsed(before.get(path) ?? '{}'), parsed(text));
    if (issue !== null) return `${path} ${issue}`;
  }
  return null;
}

/** A manifest, or a lock file's entry of one, differs by new dependencies alone. */
function packageIssue(before: Json, now: Json): string | null {
  const isKnown = (name: string) =>
    [...DEPENDENCIES, 'peerDependencies', 'overrides'].some(
      (field) => before.at(field, name).value !== undefined,
    );
  for (const field of DEPENDENCIES) {
    for (const [name, range] of now.at(field).entries) {
      if (before.at(field, name).value !== undefined) continue;
      if (isKnown(name)) return `moves ${name}`;
      if (!isRange(range.text)) return `takes ${name} from ${range.text ?? 'nowhere'}`;
    }
  }
  return isDeepStrictEqual(knownFields(before, before), knownFields(now, before))
    ? null
    : 'has other changes than additions';
}

/** The fields without dependencies that `before` lacks; fields of no dependencies don't count. */
function knownFields(one: Json, before: Json): Record<string, unknown> {
  const fields = one.entries.map(([field, value]): [string, unknown] => {
    if (!DEPENDENCIES.includes(field)) return [field, value.value];
    const known = value.entries.filter(([name]) => before.at(field, name).value !== undefined);
    return [field, known.map(plain).sort()];
  });
  return Object.fromEntries(fields.filter(([, value]) => !isDeepStrictEqual(value, [])));
}

const plain = ([name, value]: [string, Json]): [string, unknown] => [name, value.value];

/** Of a registry: a range of versions or a tag, no alias, folder, address or repository. */
const isRange = (text: string | undefined): boolean =>
  text !== undefined && /^[\w.\-+*^~<>=| ]*$/.test(text);

function lockAdditions(before: Json, now: Json, names: NamesTaken): Additions {
  const [old, young] = [before.at('packages'), now.at('packages')];
  if (![2, 3].includes(Number(now.at('lockfileVersion').value)) || old.entries.length === 0) {
    return { why: 'the lock file is of another kind' };
  }
  const [head, ownHead] = [before, now].map((lock) =>
    fieldsBut(lock, ['packages', 'dependencies']),
  );
  if (!isDeepStrictEqual(head, ownHead)) return { why: 'the head of the lock file changed' };
  for (const [at, entry] of old.entries) {
    const issue = changeIssue(at, entry, young.at(at));
    if (issue !== null) return { why: issue };
  }
  const added: AddedPackage[] = [];
  const ground = groundOf(old, names);
  for (const [at, entry] of young.entries) {
    if (old.at(at).value !== undefined) continue;
    const issue = additionIssue(at, entry, ground, { old, young });
    if (issue !== null) return { why: `${at || 'the package'} ${issue}` };
    added.push({ name: nameAt(at), version: entry.at('version').text ?? '' });
  }
  return { added };
}

function changeIssue(at: string, before: Json, now: Json): string | null {
  if (now.value === undefined) return `${at} is gone`;
  if (!at.split('/').includes('node_modules')) {
    const issue = packageIssue(before, now);
    return issue === null ? null : `${at || 'the package'} ${issue} in the lock file`;
  }
  return isDeepStrictEqual(fieldsBut(before, MARKS), fieldsBut(now, MARKS))
    ? null
    : `${nameAt(at)} changed`;
}

const fieldsBut = (one: Json, left: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(one.entries.filter(([key]) => !left.includes(key)).map(plain));

interface Ground extends NamesTaken {
  /** Names that packages look for without having had them. */
  readonly wanted: ReadonlySet<string>;
  /** Of packages that were there. */
  readonly programs: ReadonlySet<string>;
  /** Addresses of registries, each with a trailing slash. */
  readonly registries: ReadonlySet<string>;
}

function groundOf(old: Json, names: NamesTaken): Ground {
  const wanted = new Set<string>();
  const programs = new Set<string>();
  const registries = new Set([DEFAULT_REGISTRY]);
  for (const [at, entry] of old.entries) {
    for (const field of ['peerDependencies', 'optionalDependencies', 'peerDependenciesMeta']) {
      for (const [name] of entry.at(field).entries) wanted.add(name);
    }
    for (const name of programsOf(at, entry)) programs.add(name);
    const registry = registryOf(nameAt(at), entry.at('resolved').text);
    if (registry !== null) registries.add(registry);
  }
  return { ...names, wanted, programs, registries };
}

function programsOf(at: string, entry: Json): string[] {
  const bin = entry.at('bin');
  if (bin.text !== undefined) return [nameAt(at).replace(/^@[^/]+\//, '')];
  // A list has no names, which npm would read out of its paths.
  return bin.items.length > 0 ? [] : bin.entries.map(([name]) => name);
}

/** All that npm writes of a package that runs nothing when it is installed. */
const FIELDS = new Set([
  ...['version', 'resolved', 'integrity', 'license', 'engines', 'os', 'cpu', 'libc', 'funding'],
  ...['deprecated', 'bin', 'hasInstallScript', 'dependencies', 'optionalDependencies'],
  ...['peerDependencies', 'peerDependenciesMeta', ...MARKS],
]);

function additionIssue(
  at: string,
  entry: Json,
  ground: Ground,
  { old, young }: { readonly old: Json; readonly young: Json },
): string | null {
  const end = at.lastIndexOf('node_modules/');
  const name = nameAt(at);
  if (end < 0 || !isPackageName(name)) return 'is no installed package';
  const within = at.slice(0, end).replace(/\/$/, '');
  const isOfAddition = old.at(within).value === undefined && young.at(within).value !== undefined;
  if (within !== '' && !isOfAddition) return `takes a place in ${within}`;
  const unknown = entry.entries.find(([field]) => !FIELDS.has(field));
  if (unknown !== undefined) return `has ${unknown[0]}`;
  if (!/^sha(512|384|256)-[\w+/=]+$/.test(entry.at('integrity').text ?? '')) {
    return 'has no integrity';
  }
  const from = entry.at('resolved').text;
  if (from !== undefined && !ground.registries.has(registryOf(name, from) ?? '')) {
    return `comes from ${from}`;
  }
  return within === '' ? nameIssue(at, entry, ground) : null;
}

/** Only what lies at the top is found by all others. */
function nameIssue(
  at: string,
  entry: Json,
  { wanted, programs, isProgram, isOwn }: Ground,
): string | null {
  const name = nameAt(at);
  if (wanted.has(name)) return 'is looked for by a package that was there';
  if (isOwn(name.split('/')[0] ?? '')) return 'takes a name of the project';
  const bin = entry.at('bin');
  const own = programsOf(at, entry);
  if (bin.value !== undefined && own.length === 0) return 'has programs without a name';
  const taken = own.find((one) => !/^\w[\w.-]*$/.test(one) || programs.has(one) || isProgram(one));
  return taken === undefined ? null : `takes the name of the program ${taken}`;
}

const isPackageName = (name: string): boolean =>
  /^(?:@[\w.\-~]+\/)?[\w\-~][\w.\-~]*$/.test(name) && name !== 'node_modules';

const nameAt = (at: string): string => at.slice(at.lastIndexOf('node_modules/') + 13);

/** What stands before `NAME/-/FILE` in an address; null for one of no registry. */
function registryOf(name: string, address: string | undefined): string | null {
  const [registry, file] = address?.split(`/${name}/-/`) ?? [];
  if (registry === undefined || file === undefined || !/^https?:\/\/[^?#]+$/.test(registry)) {
    return null;
  }
  return /^[\w.\-+]+$/.test(file) ? `${registry}/` : null;
}
