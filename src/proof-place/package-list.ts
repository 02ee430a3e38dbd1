import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredTree } from '../checkpoints/stored-tree.ts';
import { statsOf } from '../process/stats-of.ts';
import { readSmall } from '../sandbox/safe-read.ts';
import { installedFolders } from './dependencies.ts';
import { proofFolder } from './original.ts';

/** One installed package, as people name it. */
interface Installed {
  readonly version: string | null;
  readonly files: number;
  /** When the newest of its files was written, by a clock that no command sets back. */
  readonly writtenMs: number;
}

type Packages = Readonly<Record<string, Installed>>;

const MOST_LINES = 40;

const listFile = (home: string, goalId: string): string =>
  join(proofFolder(home, goalId), 'packages.json');

/** Notes what is installed at the start, by folder. */
export async function keepPackageList(
  home: string,
  goalId: string,
  workspace: string,
  tree: Pick<StoredTree, 'entries'>,
): Promise<void> {
  const found: Record<string, Packages> = {};
  for (const at of installedFolders(workspace, tree)) {
    found[at] = await packagesIn(join(workspace, at));
  }
  await writeFile(listFile(home, goalId), JSON.stringify(found));
}

/** Which packages of a folder differ from the start, one a line. */
export async function packageChanges(
  home: string,
  goalId: string,
  workspace: string,
  at: string,
): Promise<string> {
  const kept = await readFile(listFile(home, goalId), 'utf8').catch(() => '{}');
  const before = (JSON.parse(kept) as Record<string, Packages>)[at] ?? {};
  const now = await packagesIn(join(workspace, at));
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const lines = names.flatMap((name) => changeOf(name, before[name], now[name]) ?? []);
  const rest = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

function changeOf(name: string, before?: Installed, now?: Installed): string | null {
  if (now === undefined) return `${titled(name, before)}: gone`;
  if (before === undefined) return `${titled(name, now)}: new, ${filesOf(now.files)}`;
  const isSame = before.version === now.version;
  if (isSame && before.files === now.files && before.writtenMs === now.writtenMs) return null;
  const title = isSame ? titled(name, now) : `${titled(name, before)} → ${now.version}`;
  const count = before.files === now.files ? '' : ` instead of ${before.files}`;
  return `${title}: written since, ${filesOf(now.files)}${count}`;
}

const titled = (name: string, one?: Installed): string =>
  one?.version == null ? name : `${name} ${one.version}`;

const filesOf = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

async function packagesIn(folder: string): Promise<Packages> {
  const found: Record<string, Installed> = {};
  for (const path of packagePaths(folder)) {
    const version =
      /-([^-]+)\.(?:dist|egg)-info$/.exec(path)?.[1] ?? (await versionIn(join(folder, path)));
    found[path] = { version, ...sizeOf(join(folder, path)) };
    await nextTurn();
  }
  return found;
}

/** Folders of single packages; programs and stores are looked at as well. */
function packagePaths(folder: string): string[] {
  const libraries = namesIn(join(folder, 'lib'))
    .filter((name) => name.startsWith('python'))
    .map((name) => join('lib', name, 'site-packages'));
  const places = libraries.length > 0 ? [...libraries, 'bin'] : ['', '.bin', '.pnpm'];
  return places.flatMap((place) =>
    namesIn(join(folder, place))
      .filter((name) => place !== '' || !name.startsWith('.'))
      .flatMap((name) => {
        const path = join(place, name);
        const isScope = name.startsWith('@');
        return isScope ? namesIn(join(folder, path)).map((one) => join(path, one)) : [path];
      }),
  );
}

async function versionIn(folder: string): Promise<string | null> {
  try {
    const text = await readSmall(join(folder, 'package.json'));
    const { version } = JSON.parse(text ?? '{}') as { version?: unknown };
    return typeof version === 'string' ? version.slice(0, 60) : null;
  } catch {
    return null;
  }
}

function sizeOf(path: string): Pick<Installed, 'files' | 'writtenMs'> {
  let [files, writtenMs] = [0, 0];
  const open = [path];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const stats = statsOf(at);
    if (stats?.isDirectory()) {
      for (const name of namesIn(at)) if (name !== '__pycache__') open.push(join(at, name));
    } else if (stats !== undefined) {
      files += 1;
      writtenMs = Math.max(writtenMs, stats.ctimeMs);
    }
  }
  return { files, writtenMs };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
