import type { Mode } from '../../../schema/goal.ts';
import { RecordAltered } from '../../contract/failures.ts';
import type { CriterionBaseline, ProofPort } from '../../contract/proofs.ts';
import { withTypedErrors } from '../client.ts';
import { lockFenced } from '../fence.ts';
import { isBaselineIntact, readBaselines, storeBaseline } from '../ledger/baseline-seal.ts';
import { storeFinding } from '../ledger/finding-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overTeller } from '../ledger/over-goals.ts';
import { refusedTeller } from '../ledger/tell-refused.ts';
import { jsonOf, type Store } from '../store.ts';

/** @param keys seal what criteria told before the work, and what gates find */
export function createProofStore({ sql: db, prisma }: Store, keys: LedgerKeys): ProofPort {
  const tell = refusedTeller(db, keys);
  const over = overTeller(db, keys);
  return withTypedErrors<ProofPort>({
    async keepBaselines(fence, baselines) {
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        for (const baseline of baselines) await storeBaseline(tx, keys, fence.goalId, baseline);
      });
    },

    async baselines(goalId) {
      const rows = await readBaselines(db, goalId);
      const altered = rows.find((row) => !isBaselineIntact(keys, row));
      if (altered === undefined) return rows.map(({ body }) => jsonOf<CriterionBaseline>(body));
      const criterionId = altered.criterion_id;
      await tell(goalId, { altered: ['baseline'], criterionId });
      const goal = await prisma.goal.findUnique({ where: { goalId }, select: { mode: true } });
      const why = `What ${criterionId} of ${goalId} told before the work is not what was sealed: somebody changed the database. Restore a backup, or clear the goal and start it again.`;
      throw new RecordAltered(why, jsonOf<Mode>(goal?.mode ?? 'agent'));
    },

    async keepFinding(fence, turn, { changes, proof, base = null }) {
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        await storeFinding(tx, keys, { goal_id: fence.goalId, turn }, { changes, proof, base });
      });
    },

    async finishedGoals(goalIds) {
      if (goalIds.length === 0) return [];
      const rows = await prisma.goal.findMany({
        where: { goalId: { in: [...goalIds] } },
        select: { goalId: true },
      });
      const known = new Set(rows.map((row) => row.goalId));
      const finished = new Set((await over(db, goalIds)).map(({ goalId }) => goalId));
      return goalIds.filter((goalId) => finished.has(goalId) || !known.has(goalId));
    },
  });
}
