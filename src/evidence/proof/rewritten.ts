import type { ShownChange } from '../../../schema/proof-change.ts';
import type { Scope } from '../../../schema/scope.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import type { Proving, Trial } from './search.ts';

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
