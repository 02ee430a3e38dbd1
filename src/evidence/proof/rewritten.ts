import type { ShownChange } from '../../../schema/proof-change.ts';
import type { Scope } from '../../../schema/scope.ts';
import { likeScratch } from '../../proof/scope/built-places.ts';
import { kindTest, scopeTest } from '../../proof/scope/scope.ts';
import type { Rewrite } from './rewrites.ts';
import type { Proving, Trial } from './search.ts';
import { shadowsIn } from './shadows.ts';

/**
 * Files of the judge that the work rewrote or made while it ran, where the original did not: what a
 * check compares with may be among them. Files in scope are the goal's to change.
 */
export async function rewritesBy(
  { gate, checks, trees, packages }: Proving,
  { proven }: Trial,
  scope: Pick<Scope, 'change' | 'keep'>,
  accepted: Readonly<Record<string, string | null>>,
): Promise<ShownChange[]> {
  const isIn = scopeTest(scope);
  const isKnownKind = kindTest(scope, trees.original.entries.keys());
  const seen = gate.brief.baseline?.seen ?? {};
  const rewrites = checks.flatMap(({ criterionId }) => {
    const { rewrites = [], made = [] } = seen[criterionId] ?? {};
    const before = new Set([...rewrites, ...made]);
    const scratch = new Set(made.flatMap(likeScratch));
    const isScratch = (path: string) => likeScratch(path).some((like) => scratch.has(like));
    const isKnown = ({ path, isMade, now }: Rewrite) =>
      before.has(path) || (isMade && now === null && isScratch(path));
    return (proven.get(criterionId)?.rewrites ?? [])
      .filter((one) => !isKnown(one))
      .map((one) => ({ ...one, criterionId }));
  });
  const isWork = ({ path, isMade }: (typeof rewrites)[number]) =>
    isIn(path) && (!isMade || isKnownKind(path));
  const made = rewrites.filter((one) => one.isMade && isWork(one)).map(({ path }) => path);
  const shadows = await shadowsIn(made, { trees, scope, packages });
  return rewrites
    .filter((one) => !isWork(one) || shadows.includes(one.path))
    .map(({ path, isMade, now, diff, criterionId }) => ({
      ...{ name: `rewritten:${path}`, kind: 'rewritten' as const, criterionIds: [criterionId] },
      ...{ before: isMade ? null : 'as it was', now: now ?? 'gone', diff },
    }))
    .filter((one) => accepted[one.name] !== one.now);
}
