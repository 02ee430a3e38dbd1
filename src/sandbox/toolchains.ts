import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type HiddenPlaces, isHidden, realFolder } from './hidden-places.ts';
import { isWithin, type Mount } from './mounts.ts';

/** Folders below a home that are one toolchain each, programs and all that they load. */
const WHOLE = new Set([
  ...['.cargo', '.rustup', '.nvm', '.fnm', '.volta', '.nodenv', '.bun', '.deno', '.yarn'],
  ...['.pyenv', '.rbenv', '.goenv', '.jenv', '.asdf', '.sdkman', '.dotnet', '.opam', '.ghcup'],
  ...['.juliaup', '.elan', '.swiftly', 'go', 'miniconda3', 'anaconda3', 'miniforge3'],
]);

/** Variables that name such a folder. */
const NAMED_BY = [
  ...['CARGO_HOME', 'RUSTUP_HOME', 'NVM_DIR', 'PYENV_ROOT', 'GOPATH', 'GOROOT', 'GOMODCACHE'],
  ...['JAVA_HOME', 'VIRTUAL_ENV'],
];

/** Keys to package registries that toolchains keep among their programs. */
const CREDENTIALS = ['.cargo/credentials', '.cargo/credentials.toml'];

const MOST_LINKS = 300;

/**
 * The part of the hidden folders that builds need, readable only: programs on PATH and what they
 * load.
 */
export function toolchains(hidden: HiddenPlaces, serviceHome: string, env = process.env): Mount[] {
  const onPath = (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  const programs = [...onPath, dirname(process.execPath)].flatMap((folder) =>
    realFolder(folder) === null ? [] : rootsOf(hidden, realpathSync(folder)),
  );
  const named = NAMED_BY.flatMap((name) => (env[name] ? (realFolder(env[name]) ?? []) : []));
  const companions = programs.some((root) => basename(root) === '.cargo')
    ? programs.map((root) => join(dirname(root), '.rustup')).filter(existsSync)
    : [];
  const roots = new Set([...programs, ...named, ...companions]);
  const shown = [...roots].filter(
    (root) => isBelowHidden(hidden, root) && !isWithin(serviceHome, root),
  );
  return [...shown.map((at) => ({ kind: 'readable' as const, at })), ...masks(hidden, shown)];
}

/** A whole hidden folder is never a toolchain, whatever a variable says. */
function isBelowHidden(hidden: HiddenPlaces, path: string): boolean {
  const { folders, temporary } = hidden;
  const isRoot = [...folders, ...temporary].some((folder) => isWithin(path, folder));
  return !isRoot && isHidden(hidden, path);
}

function rootsOf(hidden: HiddenPlaces, folder: string): string[] {
  if (!isHidden(hidden, folder)) return [];
  const { home } = hidden;
  const inHome = home !== null && isWithin(home, folder);
  const [first = '', second = '', third = ''] = inHome ? relative(home, folder).split('/') : [];
  if (inHome && WHOLE.has(first)) return [join(home, first)];
  if (inHome && first === '.local' && second === 'share') return [join(home, first, second, third)];
  if (inHome && (first === 'bin' || first === '.local')) return [folder, ...linkedFrom(folder)];
  const isPlain = !/^s?bin$|^shims$/.test(basename(folder));
  const parent = dirname(folder);
  // Beside programs alone, somebody's other work may lie.
  const isInstallation = existsSync(join(parent, 'lib')) || basename(folder) === 'shims';
  return [isPlain || !isInstallation || !isBelowHidden(hidden, parent) ? folder : parent];
}

/** `~/.local/bin` is mostly links to what installers keep beside it. */
function linkedFrom(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .slice(0, MOST_LINKS)
    .flatMap(({ name }) => {
      const kept = /^(.*\/\.local\/(?:share|lib|opt)\/[^/]+)\//.exec(realOf(join(folder, name)));
      return kept?.[1] ?? [];
    });
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}

function masks({ home }: HiddenPlaces, shown: readonly string[]): Mount[] {
  if (home === null) return [];
  return CREDENTIALS.map((path) => join(home, path))
    .filter((path) => existsSync(path) && shown.some((root) => isWithin(root, path)))
    .map((at) => ({ kind: 'masked', at }));
}
