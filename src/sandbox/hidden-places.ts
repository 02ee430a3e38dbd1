import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRoot } from './command-user.ts';
import { isWithin } from './mounts.ts';

/** All that is shown of the machine's folders, for reading: programs, their settings, devices. */
const SHOWN = /^(?:bin|sbin|lib[0-9a-z]*|usr|etc|opt|nix|gnu|sys)$/;
/** @param name of an entry of the root */
export const isShown = (name: string): boolean => SHOWN.test(name);

/** Made anew in each sandbox. */
const OF_THE_KERNEL = ['dev', 'proc'];
/** What programs of packages keep beside `/usr`. */
const KEPT_BY_PACKAGES = [
  '/var/lib/dpkg',
  '/var/lib/gems',
  '/var/lib/texmf',
  '/var/cache/fontconfig',
];

export interface HiddenPlaces {
  /** Shown as empty folders. */
  readonly folders: readonly string[];
  /** Shown all the same, although they lie in hidden ones. */
  readonly kept: readonly string[];
  /** Folders for temporary files; each goal sees a folder of its own there. */
  readonly temporary: readonly string[];
  /** The person's home; null where there is none that could be shown. */
  readonly home: string | null;
}

/** @param serviceHome the service's own folder */
export function hiddenPlaces(serviceHome: string): HiddenPlaces {
  const home = realFolder(homedir());
  const runtime = process.env.XDG_RUNTIME_DIR;
  const rest = readdirSync('/')
    .filter((name) => !isShown(name) && !OF_THE_KERNEL.includes(name))
    .map((name) => `/${name}`);
  const named = [...rest, serviceHome, ...(runtime ? [runtime] : []), ...(home ? [home] : [])];
  return {
    folders: realFolders(named),
    kept: realFolders(KEPT_BY_PACKAGES),
    temporary: realFolders(['/tmp', '/var/tmp', tmpdir()]),
    home,
  };
}

export interface Closed {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/**
 * Root's number still reads root's files: what is kept from others is kept from commands. Looked at
 * for each command, because keys are renewed while a worker runs; it takes some milliseconds.
 */
export function closedSettings(): Closed {
  const closed = { folders: [] as string[], files: [] as string[] };
  if (isRoot()) addClosed('/etc', closed);
  return closed;
}

const READ_BY_OTHERS = 0o004;
const PASSED_BY_OTHERS = 0o001;

function addClosed(folder: string, closed: { folders: string[]; files: string[] }): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() && !entry.isFile()) continue;
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) continue;
    if (entry.isFile()) {
      if ((mode & READ_BY_OTHERS) === 0) closed.files.push(path);
    } else if ((mode & PASSED_BY_OTHERS) === 0) closed.folders.push(path);
    else addClosed(path, closed);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export const isHidden = ({ folders, temporary }: HiddenPlaces, path: string): boolean =>
  [...folders, ...temporary].some((folder) => isWithin(folder, path));

const realFolders = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => realFolder(path) ?? [])),
];

export function realFolder(path: string): string | null {
  try {
    const real = realpathSync(path);
    return real !== '/' && statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
