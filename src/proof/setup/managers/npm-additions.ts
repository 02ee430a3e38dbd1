import { isDeepStrictEqual } from 'node:util';
import { Json } from '../../scope/tree.ts';
import {
  type AddedPackage,
  type Additions,
  type Inputs,
  manifestIssue,
  type NamesTaken,
  wantsIssue,
} from '../additions.ts';
import { isIntegrity, isPackageName, registryOf, wantsOf } from './package-json.ts';

/** Npm moves these marks between entries whenever something is added. */
const MARKS = ['dev', 'devOptional', 'optional', 'peer'];
const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';

/**
 * The packages that came from a registry, if nothing else changed. An added package may hold any
 * code of a registry: it must not be found in place of something that was there.
 */
export function npmAdditions(before: Inputs, now: Inputs, names: NamesTaken): Additions {
  try {
    const manifests = manifestIssue(before.manifests, now.manifests, (text) =>
      wantsOf(parsed(text)),
    );
    if (manifests !== null) return { why: manifests };
    return lockAdditions(parsed(before.lock), parsed(now.lock), names);
  } catch (error) {
    if (error instanceof SyntaxError) return { why: `a file can't be read: ${error.message}` };
    throw error;
  }
}

const parsed = (text: string): Json => new Json(JSON.parse(text));

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
    const issue = wantsIssue(wantsOf(before), wantsOf(now));
    return issue === null ? null : `${at || 'the package'} ${issue} in the lock file`;
  }
  return isDeepStrictEqual(fieldsBut(before, MARKS), fieldsBut(now, MARKS))
    ? null
    : `${nameAt(at)} changed`;
}

const fieldsBut = (one: Json, left: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(one.entries.filter(([key]) => !left.includes(key)).map(plain));

const plain = ([name, value]: [string, Json]): [string, unknown] => [name, value.value];

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
  if (!isIntegrity(entry.at('integrity').text)) {
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

const nameAt = (at: string): string => at.slice(at.lastIndexOf('node_modules/') + 13);
