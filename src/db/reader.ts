import type { Isolation } from '../../schema/isolation.ts';
import { readApprovals } from './approvals.ts';
import { type Database, withTypedErrors } from './client.ts';
import { readPlan } from './journal-reads.ts';
import type { EventRow, ReaderPort } from './ports.ts';
import { readOpenQuestion } from './questions.ts';
import { readCalls } from './reader-calls.ts';
import { readDelegates } from './reader-delegates.ts';
import { readGoals } from './reader-goals.ts';
import { readLedgerPages } from './reader-ledger.ts';
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
        SELECT name, path, host, lease_goal_id, write_seq FROM workspace ORDER BY name`;
      return rows.map(({ lease_goal_id, write_seq, ...workspace }) => ({
        ...workspace,
        leaseGoalId: lease_goal_id,
        writeSeq: write_seq,
      }));
    },

    async workers() {
      const rows = await db<WorkerRow[]>`SELECT * FROM worker ORDER BY host, worker_id`;
      return rows.map((row) => ({
        workerId: row.worker_id,
        host: row.host,
        pid: row.pid,
        taskQueues: row.task_queues,
        models: row.models,
        isolation: row.isolation,
        startedAt: row.started_at,
        seenAt: row.seen_at,
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

interface WorkerRow {
  readonly worker_id: string;
  readonly host: string;
  readonly pid: number;
  readonly task_queues: string[];
  readonly models: string[];
  readonly isolation: Isolation;
  readonly started_at: string;
  readonly seen_at: string;
}
