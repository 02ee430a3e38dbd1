import type { ShownChange } from '../../../schema/proof-change.ts';
import { isCode } from '../../proof/scope/code-files.ts';
import { isDocument, isJudgeLike } from '../../proof/scope/judge-like.ts';
import { smallestSet } from '../../proof/smallest-set.ts';
import { isTestFile } from '../../shell/file-kinds.ts';
import { type Change, contentOf, nameOf, shownChanges } from './changes.ts';
import { holdsWith, type Proving } from './search.ts';

/** Runs that look for the fewest changes that break a check; then all of them are shown. */
const MOST_RUNS = 8;

/**
 * Changes beyond the scope with which the original's checks no longer hold: they are delivered as
 * well, whatever the tests beside them were made to say. Product is tried with the judge's files as
 * they were, and once more with settings and manifests as they are.
 */
export async function brokenByRest(
  proving: Proving,
  taken: readonly Change[],
  changes: readonly Change[],
  accepted: Readonly<Record<string, string | null>>,
): Promise<ShownChange[]> {
  const names = new Set(taken.map(nameOf));
  const rest = changes.filter(
    (change) =>
      change.kind === 'file' &&
      !(names.has(nameOf(change)) || isDocument(nameOf(change))) &&
      accepted[brokenName(change)] !== contentOf(change),
  );
  const product = rest.filter((change) => !isJudgeLike(nameOf(change)));
  const settings = rest.filter((change) => !isTest(nameOf(change)));
  const sets = settings.length > product.length ? [product, settings] : [product];
  let runs = 0;
  const isBroken = async (some: readonly Change[]): Promise<boolean> =>
    !(await holdsWith(proving, [...taken, ...some], `delivered${++runs}`));
  for (const some of sets) {
    if (some.length === 0 || !(await isBroken(some))) continue;
    const fewest = await smallestSet(some, isBroken, MOST_RUNS);
    const ids = proving.checks.map(({ criterionId }) => criterionId);
    const shown = await shownChanges(proving.trees.place, ids, fewest, async () => '');
    return shown.map((one) => ({ ...one, kind: 'breaks', name: `breaks:${one.name}` }));
  }
  return [];
}

const brokenName = (change: Change): string => `breaks:${nameOf(change)}`;

const isTest = (path: string): boolean => isTestFile(path) || (isCode(path) && isJudgeLike(path));
