import { realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isWithin } from './mounts.ts';

/** Folders of the machine that hold secrets, sockets and other people's work. */
const HIDDEN = [
  '/home',
  '/root',
  '/run',
  '/media',
  '/var/backups',
  '/var/log',
  '/var/mail',
  '/var/spool',
  ...['containerd', 'docker', 'kubelet', 'mysql', 'postgresql', 'private', 'redis', 'sss'].map(
    (name) => `/var/lib/${name}`,
  ),
];

/** Files that only root can read; file modes protect them from workers of other users. */
const ROOTS_SECRETS = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'],
  ...['dsa', 'ecdsa', 'ed25519', 'rsa'].map((kind) => `/etc/ssh/ssh_host_${kind}_key`),
];

export interface HiddenPlaces {
  /** Shown as empty folders. */
  readonly folders: readonly string[];
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
  const named = [...HIDDEN, serviceHome, ...(runtime ? [runtime] : []), ...(home ? [home] : [])];
  return {
    folders: realFolders(named),
    files: process.getuid?.() === 0 ? ROOTS_SECRETS.filter(isFile) : [],
    temporary: realFolders(['/tmp', '/var/tmp', tmpdir()]),
    home,
  };
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

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
