import { dirname } from 'node:path';

/** How commands inside see a place of the file system. Paths are absolute and real. */
export type Mount =
  /** Empty, and nothing can be written there. */
  | { readonly kind: 'hidden'; readonly at: string }
  /** A file that reads as empty. */
  | { readonly kind: 'masked'; readonly at: string }
  | { readonly kind: 'readable' | 'writable'; readonly at: string; readonly from?: string };

export const writable = (at: string, from = at): Mount => ({ kind: 'writable', at, from });

/** The folders outside that commands write to. */
export const writtenBy = (mounts: readonly Mount[]): string[] =>
  mounts.flatMap((mount) => (mount.kind === 'writable' ? [mount.from ?? mount.at] : []));

/** If two mounts have one place, the later kind in this list wins. */
const RANK: readonly Mount['kind'][] = ['hidden', 'masked', 'readable', 'writable'];

/**
 * Outer places come before those inside of them, so that a workspace in a hidden folder shows and
 * a secret in a readable one doesn't. What is hidden in the empty root is a mere folder of it: every
 * mount makes all that follow slower.
 *
 * @param isOfMachine the root shows the machine's folder there
 */
export function mountArguments(
  mounts: readonly Mount[],
  isOfMachine: (path: string) => boolean,
): string[] {
  const byPlace = new Map<string, Mount>();
  for (const mount of mounts) {
    const other = byPlace.get(mount.at);
    if (other === undefined || RANK.indexOf(mount.kind) >= RANK.indexOf(other.kind)) {
      byPlace.set(mount.at, mount);
    }
  }
  const ordered = [...byPlace.values()].sort((a, b) => depth(a.at) - depth(b.at));
  const shown = ordered.filter(({ kind }) => kind === 'readable' || kind === 'writable');
  const isCovered = ({ kind, at }: Mount): boolean =>
    kind === 'hidden' && (isOfMachine(at) || shown.some((one) => isWithin(one.at, at)));
  const sealed = ordered.filter(isCovered);
  const made = new Set(['/', ...byPlace.keys()]);
  return [
    ...ordered.flatMap((one) => [
      ...wayTo(one.at, made),
      ...(one.kind === 'hidden' && !isCovered(one) ? ['--dir', one.at] : argumentsOf(one)),
    ]),
    ...sealed.flatMap(({ at }) => ['--remount-ro', at]),
  ];
}

/** bwrap makes folders on the way by itself, and closes them to all but the worker's own user. */
function wayTo(path: string, made: Set<string>): string[] {
  const missing: string[] = [];
  for (let at = dirname(path); !made.has(at); at = dirname(at)) {
    made.add(at);
    missing.unshift('--dir', at);
  }
  return missing;
}

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length);

function argumentsOf(mount: Mount): string[] {
  switch (mount.kind) {
    case 'hidden':
      return ['--tmpfs', mount.at];
    case 'masked':
      return ['--ro-bind', '/dev/null', mount.at];
    case 'readable':
      return ['--ro-bind', mount.from ?? mount.at, mount.at];
    case 'writable':
      return ['--bind', mount.from ?? mount.at, mount.at];
  }
}

/** Tells whether the path is the folder or inside it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
