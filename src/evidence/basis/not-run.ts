import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { CriterionBaseline } from '../../contract/basis.ts';
import type { CriterionEvidence } from '../../contract/evidence.ts';
import type { GateRun } from '../criterion-check.ts';
import { runCheck } from '../run-check.ts';
import { withKeptTree } from './kept-tree.ts';
import { specHash } from './spec-hash.ts';

/**
 * Settles baselines that failed before they checked anything: the host runs the command on the kept
 * files in the present environment. A command that passes there only lacked its dependencies, and
 * is a guard.
 */
export async function checkOnKeptTree(
  gate: GateRun,
  criteria: readonly CriterionEvidence[],
  baselines: readonly CriterionBaseline[],
): Promise<CriterionEvidence[]> {
  const settled: CriterionEvidence[] = [];
  for (const evidence of criteria) {
    const criterion = gate.brief.criteria.find((one) => one.criterionId === evidence.criterionId);
    const isOpen = evidence.baseline === 'not_run' && criterion !== undefined;
    const found = isOpen ? await lookBack(gate, criterion, baselines) : null;
    settled.push(found === null ? evidence : { ...evidence, ...found });
  }
  return settled;
}

type BaselineOutcome = Pick<CriterionEvidence, 'baseline' | 'reason'>;

async function lookBack(
  gate: GateRun,
  { criterionId, spec }: TrackedCriterion,
  baselines: readonly CriterionBaseline[],
): Promise<BaselineOutcome | null> {
  // A fresh checkout begins with its setup, without which the command would fail anyway.
  if (spec.kind !== 'command' || spec.check === 'clean') return null;
  const tree = baselines.find(
    (one) => one.criterionId === criterionId && one.spec === specHash(spec),
  )?.tree;
  if (tree === undefined || tree === null) return null;
  const { ports, attempt, input, brief, round, signal } = gate;
  const callId = `lookback.t${input.turn}.${attempt.fence.token}.${round}.${criterionId}`;
  const check = { criterionId, spec, origin: 'baseline' as const, callId, turn: input.turn };
  const run = await withKeptTree(ports.home, tree, brief.workspace.path, (path) =>
    runCheck(ports, attempt, path, check, signal),
  );
  signal.throwIfAborted();
  if (run === null) return null;
  return run.isMet
    ? { baseline: 'met', reason: 'it passes on the files as they were, too: a guard' }
    : { baseline: 'unmet', reason: `${run.exitCode ?? 'no'} exit on the files as they were` };
}
