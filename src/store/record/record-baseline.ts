import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Baseline, Execution } from '../../contract/record.ts';
import { noProof } from '../../proof/scope/scope-notices.ts';
import { scopeBeside } from '../../proof/scope/scope-sentence.ts';
import type { Transaction } from '../client.ts';
import { appendEvents } from '../events.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealingDecided } from '../ledger/seal-decided.ts';
import type { LockedGoal } from '../locked-goal.ts';
import type { Row } from '../row.ts';
import { readBaseline } from './baseline.ts';
import { heldBy, lockGoal } from './goal-state.ts';

/** An existing baseline stays, because criteria were judged against it; new criteria are added. */
export async function recordBaseline(
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  fresh: Baseline,
  detected: readonly TrackedCriterion[] = [],
): Promise<void> {
  const { goalId } = execution;
  const goal = heldBy(await lockGoal(tx, goalId), execution);
  const stored = await readBaseline(tx, goalId);
  const seen = { ...fresh.seen, ...stored?.seen };
  const baseline: Baseline = {
    // Accepted changes are kept.
    ...stored,
    states: { ...fresh.states, ...stored?.states },
    reasons: { ...fresh.reasons, ...stored?.reasons },
    ...(Object.keys(seen).length === 0 ? {} : { seen }),
    ...(stored?.proof === undefined && fresh.proof !== undefined && { proof: fresh.proof }),
  };
  const criteria = await withDetected(tx, goal, detected);
  if (stored?.proof === undefined) await tellScope(tx, goalId, fresh.proof);
  await sealingDecided(
    tx,
    keys,
    goal,
    () => tx`
    UPDATE goal SET baseline = ${tx.json(storable(baseline))}, detects_criteria = false,
      criteria = ${tx.json(storable(criteria.map((criterion) => withState(criterion, baseline))))}
    WHERE goal_id = ${goalId}`,
  );
}

/** Says before the first write what counts as work, and what that means for the level. */
async function tellScope(tx: Transaction, goalId: string, proof: Baseline['proof']): Promise<void> {
  if (proof === undefined) return;
  const data =
    'reason' in proof
      ? { scope: '', notices: [noProof(proof.reason).text] }
      : {
          scope: scopeBeside(proof.scope, proof.notices)?.slice(0, 600) ?? '',
          notices: (proof.notices ?? []).map(({ text }) => text),
        };
  await appendEvents(tx, goalId, [{ type: 'scope.told', data }]);
}

/** Criteria that a person set meanwhile take precedence over detected ones. */
async function withDetected(
  tx: Transaction,
  { state, criteria }: LockedGoal,
  detected: readonly TrackedCriterion[],
): Promise<readonly TrackedCriterion[]> {
  const { goalId } = state;
  const [goal] = await tx<[Row<'goal', 'detects_criteria'>]>`
    SELECT detects_criteria FROM goal WHERE goal_id = ${goalId}`;
  if (!goal.detects_criteria) return criteria;
  const found = detected.map(({ criterionId, spec }) => ({ criterionId, spec }));
  await appendEvents(tx, goalId, [{ type: 'criteria.detected', data: { criteria: found } }]);
  return [...criteria, ...detected];
}

function withState(criterion: TrackedCriterion, { states, reasons }: Baseline): TrackedCriterion {
  const state = states[criterion.criterionId];
  if (state === undefined || criterion.baseline === state) return criterion;
  const reason = reasons[criterion.criterionId];
  return { ...criterion, baseline: state, ...(reason === undefined ? {} : { reason }) };
}
