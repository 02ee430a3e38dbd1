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
  /** Shown as empty files. */
  readonly files: readonly string[];
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
    files: isRoot() ? unreadableIn('/etc') : [],
    temporary: realFolders(['/tmp', '/var/tmp', tmpdir()]),
    home,
  };
}

/** Root's number still reads root's files: what is kept from others is kept from commands. */
function unreadableIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return unreadableIn(path);
    return entry.isFile() && (lstatSync(path).mode & 0o004) === 0 ? [path] : [];
  });
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
