import type { TodoList } from '../../../schema/todo.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import type { CheckpointsPort } from '../../contract/checkpoints.ts';
import { type Database, withTypedErrors } from '../client.ts';
import { appendEvents } from '../events.ts';
import { lockFenced } from '../fence.ts';
import { storableText } from '../json.ts';
import { readCheckpoints } from './checkpoint-rows.ts';
import { endRewind, readPendingRewind } from './rewinds.ts';

const SHOWN = 20;

export function createCheckpointStore(
  db: Database,
  options: { readonly onAppended?: (goalId: string) => void } = {},
): CheckpointsPort {
  const ring = options.onAppended ?? (() => {});
  const givenUp = new Set<string>();
  return withTypedErrors<CheckpointsPort>({
    list: (goalId) => readCheckpoints(db, goalId),

    async keep(fence, checkpoint, mayReplace) {
      const { goalId } = fence;
      const { name, turn, kind, commit, changed } = checkpoint;
      const leftOut = checkpoint.leftOut.slice(0, SHOWN).map(storableText);
      const unread = checkpoint.unread.slice(0, SHOWN).map(storableText);
      const kept = await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        const stored = await tx`
          INSERT INTO checkpoint (goal_id, name, turn, kind, commit_hash, write_seq,
            todo_revision, changed, left_out, unread)
          SELECT ${goalId}, ${name}, ${turn}, ${kind}, ${commit}, w.write_seq,
            (SELECT coalesce(max(revision), 0) FROM todo_list WHERE goal_id = ${goalId}),
            ${changed}, ${tx.json(leftOut)}, ${tx.json(unread)}
          FROM goal g JOIN workspace w ON w.name = g.workspace_name WHERE g.goal_id = ${goalId}
          ON CONFLICT (goal_id, name) DO UPDATE SET commit_hash = excluded.commit_hash,
            write_seq = excluded.write_seq, todo_revision = excluded.todo_revision,
            changed = excluded.changed, left_out = excluded.left_out, unread = excluded.unread,
            created_at = now()
          WHERE ${mayReplace}`;
        const [row] = await readCheckpoints(tx, goalId, name);
        if (row === undefined) throw new TypeError(`${goalId} has no workspace`);
        const data = { name, turn, kind, changed };
        if (stored.count > 0) await appendEvents(tx, goalId, [{ type: 'checkpoint.made', data }]);
        return row;
      });
      ring(goalId);
      return kept;
    },

    async tellFailed(fence, turn, error) {
      if (error instanceof TooLarge) givenUp.add(fence.goalId);
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        const data = { turn, reason: storableText(error.message).slice(0, 500) };
        await appendEvents(tx, fence.goalId, [{ type: 'checkpoint.failed', data }]);
      });
      ring(fence.goalId);
    },

    isGivenUp: async (goalId) => givenUp.has(goalId),
    pendingRewind: (goalId) => readPendingRewind(db, goalId),

    async todosAt(goalId, revision) {
      const [list] = await db<{ items: TodoList['items'] }[]>`
        SELECT items FROM todo_list WHERE goal_id = ${goalId} AND revision = ${revision}`;
      return list?.items ?? [];
    },

    async endRewind(fence, rewind, text) {
      await db.begin((tx) => endRewind(tx, fence, rewind, text));
      ring(fence.goalId);
    },

    async forgotten(goalIds, keptDays) {
      if (goalIds.length === 0) return [];
      const rows = await db<{ goal_id: string }[]>`
        SELECT g.goal_id FROM goal g
        WHERE g.goal_id IN (SELECT jsonb_array_elements_text(${db.json([...goalIds])}))
          AND (g.archived_at IS NOT NULL OR (g.status = 'complete' AND g.updated_at < now() - make_interval(days => ${keptDays})))`;
      return rows.map(({ goal_id }) => goal_id);
    },
  });
}
