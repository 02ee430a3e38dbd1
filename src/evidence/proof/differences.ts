import type { ProofGround } from '../../contract/original.ts';
import { compareDependencies } from '../../proof-place/dependencies.ts';
import type { Comparison } from '../../proof-place/original.ts';
import { type Change, contentOf, fileChanges, nameOf, packagesChange } from './changes.ts';
import { shadowsIn } from './shadows.ts';

/** What differs from the start, and the installed packages that don't. */
export async function differences(workspace: string, ground: ProofGround, trees: Comparison) {
  const { unchanged, changed } = await compareDependencies(
    workspace,
    ground.dependencies,
    trees.present,
  );
  const fresh = trees.changes.filter(({ before, now }) => before === null && now !== null);
  const shadows = await shadowsIn(
    fresh.map(({ path }) => path),
    { trees, packages: unchanged },
  );
  const files = await fileChanges(trees.place, trees.changes, shadows);
  return { packages: unchanged, changes: [...files, ...changed.map(packagesChange)] };
}

export const contentsOf = (changes: readonly Change[]): string =>
  JSON.stringify(changes.map((change) => [nameOf(change), contentOf(change)]));
