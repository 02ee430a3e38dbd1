import { isSameFailure } from '../../../proof/canaries/own-words.ts';
import { drawn } from '../../../proof/canaries/pins.ts';
import { entriesWithout, unnamedData } from '../../../proof/canaries/unnamed-data.ts';
import type { ProofTree } from '../proof-tree.ts';
import { contentsOf, otherwise } from './data-of-judge.ts';
import type { Asking } from './runs.ts';

/** Each costs a run, or up to three. */
const MOST_FILES = 10;

/**
 * Why what the check is compared with may be the work's own: the original fails by a file of the
 * judge that no text of it names as a whole, and the check with the work holds whatever that file
 * says, and without it. The work has named another one, which has none or which it wrote.
 *
 * @returns null where each such file is needed with the work too
 */
export async function whyOwnData({
  tree,
  scope,
  judge,
  failed,
  runs,
}: Asking): Promise<string | null> {
  const { original, plainly } = runs;
  if (failed === null) return null;
  const unnamed = unnamedData(judge, scope, tree.entries, original.entries);
  const without = (on: ProofTree, paths: readonly string[], label: string) =>
    plainly(new Map(), label, { ...on, entries: entriesWithout(on.entries, paths) });
  const failsAsBefore = async (paths: readonly string[], label: string) => {
    const ran = await without(original, paths, label);
    return !ran.isMet && isSameFailure(ran.output, failed);
  };
  if (unnamed.length === 0 || (await failsAsBefore(unnamed, 'no-data'))) return null;
  const some = drawn(unnamed, MOST_FILES, judge.lot ?? (() => 0));
  const sources = await contentsOf(tree.store, original.entries, some);
  for (const [at, { path, text }] of sources.entries()) {
    if (!(await without(tree, [path], `no-data${at + 1}`)).isMet) continue;
    const other = new Map([[path, otherwise(path, text)]]);
    if (!(await plainly(other, `other-file${at + 1}`, tree)).isMet) continue;
    if (unnamed.length > 1 && (await failsAsBefore([path], `no-data${at + 1}-original`))) continue;
    // What says something else each time tells nothing.
    return (await failsAsBefore([], 'no-data-again')) ? `${OWN}: ${path}` : null;
  }
  return null;
}

const OWN =
  'the original fails by a file of its judge that the check no longer reads, as the work names what it is compared with';
