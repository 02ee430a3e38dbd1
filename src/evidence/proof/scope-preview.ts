import { bareOf } from '../../../schema/glob.ts';
import type { ProofGround } from '../../contract/original.ts';
import type { ScopePreview } from '../../contract/scope-proposal.ts';
import { filesGained, meansEverything } from '../../proof/scope/widen-scope.ts';
import { withComparison } from '../../proof-place/original.ts';
import { shownPath } from '../../workspace/shown-path.ts';
import { isDeliverable, nameOf, shownChanges } from './changes.ts';
import { differences } from './differences.ts';

const MOST_NAMED = 200;
const MOST_DIFFS = 100;

/**
 * What these globs would add to the work: real files of the workspace and of the original, with
 * what the goal changed in them so far.
 * @throws TooLarge, StoreFailed
 */
export async function previewScope(
  place: { readonly home: string; readonly goalId: string; readonly workspace: string },
  proof: ProofGround,
  globs: readonly string[],
): Promise<ScopePreview> {
  return await withComparison(place, proof.original, async (trees) => {
    const paths = [...trees.original.entries.keys(), ...trees.present.entries.keys()];
    const files = [...new Set(paths)].sort();
    const { gained, left, judges } = filesGained(proof.scope, globs, files);
    const isGained = new Set(gained);
    const { changes } = await differences(place.workspace, proof, trees, [], []);
    const changed = changes.filter((one) => isDeliverable(one) && isGained.has(nameOf(one)));
    const isChanged = new Set(changed.map(nameOf));
    // Whoever decides sees first what was changed already.
    const listed = [...isChanged, ...gained.filter((path) => !isChanged.has(path))];
    return {
      files: listed.slice(0, MOST_NAMED).map(shownPath),
      count: gained.length,
      judges,
      everything: meansEverything(globs),
      lifted: proof.scope.keep.filter((glob) => globs.includes(bareOf(glob))),
      left: left.slice(0, MOST_NAMED).map(shownPath),
      diffs: await shownChanges(trees.place, [], changed.slice(0, MOST_DIFFS), noPackages),
      changed: changed.length,
    };
  });
}

/** No scope can include packages. */
const noPackages = async (): Promise<string> => '';
