import type { BasisPort, CriterionBaseline } from '../../contract/basis.ts';
import type { Fence } from '../../contract/fence.ts';
import { type Transaction, withTypedErrors } from '../client.ts';
import { lockFenced } from '../fence.ts';
import { storable } from '../json.ts';
import { jsonOf, type Store } from '../store.ts';

export function createBasisStore({ sql: db, prisma }: Store): BasisPort {
  return withTypedErrors<BasisPort>({
    async keepBaselines(fence, baselines, texts) {
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        for (const baseline of baselines) await keepBaseline(tx, fence, baseline);
        for (const [sha256, text] of texts) await keepText(tx, fence, sha256, text);
      });
    },

    async baselines(goalId) {
      const orderBy = { criterionId: 'asc' } as const;
      const rows = await prisma.criterionBaseline.findMany({ where: { goalId }, orderBy });
      return rows.map(({ body }) => jsonOf<CriterionBaseline>(body));
    },

    async texts(goalId, hashes) {
      if (hashes.length === 0) return new Map();
      const where = { goalId, sha256: { in: [...hashes] } };
      const rows = await prisma.basisText.findMany({ where });
      return new Map(
        rows.map(({ sha256, content }) => [sha256, Buffer.from(content).toString('utf8')]),
      );
    },

    async keepChanges(fence, turn, changes) {
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        await tx`
          INSERT INTO basis_change (goal_id, turn, changes)
          VALUES (${fence.goalId}, ${turn}, ${tx.json(storable(changes))})
          ON CONFLICT (goal_id, turn) DO UPDATE SET changes = excluded.changes, at = now()`;
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

/** Stores texts as bytes: they may hold what jsonb refuses and must be read back unchanged. */
async function keepText(
  tx: Transaction,
  { goalId }: Fence,
  sha256: string,
  text: string,
): Promise<void> {
  await tx`
    INSERT INTO basis_text (goal_id, sha256, content)
    VALUES (${goalId}, ${sha256}, ${Buffer.from(text)}) ON CONFLICT DO NOTHING`;
}
