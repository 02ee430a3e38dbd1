import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { DiagnosticsCriterion } from '../../../schema/criteria.ts';
import type { Checker } from '../../diagnostics/checker.ts';
import { findCheckers } from '../../diagnostics/checkers.ts';
import { withNamedFiles } from '../../diagnostics/named-configuration.ts';
import { normalisePath } from '../../proof/evidence.ts';
import { canSilence, SILENCED, SOURCES, silencingIn } from '../../proof/suppressions.ts';
import { type BasisReading, Reading, type Tree } from './reading.ts';

/**
 * Reads the basis of the project's checkers, installed or not: they may be installed while the goal
 * works.
 */
export async function readDiagnosticsBasis(
  tree: Tree,
  spec: DiagnosticsCriterion,
  known: readonly string[] = [],
): Promise<BasisReading> {
  const checkers = await findCheckers(tree.workspace, [], tree.checkers);
  const files = await filesIn(tree, known);
  const reading = new Reading(tree);
  for (const [path, target] of tree.links) reading.add(`link:${path}`, target);
  const earlier = known.filter((name) => !/[:#]|^~/.test(name));
  await readConfiguration(reading, tree, [...configurationOf(checkers, files), ...earlier]);
  await readSections(reading, checkers, files);
  if (checkers.some(({ program }) => program === 'go')) await reading.addUserFiles();
  await reading.addPrograms(
    checkers.map(({ program }) => ({ name: program, folder: '.', isPackageScript: false })),
  );
  await readSilence(reading, tree, files.filter(isInScope(spec)).filter(canSilence));
  return reading;
}

/** Files of the basis: checkers also read ignored files beside files that are or were kept. */
async function filesIn({ workspace, files }: Tree, known: readonly string[]): Promise<string[]> {
  const found = new Set(files);
  const earlier = known.filter((name) => name.startsWith(SOURCES));
  const folders = [
    '.',
    ...files.map((path) => dirname(path)),
    ...earlier.map((name) => name.slice(SOURCES.length)),
  ];
  for (const folder of new Set(folders)) {
    const entries = await readdir(join(workspace, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isFile()) found.add(join(folder, entry.name));
  }
  return [...found].filter((path) => !LEFT_OUT.test(path)).sort();
}

/** Paths that every checker ignores: third-party code. */
const LEFT_OUT = /(^|\/)(node_modules|\.?venv|\.git|\.tox)\//;

const configurationOf = (checkers: readonly Checker[], files: readonly string[]): string[] =>
  files.filter((path) => checkers.some(({ configuration }) => configuration.test(path)));

async function readConfiguration(
  reading: Reading,
  { workspace }: Tree,
  paths: readonly string[],
): Promise<void> {
  for (const path of await withNamedFiles(workspace, paths)) {
    if (/(^|\/)go\.mod$/.test(path)) await readModule(reading, workspace, path);
    else await reading.addFile(path);
    // The file may be installed with the dependencies, as a program may.
    if (path.startsWith('node_modules/')) reading.installed.push(path, `mode:${path}`);
  }
}

/**
 * Reads a Go module without its dependencies, which may change; its name and exclusions may not.
 */
async function readModule(reading: Reading, workspace: string, path: string): Promise<void> {
  const text = await readFile(join(workspace, path), 'utf8').catch(() => null);
  if (text === null) return;
  const kept = text.match(/^(module|ignore)\s+(\([^)]*\)|\S+)/gm) ?? [];
  reading.add(path, kept.join('\n'));
}

/** ESLint reads these in every folder. */
const SECTIONS = ['eslintConfig', 'eslintIgnore'];

async function readSections(
  reading: Reading,
  checkers: readonly Checker[],
  files: readonly string[],
): Promise<void> {
  if (!checkers.some(({ name }) => name === 'eslint')) return;
  for (const path of files.filter((file) => /(^|\/)package\.json$/.test(file))) {
    await reading.addSections(path, SECTIONS);
  }
}

function isInScope({ paths = [] }: DiagnosticsCriterion): (path: string) => boolean {
  const wanted = paths.map((path) => normalisePath(normalize(path)));
  return (path) =>
    wanted.length === 0 ||
    wanted.some((part) => ['', '.', path].includes(part) || path.startsWith(`${part}/`));
}

async function readSilence(
  reading: Reading,
  { workspace }: Tree,
  files: readonly string[],
): Promise<void> {
  for (const path of files) {
    reading.add(`${SOURCES}${dirname(path)}`, '');
    const text = await readFile(join(workspace, path), 'utf8').catch(() => '');
    const lines = silencingIn(path, text);
    if (lines.length > 0) reading.add(`${SILENCED}${path}`, `${lines.join('\n')}\n`);
  }
}
