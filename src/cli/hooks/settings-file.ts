import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../workspace/refused-place.ts';
import { UsageError } from '../exit-code.ts';
import { type HookAgent, SettingsRefused } from './settings.ts';

export type Level = 'project' | 'user';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where an agent reads its hooks: of the repository around a folder, or of the person. */
export function settingsPath(
  agent: HookAgent,
  level: Level,
  { folder, environment }: { readonly folder: string; readonly environment: Environment },
): string {
  const file = agent === 'claude' ? 'settings.json' : 'hooks.json';
  if (level === 'project') return within(repositoryAround(folder), join(`.${agent}`, file));
  const named = agent === 'claude' ? environment.CLAUDE_CONFIG_DIR : environment.CODEX_HOME;
  return join(named || join(environment.HOME || homedir(), `.${agent}`), file);
}

/**
 * A repository that somebody else wrote is not to choose which of a person's files is changed.
 * @throws UsageError
 */
function within(repository: string, file: string): string {
  const path = join(repository, file);
  const there = [path, dirname(path)].find((one) => lstatSync(one, { throwIfNoEntry: false }));
  const real = realpathSync(repository);
  if (there === undefined || isInside(real, realPlace(there))) return path;
  throw refused(path, `it leads out of ${repository} by a link`);
}

/** Of a link that leads nowhere: nowhere inside. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '/';
  }
}

function repositoryAround(folder: string): string {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (existsSync(join(path, '.git'))) return path;
    if (dirname(path) === path) return resolve(folder);
  }
}

/** Null where there is no file. @throws UsageError where it is no JSON */
export function readSettings(path: string): unknown {
  const text = textOf(path);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused(path, `it is no valid JSON (${(error as Error).message})`);
  }
}

/**
 * Replaces the file by what `change` makes of it, keeping its indentation and mode; after a crash it
 * has its old or new content. A link stays a link.
 * @returns false where nothing changed
 */
export function changeSettings(
  path: string,
  change: (settings: unknown) => Readonly<Record<string, unknown>>,
): boolean {
  const text = textOf(path);
  const before = readSettings(path) ?? {};
  const after = changed(path, before, change);
  if (JSON.stringify(before) === JSON.stringify(after)) return false;
  if (Object.keys(after).length === 0) {
    rmSync(path);
    return true;
  }
  const indent = /^\{\r?\n([ \t]+)/.exec(text ?? '')?.[1] ?? '  ';
  replace(path, `${JSON.stringify(after, null, indent)}\n`);
  return true;
}

function changed(
  path: string,
  before: unknown,
  change: Parameters<typeof changeSettings>[1],
): Readonly<Record<string, unknown>> {
  try {
    return change(before);
  } catch (error) {
    if (error instanceof SettingsRefused) throw refused(path, error.message);
    throw error;
  }
}

function replace(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const real = existsSync(path) ? realpathSync(path) : path;
  const temporary = `${real}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  if (existsSync(real)) chmodSync(temporary, statSync(real).mode & 0o777);
  renameSync(temporary, real);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw refused(path, `it can't be read (${code})`);
  }
}

const refused = (path: string, why: string): UsageError =>
  new UsageError(`${path} stays as it is: ${why}.`, 'Put it right and try again.');
