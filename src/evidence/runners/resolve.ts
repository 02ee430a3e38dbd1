import { readFile } from 'node:fs/promises';
import { basename, join, normalize, relative } from 'node:path';
import type { CommandCriterion } from '../../../schema/criteria.ts';
import type { Runner } from '../../proof/test-report.ts';
import { isTestFile } from '../../shell/file-kinds.ts';
import { takeFingerprint } from '../../workspace/fingerprint.ts';
import { BUILTINS, PLAIN_PROGRAMS, runnerOf, TOOLS, unwrap } from './known-programs.ts';
import { makeRecipes } from './makefile.ts';
import { checksBehind, isCheck, namedFile } from './named-files.ts';
import { managerCall, packageScripts, type ScriptCall } from './package-script.ts';
import { simpleCommands } from './simple-commands.ts';

export interface Program {
  readonly name: string;
  /** Relative to the workspace; where a package manager looks for `node_modules/.bin` first. */
  readonly folder: string;
  readonly isPackageScript: boolean;
}

/** The programs behind a command line, as far as the project's own files tell. */
export interface ResolvedCommand {
  /** `package.json#scripts.test` → its text, for every script on the way. */
  readonly scripts: ReadonlyMap<string, string>;
  readonly programs: readonly Program[];
  readonly runners: ReadonlySet<Runner>;
  /** Other tools with configuration. */
  readonly tools: ReadonlySet<string>;
  /** Folders, relative to the workspace, in which something runs. */
  readonly folders: ReadonlySet<string>;
  /** Files that define what runs: Makefiles and shell scripts. */
  readonly files: ReadonlySet<string>;
  /** Files of the project whose own exit code is the verdict, and the checks that they call. */
  readonly named: ReadonlySet<string>;
  /** False where a program is not known: it may read and run anything. */
  readonly isUnderstood: boolean;
  /** Every command line on the way, for the options in it. */
  readonly texts: readonly string[];
}

class Resolution implements ResolvedCommand {
  readonly scripts = new Map<string, string>();
  readonly programs: Program[] = [];
  readonly runners = new Set<Runner>();
  readonly tools = new Set<string>();
  readonly folders = new Set<string>();
  readonly files = new Set<string>();
  readonly named = new Set<string>();
  readonly texts: string[] = [];
  readonly seen = new Set<string>();
  /** Programs that scripts and make targets start: the check itself if no runner is found. */
  readonly reached = new Set<string>();
  isUnderstood = true;
}

interface Place {
  readonly workspace: string;
  /** Every package.json of the workspace, for scripts that run everywhere. */
  readonly packages: () => Promise<readonly string[]>;
  /** Relative to the workspace. */
  readonly folder: string;
  readonly isPackageScript: boolean;
  /** The criterion's own command line, not what its scripts hold. */
  readonly isOwnText: boolean;
  /** Another command judges this command's output. */
  readonly isRead?: boolean;
}

/** Resolves a command of this workspace, whose files are listed only if needed. */
export function resolveHere(
  workspace: string,
  spec: Pick<CommandCriterion, 'command' | 'cwd'>,
): Promise<ResolvedCommand> {
  const packages = async () =>
    [...(await takeFingerprint(workspace)).keys()].filter((path) => basename(path) === 'package.json');
  return resolveCommand(workspace, packages, spec);
}

/** Follows scripts, make targets and wrappers down to programs. */
export async function resolveCommand(
  workspace: string,
  packages: () => Promise<readonly string[]>,
  { command, cwd = '.' }: { readonly command: string; readonly cwd?: string | undefined },
): Promise<ResolvedCommand> {
  const resolution = new Resolution();
  const from = { workspace, packages, folder: normalize(cwd) };
  await followText(resolution, { ...from, isPackageScript: false, isOwnText: true }, command);
  if (resolution.runners.size === 0 && resolution.tools.size === 0) {
    for (const path of resolution.reached) resolution.named.add(path);
  }
  return resolution;
}

async function followText(found: Resolution, place: Place, text: string): Promise<void> {
  const key = `${place.folder}\0${text}`;
  if (found.seen.has(key)) return;
  found.seen.add(key);
  found.texts.push(text);
  let { folder } = place;
  const commands = await simpleCommands(text);
  if (commands === null) found.isUnderstood = false;
  for (const { words, isRead } of commands ?? []) {
    if (words[0] === 'cd') folder = inFolder(place, folder, words[1] ?? '.');
    else await followCommand(found, { ...place, folder, isRead }, words);
  }
}

function inFolder({ workspace }: Place, folder: string, target: string): string {
  return target.startsWith('/')
    ? relative(workspace, target) || '.'
    : normalize(join(folder, target));
}

async function followCommand(
  found: Resolution,
  place: Place,
  line: readonly string[],
): Promise<void> {
  const { wrappers, words } = unwrap(line);
  found.folders.add(place.folder);
  for (const name of [...wrappers, words[0] ?? '']) note(found, place, name);
  const [program = ''] = words;
  const call = managerCall(words);
  if (call?.kind === 'program') {
    const inner = { ...place, folder: inFolder(place, place.folder, call.folder) };
    return await followCommand(found, { ...inner, isPackageScript: true }, call.words);
  }
  if (call?.kind === 'scripts') {
    for (const one of call.calls) await followScript(found, place, one, words);
    return;
  }
  if (/^g?make$/.test(program)) return await followMake(found, place, words);
  if (/^(ba|da|z|k)?sh$/.test(program) && words[1] === '-c') {
    return await followText(found, place, words[2] ?? '');
  }
  await classify(found, place, words);
}

function note(found: Resolution, { folder, isPackageScript }: Place, name: string): void {
  if (name === '' || BUILTINS.has(name)) return;
  found.programs.push({ name, folder, isPackageScript });
}

async function classify(found: Resolution, place: Place, words: readonly string[]): Promise<void> {
  const [program = ''] = words;
  const runner = runnerOf(words) ?? (await runnerOfScript(place, words));
  if (runner !== null) {
    found.runners.add(runner);
    return;
  }
  const base = program.slice(program.lastIndexOf('/') + 1);
  const script = checkScriptIn(words);
  if (script !== undefined) found.files.add(normalize(join(place.folder, script)));
  if (place.isRead !== true) await nameFiles(found, place, words);
  if (TOOLS[base] !== undefined) found.tools.add(base);
  else if (script !== undefined && !isTestFile(script)) found.isUnderstood = false;
  else if (!BUILTINS.has(program) && !PLAIN_PROGRAMS.has(program) && !isProduct(program)) {
    found.isUnderstood = false;
  }
}

/**
 * A file that the criterion's own command starts is the check itself: its exit code is the verdict,
 * so it must not change. A file whose output another program reads is the subject.
 */
async function nameFiles(
  found: Resolution,
  { workspace, folder, isOwnText }: Place,
  words: readonly string[],
): Promise<void> {
  const path = await namedFile(workspace, folder, words);
  if (path === null) return;
  const into = isOwnText ? found.named : found.reached;
  for (const one of await checksBehind(workspace, folder, path)) into.add(one);
}

/** True for `./build/app`: a product of the goal, not a program that runs checks. */
const isProduct = (program: string): boolean =>
  program.includes('/') && !program.includes('node_modules');

/** The script of a check; other scripts may be the goal's subject. */
function checkScriptIn(words: readonly string[]): string | undefined {
  return words.find(
    (word) =>
      /^[\w.@/-]+$/.test(word) && /\.(sh|bash|js|mjs|cjs|ts|py)$/.test(word) && isCheck(word),
  );
}

/** `node test/sum.test.js`: the file itself says by which runner its tests run. */
async function runnerOfScript(place: Place, words: readonly string[]): Promise<Runner | null> {
  if (!/(^|\/)(node|tsx)$/.test(words[0] ?? '')) return null;
  for (const word of words.slice(1).filter((one) => /\.[cm]?[jt]s$/.test(one))) {
    const text = await readText(place.workspace, join(place.folder, word));
    if (text !== null && /['"]node:test['"]/.test(text)) return 'node:test';
  }
  return null;
}

async function followScript(
  found: Resolution,
  place: Place,
  call: ScriptCall,
  words: readonly string[],
): Promise<void> {
  const own = inFolder(place, place.folder, call.folder);
  const packages = call.isEverywhere
    ? await place.packages()
    : [await nearestPackage(place.workspace, own)];
  let isFound = false;
  for (const path of packages) {
    if (path === null) continue;
    const folder = normalize(join(path, '..'));
    const scripts = packageScripts((await readText(place.workspace, path)) ?? '');
    const names = Object.keys(scripts).filter((name) => isCalled(name, call.script));
    isFound ||= names.some((name) => matches(name, call.script));
    for (const name of names) {
      found.scripts.set(`${path}#scripts.${name}`, scripts[name] ?? '');
      const inside = { ...place, folder, isPackageScript: true, isOwnText: false };
      await followText(found, inside, scripts[name] ?? '');
    }
    if (names.length > 0) noteScriptShell(found, { ...place, folder, isPackageScript: true });
  }
  if (!isFound && call.isMaybeProgram) {
    const program = words.slice(words.indexOf(call.script));
    await followCommand(found, { ...place, folder: own, isPackageScript: true }, program);
  }
}

/** Package managers start scripts with a shell, and their programs with node, found by PATH. */
function noteScriptShell(found: Resolution, place: Place): void {
  for (const name of ['sh', 'node', 'env']) note(found, place, name);
}

/** The script itself and the hooks around it. */
const isCalled = (name: string, script: string): boolean =>
  matches(name, script) || matches(name.replace(/^(pre|post)/, ''), script);

function matches(name: string, script: string): boolean {
  if (!script.includes('*')) return name === script;
  const parts = script.split('*').map((part) => part.replace(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

async function nearestPackage(workspace: string, folder: string): Promise<string | null> {
  for (let at = folder; !at.startsWith('..'); at = normalize(join(at, '..'))) {
    const path = normalize(join(at, 'package.json'));
    if ((await readText(workspace, path)) !== null) return path;
    if (at === '.') break;
  }
  return null;
}

async function followMake(found: Resolution, place: Place, words: readonly string[]) {
  const folderAt = words.findIndex((word) => word === '-C' || word === '--directory');
  const fileAt = words.findIndex((word) => word === '-f' || word === '--file');
  const folder = inFolder(place, place.folder, folderAt < 0 ? '.' : (words[folderAt + 1] ?? '.'));
  const named = fileAt < 0 ? ['GNUmakefile', 'makefile', 'Makefile'] : [words[fileAt + 1] ?? ''];
  for (const name of named) {
    const path = normalize(join(folder, name));
    const text = await readText(place.workspace, path);
    if (text === null) continue;
    found.files.add(path);
    const options = new Set([folderAt + 1, fileAt + 1].filter((index) => index > 0));
    const targets = words.filter(
      (word, index) => index > 0 && !options.has(index) && !/^-|=/.test(word),
    );
    for (const recipe of makeRecipes(text, targets)) {
      await followText(found, { ...place, folder, isOwnText: false }, recipe);
    }
    return;
  }
  found.files.add(normalize(join(folder, 'Makefile')));
}

const readText = (workspace: string, path: string): Promise<string | null> =>
  readFile(join(workspace, path), 'utf8').catch(() => null);
