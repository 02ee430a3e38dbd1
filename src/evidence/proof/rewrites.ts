import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ShownChange } from '../../../schema/proof-change.ts';
import type { Scope } from '../../../schema/scope.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import { renderDiff } from '../../proof/line-diff.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { touchedIn } from '../../proof-place/place.ts';
import { readRegularFile } from '../../workspace/regular-file.ts';
import type { ProofTree } from './place.ts';
import type { Proving, Trial } from './search.ts';

/** A file of the tree that a run changed, moved or removed while it ran. */
export interface Rewrite {
  readonly path: string;
  /** SHA-256 of its content after the run; null = it is gone. */
  readonly now: string | null;
  readonly diff: string;
}

const LONGEST_BYTES = 1024 * 1024;
const MOST_SHOWN = 50;

/** What the run that just ended did to the files that it was given. */
export async function rewritesIn(checkout: string, tree: ProofTree): Promise<Rewrite[]> {
  const touched = await touchedIn(checkout);
  const rewrites: Rewrite[] = [];
  for (const [index, path] of touched.entries()) {
    const content = await readRegularFile(join(checkout, path), LONGEST_BYTES).catch(() => null);
    const now = content === null ? null : createHash('sha256').update(content).digest('hex');
    const entry = tree.entries.get(path);
    const isShown = index < MOST_SHOWN && entry !== undefined;
    const [before = null] = isShown ? await readObjects(tree.store, [entry.object]) : [];
    const diff = isShown ? renderDiff(before, content) : '';
    rewrites.push({ path, now, diff: diff === '' && isShown ? PUT_BACK : diff });
  }
  return rewrites;
}

const PUT_BACK = '(it was changed, moved or replaced while the check ran, and put back)';

/**
 * Files of the judge that the work rewrote while it ran, where the original did not: what a check
 * compares with may be among them. Files in scope are the goal's to change.
 */
export function rewritesBy(
  { gate, checks }: Proving,
  { proven }: Trial,
  scope: Pick<Scope, 'change' | 'keep'>,
  accepted: Readonly<Record<string, string | null>>,
): ShownChange[] {
  const isIn = scopeTest(scope);
  const seen = gate.brief.baseline?.seen ?? {};
  return checks.flatMap(({ criterionId }) => {
    const before = new Set(seen[criterionId]?.rewrites ?? []);
    return (proven.get(criterionId)?.rewrites ?? [])
      .filter(({ path }) => !isIn(path) && !before.has(path))
      .map(({ path, now, diff }) => ({
        ...{ name: `rewritten:${path}`, kind: 'rewritten' as const, criterionIds: [criterionId] },
        ...{ before: 'as it was', now: now ?? 'gone', diff },
      }))
      .filter((one) => accepted[one.name] !== one.now);
  });
}
