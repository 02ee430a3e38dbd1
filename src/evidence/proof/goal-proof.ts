import type { GoalProof } from '../../../schema/goal-proof.ts';
import type { Scope } from '../../../schema/scope.ts';
import type { CriterionEvidence } from '../../contract/evidence.ts';
import type { FeltChanges } from '../../proof/felt-changes.ts';
import { treeId } from '../../proof-place/tree-id.ts';
import type { CanaryFinding } from './canaries/finding.ts';
import { type Change, contentOf, nameOf, provenFiles } from './changes.ts';
import { type Proving, type Trial, treeWith } from './search.ts';
import { planSetups } from './setup-plans.ts';

interface Proven {
  readonly scope: Scope;
  readonly accepted: Readonly<Record<string, string | null>>;
  readonly taken: readonly Change[];
  readonly changes: readonly Change[];
  readonly trial: Trial;
  /** Sealed criteria, which say nothing of their tests. */
  readonly sealed: readonly CriterionEvidence[];
  readonly selfChecked: boolean;
  readonly felt: FeltChanges;
  readonly heard: ReadonlyMap<string, CanaryFinding>;
}

/** What a proof records of itself. */
export async function proofOf(
  proving: Proving,
  { scope, accepted, taken, changes, trial, sealed, selfChecked, felt, heard }: Proven,
): Promise<GoalProof> {
  const { gate, checks, trees, packages } = proving;
  const baselines = await gate.ports.proofs.baselines(gate.input.goalId);
  const names = new Set(taken.map(nameOf));
  const setups = await planSetups(treeWith(proving, taken));
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
    setups: setups.map(({ command, folder, added }) => ({
      ...{ command, folder },
      added: added.map(({ name, version }) => `${name}@${version}`),
    })),
    criteria: [
      ...checks.map(({ criterionId }) => {
        const { receipts = [], report = null } = trial.proven.get(criterionId) ?? {};
        const before = baselines.find((one) => one.criterionId === criterionId)?.report ?? null;
        const tests = { before: before?.ran ?? null, now: report?.ran ?? null };
        const finding = heard.get(criterionId);
        const canaries =
          finding === undefined
            ? {}
            : { canaries: { state: finding.state, reason: finding.reason } };
        const all = [...receipts, ...(finding?.receipts ?? [])];
        return { criterionId, receipts: all, tests, ...canaries };
      }),
      ...sealed.map(({ criterionId, receipts }) => ({
        ...{ criterionId, receipts: [...receipts], tests: { before: null, now: null } },
      })),
    ],
    felt: { felt: [...felt.felt], unfelt: [...felt.unfelt], untried: [...felt.untried] },
    selfChecked,
  };
}
