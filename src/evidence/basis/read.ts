import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommandCriterion } from '../../../schema/criteria.ts';
import { isRunnerFile, isTestFile, packageSections, runnerTables } from '../../goal/basis.ts';
import { scrubEnvironment } from '../../tools/effects/environment.ts';
import { takeFingerprint } from '../../tools/fingerprint.ts';
import { findExecutable } from './executables.ts';
import { gitEntries } from './git-entries.ts';
import { CONFIGURATION, TOOLS } from './known-programs.ts';
import { linksOutOf } from './links-out.ts';
import { type ResolvedCommand, resolveCommand } from './resolve.ts';

/** What a criterion rests on now: entry → text; null = it is there and too large to be kept. */
export interface BasisReading {
  readonly entries: ReadonlyMap<string, { readonly sha256: string; readonly text: string | null }>;
  readonly installed: readonly string[];
}

/** The tree as it is at this moment, listed once for all criteria. */
export interface Tree {
  readonly workspace: string;
  readonly files: readonly string[];
  /** Of the machine that runs the checks. */
  readonly environment: Readonly<Record<string, string>>;
  /** Links out of the workspace, by path: what is delivered there is not in it. */
  readonly links: ReadonlyMap<string, string>;
}

const LARGEST_TEXT = 64 * 1024;
const PACKAGE_MANAGERS = /(^|\/)(\.npmrc|\.pnpmfile\.cjs|pnpm-workspace\.yaml|\.yarnrc(\.yml)?)$/;
const VERSION_FILES = /(^|\/)\.(nvmrc|node-version|python-version|tool-versions)$/;
const BUILD_FILES = /(^|\/)(turbo|nx|project)\.json$/;
/** The user's own configuration holds credentials: its text is never kept. */
const USER_FILES = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.config/pnpm/rc', '.config/go/env'];

export async function listTree(workspace: string): Promise<Tree> {
  const fingerprint = await takeFingerprint(workspace);
  const files = [...fingerprint.keys()].sort();
  const links = linksOutOf(workspace, files);
  return { workspace, files, environment: scrubEnvironment(process.env), links };
}

const packagesIn = (files: readonly string[]): string[] =>
  files.filter((path) => /(^|\/)package\.json$/.test(path));

/** What a command of this workspace runs; the tree is listed only where that needs it. */
export function resolveHere(workspace: string, spec: CommandCriterion): Promise<ResolvedCommand> {
  const list = async () => packagesIn([...(await takeFingerprint(workspace)).keys()]);
  return resolveCommand(workspace, list, spec);
}

/** @param known entries of the baseline, where there is one to compare with */
export async function readCriterionBasis(
  tree: Tree,
  spec: CommandCriterion,
  known?: readonly string[],
): Promise<BasisReading> {
  const packages = async () => packagesIn(tree.files);
  const resolved = await resolveCommand(tree.workspace, packages, spec);
  const named = [...resolved.named].filter(isKept(known ?? tree.files));
  // A script may run anything; one that only came later is what the goal made.
  const command = { ...resolved, isUnderstood: resolved.isUnderstood && named.length === 0 };
  const reading = new Reading(tree);
  for (const [name, text] of command.scripts) reading.add(name, text);
  for (const [path, target] of tree.links) reading.add(`link:${path}`, target);
  for (const path of await filesOf(tree, command, [...named, ...(known ?? [])]))
    await reading.addFile(path);
  for (const path of extraFiles(tree, spec)) await reading.addFile(path);
  for (const path of packagesOf(tree, command)) await reading.addSections(path);
  if (command.scripts.size > 0 || !command.isUnderstood || usesGo(command)) {
    await reading.addUserFiles();
  }
  if (usesGit(command)) {
    for (const [name, text] of await gitEntries(tree.workspace)) reading.add(name, text);
  }
  await reading.addPrograms(command);
  return reading;
}

/** What git ignores is made anew: it is not kept as a check would be. */
const isKept = (paths: readonly string[]) => {
  const kept = new Set(paths);
  return (path: string): boolean => kept.has(path);
};

class Reading implements BasisReading {
  readonly entries = new Map<string, { sha256: string; text: string | null }>();
  readonly installed: string[] = [];
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  add(name: string, content: string | Buffer, isShown = true): void {
    const text = content.length <= LARGEST_TEXT ? content.toString() : null;
    const sha256 = createHash('sha256').update(content).digest('hex');
    this.entries.set(name, { sha256, text: isShown ? text : null });
  }

  async addFile(path: string): Promise<void> {
    const content = await readFile(join(this.#tree.workspace, path)).catch(() => null);
    if (content === null) return;
    await this.#addMode(path, content);
    const hasTables = /(^|\/)(pyproject\.toml|setup\.cfg)$/.test(path);
    this.add(
      path,
      hasTables ? runnerTables(content.toString()) : content,
      !/rc$/.test(path) || !SECRET.test(content.toString()),
    );
  }

  /** Runners and loops may pass over a file that can't be executed, or over one that can. */
  async #addMode(path: string, content: Buffer): Promise<void> {
    const stats = await stat(join(this.#tree.workspace, path)).catch(() => null);
    if (stats === null || (stats.mode & 0o111) === 0) return;
    this.add(`mode:${path}`, 'executable\n');
    // A script that was not executable yet and is now can only be run more often.
    const isScript = /\.(sh|bash|zsh)$/.test(path) || content.subarray(0, 2).toString() === '#!';
    if (isScript) this.installed.push(`mode:${path}`);
  }

  async addSections(path: string): Promise<void> {
    const text = await readFile(join(this.#tree.workspace, path), 'utf8').catch(() => null);
    if (text === null) return;
    const folder = path.slice(0, -'package.json'.length);
    for (const [name, value] of Object.entries(packageSections(text))) {
      this.add(`${folder}${name}`, value);
    }
  }

  async addUserFiles(): Promise<void> {
    const home = this.#tree.environment.HOME;
    if (home === undefined) return;
    for (const path of USER_FILES) {
      const content = await readFile(join(home, path)).catch(() => null);
      if (content !== null) this.add(`~/${path}`, content, false);
    }
  }

  async addPrograms({ programs }: ResolvedCommand): Promise<void> {
    for (const program of programs) {
      const name = `executable:${program.name}`;
      const { workspace, environment } = this.#tree;
      const found = await findExecutable(workspace, program, environment);
      if (found === null || (program.name.includes('/') && isProductFile(program.name))) continue;
      this.add(name, found.text, found.text.length < 4096);
      if (found.isInstalled) this.installed.push(name);
    }
  }
}

const SECRET = /(_auth|_authToken|_password|npmAuth\w*)\s*[=:]/i;
const isProductFile = (name: string): boolean => !name.includes('node_modules/.bin/');
const usesGit = ({ programs }: ResolvedCommand): boolean =>
  programs.some(({ name }) => name === 'git');
const usesGo = ({ programs }: ResolvedCommand): boolean =>
  programs.some(({ name }) => name === 'go');

/** Test files and configuration; entries of the baseline are looked at wherever they are now. */
async function filesOf(
  tree: Tree,
  command: ResolvedCommand,
  known: readonly string[],
): Promise<string[]> {
  const isConfiguration = configurationOf(command);
  const isRelevant = (path: string) =>
    isConfiguration(path) || (restsOnTests(command) && isTestFile(path));
  const listed = [...tree.files, ...(await hiddenFiles(tree, command))];
  const earlier = known.filter((name) => !/[:#]|^~/.test(name));
  return [...new Set([...listed.filter(isRelevant), ...command.files, ...earlier])].sort();
}

const restsOnTests = ({ runners, isUnderstood }: ResolvedCommand): boolean =>
  runners.size > 0 || !isUnderstood;

function configurationOf(command: ResolvedCommand): (path: string) => boolean {
  const { runners, tools, scripts, isUnderstood } = command;
  if (!isUnderstood) return isRunnerFile;
  const kinds = [
    ...[...runners].map((runner) => CONFIGURATION[runner]),
    ...[...tools].flatMap((tool) => TOOLS[tool] ?? []),
    ...(scripts.size > 0 ? [PACKAGE_MANAGERS, BUILD_FILES] : []),
    ...(runners.size > 0 || scripts.size > 0 ? [VERSION_FILES] : []),
  ];
  return (path) => kinds.some((kind) => kind.test(path));
}

/** Configuration that git ignores is read by runners all the same: beside tests and commands. */
async function hiddenFiles(tree: Tree, { folders }: ResolvedCommand): Promise<string[]> {
  const places = new Set<string>(['.', ...withParents([...folders])]);
  for (const path of tree.files.filter(isTestFile)) {
    for (const folder of withParents([dirname(path)])) places.add(folder);
  }
  const found: string[] = [];
  for (const folder of places) {
    const names = await readdir(join(tree.workspace, folder)).catch(() => []);
    found.push(...names.filter(isRunnerFile).map((name) => join(folder, name)));
  }
  return found;
}

function withParents(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const parts = folder.split('/');
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
}

/** Every package on the way: the sections of a package above may configure the runner as well. */
function packagesOf(tree: Tree, { scripts, runners, folders, isUnderstood }: ResolvedCommand) {
  const packages = packagesIn(tree.files);
  if (!isUnderstood) return packages;
  if (scripts.size === 0 && runners.size === 0) return [];
  const near = new Set(withParents([...folders]));
  return packages.filter((path) => near.has(dirname(path)) || dirname(path) === '.');
}

/** Paths and folders that the criterion itself names. */
function extraFiles({ files }: Tree, { basis }: CommandCriterion): string[] {
  if (basis === undefined || basis === 'open') return [];
  return basis.flatMap((path) => {
    const folder = path.replace(/\/*$/, '/');
    const inside = files.filter((file) => file.startsWith(folder));
    return inside.length > 0 ? inside : [path];
  });
}
