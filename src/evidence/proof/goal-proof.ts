import type { GoalProof } from '../../../schema/goal-proof.ts';
import type { Scope } from '../../../schema/scope.ts';
import type { FeltChanges } from '../../proof/felt-changes.ts';
import { treeId } from '../../proof-place/tree-id.ts';
import { type Change, contentOf, nameOf, provenFiles } from './changes.ts';
import { type Proving, type Trial, treeWith } from './search.ts';

interface Proven {
  readonly scope: Scope;
  readonly accepted: Readonly<Record<string, string | null>>;
  readonly taken: readonly Change[];
  readonly changes: readonly Change[];
  readonly trial: Trial;
  readonly selfChecked: boolean;
  readonly felt: FeltChanges;
}

/** What a proof records of itself. */
export async function proofOf(
  proving: Proving,
  { scope, accepted, taken, changes, trial, selfChecked, felt }: Proven,
): Promise<GoalProof> {
  const { gate, checks, trees, packages } = proving;
  const baselines = await gate.ports.proofs.baselines(gate.input.goalId);
  const names = new Set(taken.map(nameOf));
  return {
    original: treeId(trees.original.entries),
    tree: treeId(treeWith(proving, taken).entries),
    scope,
    files: await provenFiles(trees.place, taken),
    accepted: taken.filter((change) => accepted[nameOf(change)] === contentOf(change)).map(nameOf),
    beyondScope: changes.map(nameOf).filter((name) => !names.has(name)),
    packages: [
      ...packages.map(({ lent }) => ({ at: lent.at, state: 'unchanged' as const })),
      ...taken.flatMap((change) =>
        change.kind === 'packages'
          ? [{ at: change.folder.lent.at, state: 'accepted' as const }]
          : [],
      ),
    ],
    criteria: checks.map(({ criterionId }) => {
      const { receipts = [], report = null, canaries } = trial.proven.get(criterionId) ?? {};
      const before = baselines.find((one) => one.criterionId === criterionId)?.report ?? null;
      const tests = { before: before?.ran ?? null, now: report?.ran ?? null };
      const { state, reason } = canaries ?? {};
      const seen =
        state === undefined || reason === undefined ? {} : { canaries: { state, reason } };
      return { criterionId, receipts: [...receipts], tests, ...seen };
    }),
    felt: { felt: [...felt.felt], unfelt: [...felt.unfelt], untried: [...felt.untried] },
    selfChecked,
  };
}
