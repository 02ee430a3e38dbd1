import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { Json, jsonIn } from '../proof/scope/tree.ts';
import type { AddedPackage, NamesTaken } from '../proof/setup/additions.ts';
import type { Look } from '../proof/setup/setup.ts';

interface Installation {
  /** The folder that the setup ran in. */
  readonly at: string;
  readonly home: string;
}

interface Additional {
  /** Without the added packages, and with them. */
  readonly was: Installation;
  readonly is: Installation;
  /** The folder of packages in either. */
  readonly installs?: string;
  readonly added: readonly AddedPackage[];
  readonly names: NamesTaken;
}

/**
 * What the added packages are found in place of, or what they run by being there.
 *
 * @returns null where they only stand beside what was there
 */
export async function lookAtAddition(look: Look, addition: Additional): Promise<string | null> {
  if (look === 'crates') return await crateIssue(addition);
  const { was, is, installs = '', names } = addition;
  const [old, young] = [join(was.at, installs), join(is.at, installs)];
  const rules = look === 'modules' ? moduleRules : environmentRules;
  const judge = await rules(old, names);
  return (await comparison(old, young, '', judge)) ?? null;
}

interface Judge {
  /** Why a new name may not come to lie in a folder that was there; null = it may. */
  readonly issueOf: (folder: string, name: string, young: string) => Promise<string | null>;
  /** A note of the manager, which nothing is loaded from. */
  readonly isNote: (path: string) => boolean;
}

async function comparison(
  old: string,
  young: string,
  inside: string,
  judge: Judge,
): Promise<string | null> {
  const [before, now] = [await namesIn(join(old, inside)), await namesIn(join(young, inside))];
  for (const name of new Set([...before, ...now])) {
    const path = inside === '' ? name : `${inside}/${name}`;
    if (judge.isNote(path)) continue;
    const issue = !now.has(name)
      ? `${path} is gone`
      : before.has(name)
        ? await differenceAt(old, young, path, judge)
        : await judge.issueOf(inside, name, young);
    if (issue !== null) return issue;
  }
  return null;
}

async function differenceAt(
  old: string,
  young: string,
  path: string,
  judge: Judge,
): Promise<string | null> {
  const [one, other] = [join(old, path), join(young, path)];
  const [before, now] = [await lstat(one), await lstat(other)];
  if (before.isDirectory() && now.isDirectory()) return await comparison(old, young, path, judge);
  if (before.isSymbolicLink() && now.isSymbolicLink()) {
    return (await readlink(one)) === (await readlink(other)) ? null : `${path} changed`;
  }
  const isSame =
    before.isFile() &&
    now.isFile() &&
    before.mode === now.mode &&
    before.size === now.size &&
    (await readFile(one)).equals(await readFile(other));
  return isSame ? null : `${path} changed`;
}

const namesIn = async (folder: string): Promise<Set<string>> =>
  new Set(await readdir(folder).catch(() => []));

const takenProgram = (name: string, { isProgram }: NamesTaken): string | null =>
  /^\w[\w.-]*$/.test(name) && !isProgram(name) ? null : `takes the name of the program ${name}`;

/** A new folder's names stand in it as if it had been there. */
async function issueInside(
  folder: string,
  young: string,
  issueOf: Judge['issueOf'],
): Promise<string | null> {
  for (const name of await namesIn(join(young, folder))) {
    const issue = await issueOf(folder, name, young);
    if (issue !== null) return issue;
  }
  return null;
}

/** Folders of `node_modules` whose names everything finds. */
const MODULES = /^(?:(?:\.pnpm\/node_modules\/)?@[^/]+|\.pnpm\/node_modules|)$/;

async function moduleRules(old: string, names: NamesTaken): Promise<Judge> {
  const wanted = await wantedIn(old);
  const issueOf: Judge['issueOf'] = async (folder, name, young) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (folder === '.bin') return takenProgram(name, names);
    if (folder === '.pnpm') return null;
    if (path === '.bin' || (name.startsWith('@') && MODULES.test(folder))) {
      return await issueInside(path, young, issueOf);
    }
    if (!MODULES.test(folder)) return `${path} takes a place in ${folder}`;
    const known = path.replace(/^\.pnpm\/node_modules\//, '');
    if (name.startsWith('.')) return `${path} is no package`;
    if (wanted.has(known)) return `${known} is looked for by a package that was there`;
    return names.isOwn(known.split('/')[0] ?? '') ? `${known} takes a name of the project` : null;
  };
  const isNote = (path: string) =>
    /^\.[\w-]+\.(?:ya?ml|json)$|^\.pnpm\/lock\.yaml$|^\.yarn-integrity$/.test(path);
  return { issueOf, isNote };
}

/** Names that packages look for without having had them, whatever folder they lie in. */
async function wantedIn(folder: string): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    if (name !== 'package.json') continue;
    const manifest = jsonIn(await readFile(join(parentPath, name), 'utf8'));
    for (const list of ['peerDependencies', 'optionalDependencies', 'peerDependenciesMeta']) {
      for (const [one] of manifest.at(list).entries) wanted.add(one);
    }
  }
  return wanted;
}

const SITE = /^lib(?:64)?\/python[\d.]+\/site-packages$/;

/** What Python runs as it starts, wherever it finds it. */
const RUN_AT_START = /\.pth$|^(?:site|user)customize\b/;

async function environmentRules(_: string, names: NamesTaken): Promise<Judge> {
  const issueOf: Judge['issueOf'] = async (folder, name, young) => {
    const path = `${folder}/${name}`;
    if (folder === 'bin') return takenProgram(name, names);
    if (!SITE.test(folder)) return `${path} takes a place in ${folder || 'the environment'}`;
    if (RUN_AT_START.test(name)) return `${name} runs as Python starts`;
    if (name.endsWith('.dist-info')) return await pluginIn(join(young, path));
    return names.isOwn(name.replace(/\..*$/, '')) ? `${name} takes a name of the project` : null;
  };
  // The project's own metadata name what it depends on.
  const isNote = (path: string) =>
    /(?:^|\/)__pycache__$|\.dist-info\/(?:METADATA|RECORD|direct_url\.json|uv_\w+\.json)$|^\.lock$/.test(
      path,
    );
  return { issueOf, isNote };
}

/** By its entry points a package is loaded by others, such as a test runner. */
async function pluginIn(info: string): Promise<string | null> {
  const text = await readFile(join(info, 'entry_points.txt'), 'utf8').catch(() => '');
  const groups = [...text.matchAll(/^\s*\[(.*?)\]/gm)].map(([, group = '']) => group.trim());
  const plugin = groups.find((group) => group !== 'console_scripts' && group !== 'gui_scripts');
  return plugin === undefined ? null : `it is loaded by others (${plugin})`;
}

/** A crate may bring code that runs while the project is built. */
async function crateIssue({ is, added }: Additional): Promise<string | null> {
  const sources = join(is.home, '.cargo/registry/src');
  const registries = [...(await namesIn(sources))];
  for (const { name, version } of added) {
    const found = await Promise.all(
      registries.map(async (registry) => {
        const folder = join(sources, registry, `${name}-${version}`);
        return { files: await namesIn(folder), folder };
      }),
    );
    const there = found.filter(({ files }) => files.has('Cargo.toml'));
    if (there.length === 0) return `${name} is not there`;
    for (const { files, folder } of there) {
      const text = await readFile(join(folder, 'Cargo.toml'), 'utf8');
      if (runsAtBuild(new Json(parse(text)), files)) return `${name} runs code at a build`;
    }
  }
  return null;
}

function runsAtBuild(manifest: Json, files: ReadonlySet<string>): boolean {
  const { value: build } = manifest.at('package', 'build');
  const isMacro = ['proc-macro', 'proc_macro'].some(
    (key) => manifest.at('lib', key).value === true,
  );
  return isMacro || (build === undefined ? files.has('build.rs') : build !== false);
}
