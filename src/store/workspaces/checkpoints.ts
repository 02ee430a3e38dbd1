import type { TodoList } from '../../../schema/todo.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import type { CheckpointsPort } from '../../contract/checkpoints.ts';
import { withTypedErrors } from '../client.ts';
import { appendEvents } from '../events.ts';
import { lockFenced } from '../fence.ts';
import { storableText } from '../json.ts';
import { jsonOf, type Store } from '../store.ts';
import { listCheckpoints, readCheckpoints } from './checkpoint-rows.ts';
import { endRewind, readPendingRewind } from './rewinds.ts';

const SHOWN = 20;
const DAY_MS = 86_400_000;

export function createCheckpointStore(
  { sql: db, prisma }: Store,
  options: { readonly onAppended?: (goalId: string) => void } = {},
): CheckpointsPort {
  const notify = options.onAppended ?? (() => {});
  const givenUp = new Set<string>();
  return withTypedErrors<CheckpointsPort>({
    list: (goalId) => listCheckpoints(prisma, goalId),

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
      notify(goalId);
      return kept;
    },

    async tellFailed(fence, turn, error) {
      if (error instanceof TooLarge) givenUp.add(fence.goalId);
      await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        const data = { turn, reason: storableText(error.message).slice(0, 500) };
        await appendEvents(tx, fence.goalId, [{ type: 'checkpoint.failed', data }]);
      });
      notify(fence.goalId);
    },

    isGivenUp: async (goalId) => givenUp.has(goalId),
    pendingRewind: (goalId) => readPendingRewind(db, goalId),

    async todosAt(goalId, revision) {
      const key = { goalId_revision: { goalId, revision } };
      const list = await prisma.todoList.findUnique({ where: key });
      return jsonOf<TodoList['items']>(list?.items ?? []);
    },

    async endRewind(fence, rewind, text) {
      await db.begin((tx) => endRewind(tx, fence, rewind, text));
      notify(fence.goalId);
    },

    async forgotten(goalIds, keptDays) {
      if (goalIds.length === 0) return [];
      const kept = new Date(Date.now() - keptDays * DAY_MS);
      const rows = await prisma.goal.findMany({
        where: {
          goalId: { in: [...goalIds] },
          OR: [{ archivedAt: { not: null } }, { status: 'complete', updatedAt: { lt: kept } }],
        },
        select: { goalId: true },
      });
      return rows.map((row) => row.goalId);
    },
  });
}
