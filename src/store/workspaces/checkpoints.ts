import type { TodoList } from '../../../schema/todo.ts';
import { TooLarge } from '../../checkpoints/look.ts';
import type { CheckpointsPort } from '../../contract/checkpoints.ts';
import { withTypedErrors } from '../client.ts';
import { appendEvents } from '../events.ts';
import { lockFenced } from '../fence.ts';
import { storableText } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { overTeller } from '../ledger/over-goals.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { jsonOf, type Store } from '../store.ts';
import { readCheckpoints } from './checkpoint-rows.ts';
import { forgottenOf } from './forgotten.ts';
import { endRewind, readPendingRewind } from './rewinds.ts';

type PlaceRow = Row<'workspace', 'write_seq'> & { readonly todo_revision: number };

const SHOWN = 20;

export function createCheckpointStore(
  { sql: db, prisma }: Store,
  keys: LedgerKeys,
  options: { readonly onAppended?: (goalId: string) => void } = {},
): CheckpointsPort {
  const notify = options.onAppended ?? (() => {});
  const over = overTeller(db, keys);
  const givenUp = new Set<string>();
  return withTypedErrors<CheckpointsPort>({
    list: (goalId) => readCheckpoints(db, keys, goalId),

    async keep(fence, checkpoint, mayReplace) {
      const { goalId } = fence;
      const { name, turn, kind, commit, changed } = checkpoint;
      const leftOut = checkpoint.leftOut.slice(0, SHOWN).map(storableText);
      const unread = checkpoint.unread.slice(0, SHOWN).map(storableText);
      const kept = await db.begin(async (tx) => {
        await lockFenced(tx, fence, 'ending');
        const [place] = await tx<PlaceRow[]>`
          SELECT w.write_seq,
            (SELECT coalesce(max(revision), 0) FROM todo_list WHERE goal_id = ${goalId})
              AS todo_revision
          FROM goal g JOIN workspace w ON w.name = g.workspace_name WHERE g.goal_id = ${goalId}`;
        if (place === undefined) throw new TypeError(`${goalId} has no workspace`);
        const made = { goal_id: goalId, name, turn, kind, commit_hash: commit, ...place, changed };
        const lists = { left_out: tx.json(leftOut), unread: tx.json(unread) };
        const seal = sealWritten(keys, 'checkpoint', { ...made, left_out: leftOut, unread });
        const stored = await tx`
          INSERT INTO checkpoint ${tx({ ...made, ...lists, seal })}
          ON CONFLICT (goal_id, name) DO UPDATE SET commit_hash = excluded.commit_hash,
            write_seq = excluded.write_seq, todo_revision = excluded.todo_revision,
            changed = excluded.changed, left_out = excluded.left_out, unread = excluded.unread,
            created_at = now(), seal = excluded.seal
          WHERE ${mayReplace}`;
        const [row] = await readCheckpoints(tx, keys, goalId, name);
        if (row === undefined) throw new TypeError(`${goalId} has no checkpoint ${name}`);
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
    pendingRewind: (goalId) => readPendingRewind(db, keys, goalId),

    async todosAt(goalId, revision) {
      const key = { goalId_revision: { goalId, revision } };
      const list = await prisma.todoList.findUnique({ where: key });
      return jsonOf<TodoList['items']>(list?.items ?? []);
    },

    async endRewind(fence, rewind, text) {
      await db.begin((tx) => endRewind(tx, keys, fence, rewind, text));
      notify(fence.goalId);
    },

    forgotten: (goalIds) => forgottenOf(db, goalIds, over),
  });
}
