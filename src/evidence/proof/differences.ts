import type { ProofGround } from '../../contract/original.ts';
import { compareDependencies, type InstalledFolder } from '../../proof-place/dependencies.ts';
import type { Comparison } from '../../proof-place/original.ts';
import { type Change, contentOf, fileChanges, nameOf, packagesChange } from './changes.ts';
import { shadowsIn } from './shadows.ts';
import { takenWordsIn } from './taken-words.ts';

/**
 * What differs from the start, and the installed packages that don't.
 *
 * @param setUp packages beside those of the workspace, whose names a new file must not take
 * @param commands what criteria run, whose words the work must not take; null: nobody asks for words
 */
export async function differences(
  workspace: string,
  ground: ProofGround,
  trees: Comparison,
  setUp: readonly InstalledFolder[],
  commands: readonly string[] | null,
) {
  const { scope } = ground;
  const { unchanged, changed } = await compareDependencies(
    workspace,
    ground.dependencies,
    trees.present,
  );
  const fresh = trees.changes.filter(({ before, now }) => before === null && now !== null);
  const shadows = await shadowsIn(
    fresh.map(({ path }) => path),
    { trees, scope, packages: [...unchanged, ...setUp] },
  );
  const taken =
    commands === null ? [] : await takenWordsIn(trees.changes, { trees, scope }, commands);
  const files = await fileChanges(trees.place, trees.changes, [...shadows, ...taken]);
  return { packages: unchanged, changes: [...files, ...changed.map(packagesChange)] };
}

export const contentsOf = (changes: readonly Change[]): string =>
  JSON.stringify(changes.map((change) => [nameOf(change), contentOf(change)]));
