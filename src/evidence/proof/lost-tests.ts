import type { ShownChange } from '../../../schema/proof-change.ts';
import { lostTests } from '../../proof/test-report.ts';
import { type Change, contentOf, nameOf } from './changes.ts';
import type { Proving, Trial } from './search.ts';
import { specHash } from './spec-hash.ts';

/**
 * Tests that ran on the original and no longer do, and files that a checker no longer looks at,
 * unless a person accepted that.
 */
export async function lostIn(
  { gate, checks }: Proving,
  { proven }: Trial,
  taken: readonly Change[],
  accepted: Readonly<Record<string, string | null>>,
): Promise<ShownChange[]> {
  const baselines = await gate.ports.proofs.baselines(gate.input.goalId);
  const changed = new Set(taken.map(nameOf));
  const gone = new Set(taken.filter((change) => contentOf(change) === null).map(nameOf));
  return checks.flatMap(({ criterionId, spec }) => {
    const hash = specHash(spec);
    const before = baselines.find((one) => one.criterionId === criterionId && one.spec === hash);
    const now = proven.get(criterionId)?.report ?? null;
    // Without a word of the runner now, its exit code is all there is.
    if (before === undefined || now === null) return [];
    const criterionIds = [criterionId];
    const lost = lostTests(before.report, now, (file) => !changed.has(file));
    const shown =
      spec.kind === 'diagnostics'
        ? lost.filter(({ name }) => !gone.has(name)).map(unseenFile)
        : lost.map(lostTest);
    return shown
      .map((one) => ({ ...one, criterionIds, diff: '' }))
      .filter((one) => accepted[one.name] !== one.now);
  });
}

const unseenFile = ({ name }: { readonly name: string }) => ({
  ...{ name: `looked at:${name}`, kind: 'not_looked_at' as const },
  ...{ before: 'looked at', now: null },
});

const lostTest = ({ name, kind }: ReturnType<typeof lostTests>[number]) => ({
  ...{ name: `test:${name}`, kind },
  ...{ before: 'passed', now: kind === 'test_skipped' ? 'skipped' : null },
});
