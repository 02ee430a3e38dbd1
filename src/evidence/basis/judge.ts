import type { ShownChange } from '../../../schema/basis-change.ts';
import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { CriterionBaseline } from '../../contract/basis.ts';
import type { CriterionEvidence, Evidence } from '../../contract/evidence.ts';
import { checkersOf } from '../../diagnostics/configured.ts';
import { declinedChanges } from '../../goal/approvals/approvals.ts';
import {
  type BasisChange,
  type CriterionBasis,
  changesOfBasis,
  mergeChanges,
  nameChanges,
} from '../../proof/basis.ts';
import { renderDiff } from '../../proof/line-diff.ts';
import type { GateRun } from '../criterion-check.ts';
import { checkOnKeptTree } from './not-run.ts';
import { listTree } from './read.ts';
import { type BasedCriterion, isBased, readBasis } from './read-based.ts';
import type { BasisReading, Tree } from './reading.ts';
import { specHash } from './spec-hash.ts';

export type Judged = Pick<Evidence, 'criteria' | 'weakened' | 'declined'>;

interface Compared {
  readonly criterion: TrackedCriterion;
  readonly spec: BasedCriterion;
  readonly baseline: CriterionBaseline;
  readonly reading: BasisReading;
}

/**
 * Compares the basis of the criteria's checks with their baselines. If all else holds, it also
 * repeats checks that could not run then on the kept files.
 */
export async function judgeBasis(
  gate: GateRun,
  criteria: readonly CriterionEvidence[],
): Promise<Judged> {
  const baselines = await gate.ports.basis.baselines(gate.input.goalId);
  const compared = await compareAll(gate, baselines);
  const changes = await weakenedBy(gate, compared, criteria);
  if (compared.length > 0) {
    await gate.ports.basis.keepChanges(gate.attempt.fence, gate.input.turn, changes);
  }
  const isOtherwiseDone = changes.length === 0 && criteria.every(({ state }) => state === 'met');
  return {
    criteria: isOtherwiseDone ? await checkOnKeptTree(gate, criteria, baselines) : criteria,
    weakened: nameChanges(changes),
    ...(await declinedOf(gate, changes)),
  };
}

/** Changes that a person was shown and did not accept. */
async function declinedOf(
  { ports, input }: GateRun,
  changes: readonly ShownChange[],
): Promise<Pick<Evidence, 'declined'>> {
  if (changes.length === 0) return {};
  const present = Object.fromEntries(changes.map(({ name, now }) => [name, now]));
  const declined = declinedChanges(present, await ports.journal.decidedApprovals(input.goalId));
  return declined.length === 0 ? {} : { declined };
}

async function compareAll(
  { brief, ports }: GateRun,
  baselines: readonly CriterionBaseline[],
): Promise<Compared[]> {
  const compared: Compared[] = [];
  let tree: Tree | null = null;
  for (const criterion of brief.criteria) {
    const { spec, criterionId } = criterion;
    if (!isBased(spec) || (spec.kind === 'command' && spec.basis === 'open')) continue;
    const baseline = baselines.find(
      (one) => one.criterionId === criterionId && one.spec === specHash(spec),
    );
    if (baseline === undefined) continue;
    tree ??= await listTree(brief.workspace.path, checkersOf(ports, brief));
    const reading = await readBasis(tree, spec, Object.keys(baseline.entries));
    compared.push({ criterion, spec, baseline, reading });
  }
  return compared;
}

async function weakenedBy(
  gate: GateRun,
  compared: readonly Compared[],
  criteria: readonly CriterionEvidence[],
): Promise<ShownChange[]> {
  const earlier = await textsOf(gate, compared);
  // The text is masked like the earlier one, so that a secret in both is no change.
  const shown = (text: string | null) => text && (gate.ports.secrets?.mask.lines(text) ?? text);
  const present = new Map(
    compared.flatMap(({ reading }) =>
      [...reading.entries.values()].map(({ sha256, text }) => [sha256, shown(text)] as const),
    ),
  );
  const textOf = (sha256: string) => earlier.get(sha256) ?? present.get(sha256) ?? null;
  const changes = compared.flatMap(({ criterion: { criterionId }, spec, baseline, reading }) =>
    changesOfBasis({
      criterionId,
      before: baseline,
      now: asBasis(reading, gate.reports.get(criterionId) ?? null),
      // Runs of the model report no tests by name.
      isMet:
        !(spec.kind === 'command' && spec.check === 'receipt') &&
        criteria.some((one) => one.criterionId === criterionId && one.state === 'met'),
      textOf,
    }),
  );
  return mergeChanges(changes, gate.brief.baseline?.accepted).map((change) => ({
    ...change,
    criterionIds: [...change.criterionIds],
    diff: diffOf(change, textOf),
  }));
}

/** Texts that differ from the baseline's; others have no diff. */
async function textsOf(
  { ports, input }: GateRun,
  compared: readonly Compared[],
): Promise<Map<string, string>> {
  const hashes = compared.flatMap(({ baseline, reading }) =>
    Object.entries(baseline.entries)
      .filter(([name, sha256]) => reading.entries.get(name)?.sha256 !== sha256)
      .map(([, sha256]) => sha256),
  );
  return await ports.basis.texts(input.goalId, [...new Set(hashes)]);
}

function asBasis(
  { entries, installed }: BasisReading,
  report: CriterionBasis['report'],
): CriterionBasis {
  const hashes = [...entries].map(([name, { sha256 }]) => [name, sha256] as const);
  return { entries: Object.fromEntries(hashes), installed, report };
}

function diffOf(
  { kind, before, now }: BasisChange,
  textOf: (sha256: string) => string | null,
): string {
  if (kind === 'test_gone' || kind === 'test_skipped') return '';
  const [old, young] = [before, now].map((sha256) => (sha256 === null ? null : textOf(sha256)));
  const isHidden = (before !== null && old === null) || (now !== null && young === null);
  return isHidden ? '' : renderDiff(old ?? null, young ?? null);
}
