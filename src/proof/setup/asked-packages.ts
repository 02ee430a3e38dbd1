import type { AddedPackage, Additions, Inputs, NamesTaken } from './additions.ts';
import type { PackageManager } from './setup.ts';

/** What changed manifests and lock files ask for, beside what the original's do. */
export interface AskedPackages {
  /** None: the same as before. */
  readonly added: readonly AddedPackage[];
  /** Nothing else changed in these files. */
  readonly isPlain: boolean;
}

/**
 * An entry of a manifest that installs nothing, such as a script or a version, asks for no other
 * packages. Null where more than additions is asked for.
 */
export function askedPackages(
  { judge, deciding }: NonNullable<PackageManager['additions']>,
  before: Inputs,
  now: Inputs,
  lock: string,
  names: NamesTaken,
): AskedPackages | null {
  const whole = judge(before, now, names);
  if ('added' in whole) return { added: whole.added, isPlain: true };
  if (deciding === undefined) return null;
  // A package of the workspace that is new asks for its own packages alone.
  const reduced = (of: Inputs): Inputs => ({
    lock: deciding(lock, of.lock, before.lock),
    manifests: new Map(
      [...of.manifests].flatMap(([path, text]): [string, string][] => {
        const known = before.manifests.get(path);
        return known === undefined ? [] : [[path, deciding(path, text, known)]];
      }),
    ),
  });
  const found: Additions = judge(reduced(before), reduced(now), names);
  return 'added' in found ? { added: found.added, isPlain: false } : null;
}
