import type { BasisPort, CriterionBaseline } from '../../contract/basis.ts';
import type { Fence } from '../../contract/fence.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { lockFenced } from '../fence.ts';
import { storable } from '../json.ts';

export function createBasisStore(db: Database): BasisPort {
  return withTypedErrors<BasisPort>({
    async keepBaselines(fence, baselines, texts) {
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        for (const baseline of baselines) await keepBaseline(tx, fence, baseline);
        for (const [sha256, text] of texts) await keepText(tx, fence, sha256, text);
      });
    },

    async baselines(goalId) {
      const rows = await db<{ body: CriterionBaseline }[]>`
        SELECT body FROM criterion_baseline WHERE goal_id = ${goalId} ORDER BY criterion_id`;
      return rows.map(({ body }) => body);
    },

    async texts(goalId, hashes) {
      if (hashes.length === 0) return new Map();
      const rows = await db<{ sha256: string; content: Uint8Array }[]>`
        SELECT sha256, content FROM basis_text
        WHERE goal_id = ${goalId} AND sha256 IN ${db([...hashes])}`;
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
      const rows = await db<{ goal_id: string }[]>`
        SELECT wanted.goal_id
        FROM jsonb_array_elements_text(${db.json([...goalIds])}) AS wanted(goal_id)
        LEFT JOIN goal g ON g.goal_id = wanted.goal_id
        WHERE g.goal_id IS NULL OR g.status = 'complete' OR g.archived_at IS NOT NULL`;
      return rows.map(({ goal_id }) => goal_id);
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

/** As bytes: texts of files may hold what jsonb refuses, and have to come back as they were. */
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
