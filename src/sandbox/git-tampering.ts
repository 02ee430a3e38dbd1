import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { includedBy, isHarmless, removeSetting, settingsIn } from './git-settings.ts';
import { isWithin } from './mounts.ts';
import {
  forbidExecution,
  lookAt,
  namesIn,
  openUp,
  putText,
  readHeld,
  takeAway,
} from './safe-read.ts';

/** Something in a repository that makes git run a program, or read and write elsewhere. */
export interface Tampering {
  /** For people; without values, which may be secret. */
  readonly what: string;
  /** The same for the same content at the same place. */
  readonly key: string;
  /** @throws if it can't be removed */
  take(): Promise<void>;
}

export interface CommandReach {
  /** Folders to which commands of the goal can write: the tree first. */
  readonly reach: readonly string[];
  /** Files and folders that they can't change, whatever lies around them. */
  readonly sealed: ReadonlySet<string>;
}

/** @throws if the repository can't be read */
export async function tamperingIn(
  places: readonly string[],
  look: CommandReach,
): Promise<Tampering[]> {
  const findings: Tampering[] = [];
  for (const place of places) {
    await openUp(place);
    findings.push(
      ...(await links(place)),
      ...(await hooks(place, look)),
      ...(await settings(place, look)),
      ...(await commonFolder(place)),
      ...(await foreignObjects(place)),
      ...(await oldRemotes(place)),
      ...(await plannedCommands(place)),
    );
  }
  return findings.map((finding) => ({ ...finding, what: shown(finding.what, look) }));
}

const keyOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex');

function shown(what: string, { reach: [tree = ''] }: CommandReach): string {
  return what.replaceAll(`${tree}/`, '').slice(0, 300);
}

/** Git reads and writes through links: a log, a reference, a commit message, what others committed. */
async function links(place: string): Promise<Tampering[]> {
  const folders = [place, join(place, 'info')];
  const findings: Tampering[] = [];
  for (const folder of [
    ...folders,
    ...['logs', 'refs', 'objects'].map((one) => join(place, one)),
  ]) {
    const isDeep = !folders.includes(folder);
    findings.push(...(await linksIn(folder, isDeep)));
  }
  return findings;
}

async function linksIn(folder: string, isDeep: boolean): Promise<Tampering[]> {
  const findings: Tampering[] = [];
  for (const entry of (await isRealFolder(folder)) ? await namesIn(folder) : []) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) findings.push(await linkFinding(path));
    else if (isDeep && entry.isDirectory()) findings.push(...(await linksIn(path, isDeep)));
  }
  return findings;
}

const isRealFolder = async (path: string): Promise<boolean> =>
  (await lookAt(path))?.isDirectory() === true;

async function linkFinding(path: string): Promise<Tampering> {
  const target = await readlink(path).catch(() => '');
  return {
    what: `${path}, a link`,
    key: keyOf('link', path, target),
    take: () => takeAway(path),
  };
}

/** Git runs only executable hooks. */
async function hooks(place: string, { sealed }: CommandReach): Promise<Tampering[]> {
  const folder = join(place, 'hooks');
  if (sealed.has(folder) || !(await isRealFolder(folder))) return [];
  await openUp(folder);
  const findings: Tampering[] = [];
  for (const { name } of await namesIn(folder)) {
    if (name.endsWith('.sample')) continue;
    const path = join(folder, name);
    const stats = await lookAt(path);
    if (stats === null || stats.isDirectory()) continue;
    if (stats.isSymbolicLink()) findings.push(await linkFinding(path));
    else if ((stats.mode & 0o111) !== 0) findings.push(await hookFinding(path, stats));
  }
  return findings;
}

async function hookFinding(path: string, { ino, ctimeMs }: Stats): Promise<Tampering> {
  const bytes = await readHeld(path, 'latin1');
  return {
    what: `${path}, which may not be executed any more`,
    key: keyOf('hook', path, bytes ?? `${ino} ${ctimeMs}`),
    take: () => (bytes === null ? takeAway(path) : forbidExecution(path)),
  };
}

async function settings(place: string, look: CommandReach): Promise<Tampering[]> {
  const findings: Tampering[] = [];
  const seen = new Set<string>();
  const files = [join(place, 'config.worktree'), join(place, 'config')];
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const read = await settingsOf(file, look);
    findings.push(...read.findings);
    files.push(...(await withinReach(read.included, look)));
  }
  return findings;
}

async function withinReach(files: readonly string[], { reach }: CommandReach): Promise<string[]> {
  const real = await Promise.all(files.map((file) => realpath(file).catch(() => resolve(file))));
  return real.filter((file) => reach.some((folder) => isWithin(folder, file)));
}

/** A file that commands can't write holds the person's settings; its includes may not. */
async function settingsOf(
  file: string,
  { reach, sealed }: CommandReach,
): Promise<{ findings: readonly Tampering[]; included: readonly string[] }> {
  const stats = await lookAt(file);
  if (stats === null) return { findings: [], included: [] };
  // Commands may be able to write to the link's target.
  if (stats.isSymbolicLink()) return { findings: [], included: [file] };
  const found = await settingsIn(file);
  if (sealed.has(file)) return { findings: [], included: includedBy(found ?? [], file) };
  if (found === null) return { findings: [unreadable(file, stats.ctimeMs)], included: [] };
  const isInside = (path: string) => reach.some((folder) => isWithin(folder, path));
  const harmful = found.filter((setting) => !isHarmless(setting, { file, isInside }));
  const findings = harmful.map(({ name, value }) => ({
    what: `${name} in ${file}`,
    key: keyOf('setting', file, name, value),
    take: () => removeSetting(file, name),
  }));
  return { findings, included: includedBy(found, file) };
}

const unreadable = (file: string, changed: number): Tampering => ({
  what: `${file}, which git can't read`,
  key: keyOf('unreadable', file, String(changed)),
  take: () => takeAway(file),
});

/** The file makes git read its settings elsewhere; in a worktree it names the main repository. */
async function commonFolder(place: string): Promise<Tampering[]> {
  const path = join(place, 'commondir');
  if ((await lookAt(path)) === null) return [];
  const text = await readHeld(path);
  const isWorktree = basename(dirname(place)) === 'worktrees';
  const above = dirname(dirname(place));
  if (isWorktree && text !== null && resolve(place, text.trim()) === above) return [];
  const take = async () => {
    await takeAway(path);
    if (isWorktree) await putText(path, '../..\n');
  };
  return [{ what: path, key: keyOf('commondir', path, text ?? ''), take }];
}

/** Git takes the objects of the repositories that are named there for its own. */
async function foreignObjects(place: string): Promise<Tampering[]> {
  const path = join(place, 'objects', 'info', 'alternates');
  if ((await lookAt(path)) === null) return [];
  const key = keyOf('alternates', path, (await readHeld(path)) ?? '');
  return [{ what: path, key, take: () => takeAway(path) }];
}

/** Remotes in git's oldest format; a push runs the hooks of their targets. */
async function oldRemotes(place: string): Promise<Tampering[]> {
  const findings: Tampering[] = [];
  for (const kind of ['remotes', 'branches']) {
    const folder = join(place, kind);
    for (const { name } of (await isRealFolder(folder)) ? await namesIn(folder) : []) {
      const path = join(folder, name);
      const text = (await readHeld(path)) ?? '';
      findings.push({ what: path, key: keyOf('remote', path, text), take: () => takeAway(path) });
    }
  }
  return findings;
}

const RUNS = /^[ \t]*(?:x|exec)[ \t].*$/gm;

/** Commands that `git rebase --continue` would run. */
async function plannedCommands(place: string): Promise<Tampering[]> {
  const path = join(place, 'rebase-merge', 'git-rebase-todo');
  const lines = ((await readHeld(path, 'latin1')) ?? '').match(RUNS) ?? [];
  if (lines.length === 0) return [];
  return [
    {
      what: `commands in ${relative(dirname(place), path)}`,
      key: keyOf('exec', path, ...lines),
      take: async () => {
        const text = await readHeld(path, 'latin1');
        if (text !== null) await putText(path, text.replace(RUNS, ''), 'latin1');
      },
    },
  ];
}
