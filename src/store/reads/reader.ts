import type { EventRow, ReaderPort } from '../../contract/reads.ts';
import { readApprovals } from '../approvals/approvals.ts';
import { readOpenQuestion } from '../approvals/questions.ts';
import { type Database, withTypedErrors } from '../client.ts';
import { readPlan } from '../journal/journal-reads.ts';
import { readCalls } from './reader-calls.ts';
import { readDelegates } from './reader-delegates.ts';
import { readGoals } from './reader-goals.ts';
import { readHistories } from './reader-history.ts';
import { readLedgerPages } from './reader-ledger.ts';
import { readOperations } from './reader-operations.ts';
import { readPast } from './reader-past.ts';
import { readFreshness, readShownTodos } from './reader-todos.ts';
import { readTurnPages } from './reader-turns.ts';
import { readUsagePages } from './reader-usage.ts';

/** What the API reads, all of it committed rows. */
export function createReader(db: Database): ReaderPort {
  return withTypedErrors<ReaderPort>({
    ...readGoals(db),
    ...readLedgerPages(db),
    ...readCalls(db),
    ...readTurnPages(db),
    ...readUsagePages(db),
    ...readDelegates(db),
    ...readHistories(db),
    ...readOperations(db),
    ...readPast(db),

    todos: (goalId) => readShownTodos(db, goalId),

    freshness: (goalId, seqs) => readFreshness(db, goalId, seqs),

    plan: (goalId) => readPlan(db, goalId),

    async events(goalId, afterSeq, limit) {
      const rows = await db<(Omit<EventRow, 'goalId'> & { goal_id: string })[]>`
        SELECT goal_id, seq, type, data, at FROM event
        WHERE goal_id = ${goalId} AND seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`;
      return rows.map(({ goal_id, ...event }) => ({ goalId: goal_id, ...event }));
    },

    question: (goalId) => readOpenQuestion(db, goalId),

    approvals: (filter) => readApprovals(db, filter),

    async workspaces() {
      const rows = await db<WorkspaceRow[]>`
        SELECT name, path, host, lease_goal_id, write_seq FROM workspace
        WHERE origin IS NULL ORDER BY name`;
      return rows.map(({ lease_goal_id, write_seq, ...workspace }) => ({
        ...workspace,
        leaseGoalId: lease_goal_id,
        writeSeq: write_seq,
      }));
    },

    async ping() {
      await db`SELECT 1`;
    },
  });
}

interface WorkspaceRow {
  readonly name: string;
  readonly path: string;
  readonly host: string;
  readonly lease_goal_id: string | null;
  readonly write_seq: number;
}
