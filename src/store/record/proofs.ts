import type { Fence } from '../../contract/fence.ts';
import type { CriterionBaseline, ProofPort } from '../../contract/proofs.ts';
import { type Transaction, withTypedErrors } from '../client.ts';
import { lockFenced } from '../fence.ts';
import { storable } from '../json.ts';
import { jsonOf, type Store } from '../store.ts';

export function createProofStore({ sql: db, prisma }: Store): ProofPort {
  return withTypedErrors<ProofPort>({
    async keepBaselines(fence, baselines) {
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        for (const baseline of baselines) await keepBaseline(tx, fence, baseline);
      });
    },

    async baselines(goalId) {
      const orderBy = { criterionId: 'asc' } as const;
      const rows = await prisma.criterionBaseline.findMany({ where: { goalId }, orderBy });
      return rows.map(({ body }) => jsonOf<CriterionBaseline>(body));
    },

    async keepFinding(fence, turn, { changes, proof, base }) {
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        await tx`
          INSERT INTO proof_finding (goal_id, turn, changes, proof, base)
          VALUES (${fence.goalId}, ${turn}, ${tx.json(storable(changes))},
            ${proof === null ? null : tx.json(storable(proof))},
            ${base === undefined ? null : tx.json(storable(base))})
          ON CONFLICT (goal_id, turn)
          DO UPDATE SET changes = excluded.changes, proof = excluded.proof, base = excluded.base,
            at = now()`;
      });
    },

    async finishedGoals(goalIds) {
      if (goalIds.length === 0) return [];
      const rows = await prisma.goal.findMany({
        where: { goalId: { in: [...goalIds] }, status: { not: 'complete' }, archivedAt: null },
        select: { goalId: true },
      });
      const unfinished = new Set(rows.map((row) => row.goalId));
      return goalIds.filter((goalId) => !unfinished.has(goalId));
    },
  });
}

async function keepBaseline(
  tx: Transaction,
  { goalId }: Fence,
  baseline: CriterionBaseline,
): Promise<void> {
  await tx`
    INSERT INTO criterion_baseline (goal_id, criterion_id, body)
    VALUES (${goalId}, ${baseline.criterionId}, ${tx.json(storable(baseline))})
    ON CONFLICT (goal_id, criterion_id) DO UPDATE SET body = excluded.body`;
}
