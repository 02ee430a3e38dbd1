import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { StorePlace } from '../../checkpoints/store-git.ts';
import type { StoredTree } from '../../checkpoints/stored-tree.ts';
import { readEach } from '../../checkpoints/tree.ts';
import { mappedBy } from '../../proof/scope/ecosystems/javascript-imports.ts';
import { treeOf } from '../../proof/scope/tree.ts';
import { jvmShadows, moduleNamesOf, shadowingOf } from '../../proof/shadow-names.ts';
import type { InstalledFolder } from '../../proof-place/dependencies.ts';

export interface Trees {
  readonly place: StorePlace;
  readonly original: Pick<StoredTree, 'entries'>;
  readonly present: Pick<StoredTree, 'entries'>;
}

type Entries = StoredTree['entries'];

/**
 * Settings of the original by which the name of a package may lead to a file of the project: by
 * `paths` and `baseUrl` where they say, by any other of these words where nobody knows.
 *
 * @param isNamedAsJudge a file of the judge has this name as well
 */
export async function scriptShadows(
  { place, original }: Trees,
  packages: readonly InstalledFolder[],
  isNamedAsJudge: (path: string) => boolean,
): Promise<(path: string) => boolean> {
  const names = new Set([...builtinModules, ...packages.flatMap(packageNames)]);
  const texts = await textsOf(place, original.entries, (path) => SETTINGS.test(path));
  // `require('./sums')` finds sums.js before sums.json, and both before a folder.
  const isBefore = (path: string) =>
    BEHIND.some((end) => original.entries.has(`${moduleNamesOf(path)[0]}${end}`));
  const isAnywhere = [...texts.values()].some((text) => SEARCHES.test(text));
  if (isAnywhere) {
    const isInFolders = [...texts.values()].some((text) => FOLDERS.test(text));
    return (path) =>
      isBefore(path) ||
      (isInFolders && isNamedAsJudge(path)) ||
      moduleNamesOf(path).some((name) => names.has(name));
  }
  const tree = treeOf(
    { paths: [...texts.keys()], read: (path) => texts.get(path) ?? null, commands: [] },
    [],
  );
  const configs = [...texts.keys()].filter((path) => TYPESCRIPT.test(path));
  const mapped = new Set(
    configs.flatMap((config) => [...names].flatMap((name) => mappedBy(tree, config, name))),
  );
  return (path) => isBefore(path) || mapped.has(path) || mapped.has(moduleNamesOf(path)[0] ?? null);
}

const BEHIND = ['.json', '.node', '/index.js', '/index.json', '/index.ts'];

const TYPESCRIPT = /(?:^|\/)[jt]sconfig[^/]*\.json$/;
const SETTINGS = /(?:^|\/)(?:[jt]sconfig[^/]*\.json|package\.json|[^/]+\.config\.[cm]?[jt]s)$/;
/** With these, the order of folders decides whose file a name means. */
const FOLDERS = /\b(?:moduleDirectories|modulePaths|NODE_PATH)\b/;
const SEARCHES = /\b(?:moduleDirectories|modulePaths|moduleNameMapper|NODE_PATH|alias)\b/;

/** Also those of a scope, as `@scope/name`. */
const packageNames = ({ lent: { at, from } }: InstalledFolder): string[] =>
  at.split('/').at(-1) === 'node_modules'
    ? namesIn(from).flatMap((name) =>
        name.startsWith('@') ? namesIn(join(from, name)).map((one) => `${name}/${one}`) : [name],
      )
    : [];

/** None where it is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export async function jvmShadowsIn(
  { place, original, present }: Trees,
  fresh: readonly string[],
): Promise<(path: string) => boolean> {
  const isFresh = new Set(fresh);
  const files = async (entries: Entries, isMeant: (path: string) => boolean) =>
    [...(await textsOf(place, entries, isMeant))].map(([path, text]) => ({ path, text }));
  const shadows = new Set(
    jvmShadows(
      await files(present.entries, (path) => isFresh.has(path) && shadowingOf(path) === 'jvm'),
      await files(original.entries, (path) => shadowingOf(path) === 'jvm'),
    ),
  );
  return (path) => shadows.has(path);
}

async function textsOf(
  place: StorePlace,
  entries: Entries,
  isMeant: (path: string) => boolean,
): Promise<Map<string, string>> {
  const meant = [...entries].filter(([path, { kind }]) => kind === 'file' && isMeant(path));
  const texts = new Map<string, string>();
  for await (const [path, content] of readEach(place, meant)) texts.set(path, String(content));
  return texts;
}
