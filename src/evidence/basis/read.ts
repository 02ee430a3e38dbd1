import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CheckerSetting } from '../../../schema/checker.ts';
import type { CommandCriterion } from '../../../schema/criteria.ts';
import { normalisePath } from '../../proof/evidence.ts';
import { isRunnerFile, isTestFile } from '../../shell/file-kinds.ts';
import { takeFingerprint } from '../../workspace/fingerprint.ts';
import { scrubEnvironment } from '../../workspace/helper/environment.ts';
import { gitEntries } from './git-entries.ts';
import { CONFIGURATION, TOOLS } from './known-programs.ts';
import { linksOutOf } from './links-out.ts';
import { type BasisReading, Reading, type Tree } from './reading.ts';
import { type ResolvedCommand, resolveCommand } from './resolve.ts';

const PACKAGE_MANAGERS = /(^|\/)(\.npmrc|\.pnpmfile\.cjs|pnpm-workspace\.yaml|\.yarnrc(\.yml)?)$/;
const VERSION_FILES = /(^|\/)\.(nvmrc|node-version|python-version|tool-versions)$/;
const BUILD_FILES = /(^|\/)(turbo|nx|project)\.json$/;
export async function listTree(
  workspace: string,
  checkers: readonly CheckerSetting[] = [],
): Promise<Tree> {
  const fingerprint = await takeFingerprint(workspace);
  const files = [...fingerprint.keys()].sort();
  const links = linksOutOf(workspace, files);
  return { workspace, files, environment: scrubEnvironment(process.env), links, checkers };
}

const packagesIn = (files: readonly string[]): string[] =>
  files.filter((path) => /(^|\/)package\.json$/.test(path));

/** Resolves a command of this workspace; the tree is listed only if needed. */
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
  // A script may run anything; one that was only added later is the goal's work.
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
  await reading.addPrograms(command.programs);
  return reading;
}

/** Ignored files are generated, so they aren't kept like a check. */
const isKept = (paths: readonly string[]) => {
  const kept = new Set(paths);
  return (path: string): boolean => kept.has(path);
};

const usesGit = ({ programs }: ResolvedCommand): boolean =>
  programs.some(({ name }) => name === 'git');
const usesGo = ({ programs }: ResolvedCommand): boolean =>
  programs.some(({ name }) => name === 'go');

/** Test files and configuration; entries of the baseline are included wherever they are now. */
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

/** Ignored configuration beside tests and commands, which runners read all the same. */
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

/** Packages on the path: a package above may configure the runner as well. */
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
  return basis.map(normalisePath).flatMap((path) => {
    const inside = files.filter((file) => path === '' || file.startsWith(`${path}/`));
    return inside.length > 0 ? inside : [path];
  });
}
