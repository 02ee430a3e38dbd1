import type { ShownChange } from '../../../schema/proof-change.ts';
import { lostTests } from '../../proof/test-report.ts';
import { type Change, nameOf } from './changes.ts';
import type { Proving, Trial } from './search.ts';
import { specHash } from './spec-hash.ts';

/** Tests that ran on the original and no longer do, unless a person accepted that. */
export async function lostIn(
  { gate, checks }: Proving,
  { proven }: Trial,
  taken: readonly Change[],
  accepted: Readonly<Record<string, string | null>>,
): Promise<ShownChange[]> {
  const baselines = await gate.ports.proofs.baselines(gate.input.goalId);
  const changed = new Set(taken.map(nameOf));
  return checks.flatMap(({ criterionId, spec }) => {
    const hash = specHash(spec);
    const before = baselines.find((one) => one.criterionId === criterionId && one.spec === hash);
    const now = proven.get(criterionId)?.report ?? null;
    // Without a word of the runner now, its exit code is all there is.
    if (before === undefined || now === null) return [];
    return lostTests(before.report, now, (file) => !changed.has(file))
      .map(({ name, kind }) => ({
        ...{ name: `test:${name}`, kind, criterionIds: [criterionId] },
        ...{ before: 'passed', now: kind === 'test_skipped' ? 'skipped' : null, diff: '' },
      }))
      .filter((lost) => accepted[lost.name] !== lost.now);
  });
}
