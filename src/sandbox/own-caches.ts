import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cachePlaces } from './goal-folders.ts';
import { isWithin, type Mount } from './mounts.ts';

/**
 * Some toolchains are a person's cache of fetched packages as well (`~/.cargo`, `~/go`). Where a run
 * fills or has a cache of its own, all but the cache shows.
 *
 * @param home where the run's home shows
 * @param own what lies there
 */
export function besideOwnCaches(
  mounts: readonly Mount[],
  home: string,
  own: string,
  fills: boolean,
): Mount[] {
  const masked = new Set(mounts.filter(({ kind }) => kind === 'masked').map(({ at }) => at));
  return mounts.flatMap((mount) => {
    const caches = cachePlaces.filter((path) => isWithin(mount.at, join(home, path)));
    const isOwn = fills || caches.some((path) => existsSync(join(own, path)));
    if (mount.kind !== 'readable' || caches.length === 0 || !isOwn) return [mount];
    const kept = readdirSync(mount.at)
      // Under such names lie locks and notes on the cache.
      .filter((name) => !name.startsWith('.'))
      .map((name) => join(mount.at, name))
      .filter((at) => !masked.has(at) && !caches.some((path) => isWithin(at, join(home, path))));
    return kept.map((at): Mount => ({ kind: 'readable', at }));
  });
}
