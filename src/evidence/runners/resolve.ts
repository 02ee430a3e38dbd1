import { readFile } from 'node:fs/promises';
import { basename, join, normalize, relative } from 'node:path';
import type { CommandCriterion } from '../../../schema/criteria.ts';
import { recipesOfTargets } from '../../proof/scope/makefile.ts';
import type { Runner } from '../../proof/test-report.ts';
import { takeFingerprint } from '../../workspace/fingerprint.ts';
import { RUNS_NO_TESTS, runnerOf, unwrap } from './known-programs.ts';
import { managerCall, packageScripts, type ScriptCall } from './package-script.ts';
import { simpleCommands } from './simple-commands.ts';

/** The test runners behind a command line, as far as the project's own files tell. */
export interface ResolvedCommand {
  readonly runners: ReadonlySet<Runner>;
  /** False where a program or a script may start any runner. */
  readonly isUnderstood: boolean;
  /** Every command line on the way, for the options in it. */
  readonly texts: readonly string[];
}

class Resolution implements ResolvedCommand {
  readonly runners = new Set<Runner>();
  readonly texts: string[] = [];
  readonly seen = new Set<string>();
  isUnderstood = true;
}

interface Place {
  readonly workspace: string;
  /** Every package.json of the workspace, for scripts that run everywhere; listed if needed. */
  readonly packages: () => Promise<readonly string[]>;
  /** Relative to the workspace. */
  readonly folder: string;
}

/** Follows scripts, make targets and wrappers down to programs. */
export async function resolveCommand(
  workspace: string,
  { command, cwd = '.' }: Pick<CommandCriterion, 'command' | 'cwd'>,
): Promise<ResolvedCommand> {
  const resolution = new Resolution();
  const packages = async () =>
    [...(await takeFingerprint(workspace)).keys()].filter(
      (path) => basename(path) === 'package.json',
    );
  await followText(resolution, { workspace, packages, folder: normalize(cwd) }, command);
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
  for (const words of commands ?? []) {
    if (words[0] === 'cd') folder = inFolder(place, folder, words[1] ?? '.');
    else await followCommand(found, { ...place, folder }, words);
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
  const words = unwrap(line);
  const [program = ''] = words;
  const call = managerCall(words);
  if (call?.kind === 'program') {
    const inner = { ...place, folder: inFolder(place, place.folder, call.folder) };
    return await followCommand(found, inner, call.words);
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

/** What is known to run no tests is passed over; a script may start anything. */
async function classify(found: Resolution, place: Place, words: readonly string[]): Promise<void> {
  const [program = ''] = words;
  const runner = runnerOf(words) ?? (await runnerOfScript(place, words));
  if (runner !== null) found.runners.add(runner);
  else if (words.slice(1).some(isScript) || !RUNS_NO_TESTS.has(baseOf(program))) {
    found.isUnderstood = false;
  }
}

const baseOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

const isScript = (word: string): boolean =>
  /^[\w.@/-]+$/.test(word) && /\.(sh|bash|[cm]?[jt]s|py)$/.test(word);

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
    for (const name of names) await followText(found, { ...place, folder }, scripts[name] ?? '');
  }
  if (!isFound && call.isMaybeProgram) {
    const program = words.slice(words.indexOf(call.script));
    await followCommand(found, { ...place, folder: own }, program);
  }
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
    const options = new Set([folderAt + 1, fileAt + 1].filter((index) => index > 0));
    const targets = words.filter(
      (word, index) => index > 0 && !options.has(index) && !/^-|=/.test(word),
    );
    for (const recipe of recipesOfTargets(text, targets)) {
      await followText(found, { ...place, folder }, recipe);
    }
    return;
  }
}

const readText = (workspace: string, path: string): Promise<string | null> =>
  readFile(join(workspace, path), 'utf8').catch(() => null);
