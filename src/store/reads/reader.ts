import type { ReaderPort } from '../../contract/reads.ts';
import { readApprovals } from '../approvals/approvals.ts';
import { readAnswered, readOpenQuestion } from '../approvals/questions.ts';
import { withTypedErrors } from '../client.ts';
import { readDisputes } from '../disputes/disputes.ts';
import { readPlan } from '../journal/journal-reads.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { TellRefused } from '../ledger/tell-refused.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';
import { readInbox } from './inbox.ts';
import { readCalls } from './reader-calls.ts';
import { readDelegates } from './reader-delegates.ts';
import { readGoals } from './reader-goals.ts';
import { readHistories } from './reader-history.ts';
import { readLedgerPages } from './reader-ledger.ts';
import { readModelCalls } from './reader-model-calls.ts';
import { readOperations } from './reader-operations.ts';
import { readPast } from './reader-past.ts';
import { readFreshness, readShownTodos } from './reader-todos.ts';
import { readTurnPages } from './reader-turns.ts';
import { readUsagePages } from './reader-usage.ts';
import { readWorkspaces } from './reader-workspaces.ts';
import { readRemovedGoals } from './removed-goal.ts';
import { readSentMessages } from './sent-messages.ts';

type EventColumns = Row<'event', 'goal_id' | 'seq' | 'type' | 'data' | 'at'>;

/** The API's reads, all of them committed rows. */
export function createReader(store: Store, keys: LedgerKeys, tell?: TellRefused): ReaderPort {
  const { sql: db } = store;
  return withTypedErrors<ReaderPort>({
    ...readGoals(store, keys),
    ...readLedgerPages(db),
    ...readCalls(db),
    ...readTurnPages(db, keys),
    ...readUsagePages(store),
    ...readModelCalls(db),
    ...readDelegates(db),
    ...readHistories(store),
    ...readOperations(db),
    ...readPast(db),
    ...readRemovedGoals(store, keys),
    ...readWorkspaces(db, keys, tell),

    todos: (goalId) => readShownTodos(db, goalId),

    freshness: (goalId, seqs) => readFreshness(db, goalId, seqs),

    plan: (goalId) => readPlan(db, goalId),

    async events(goalId, afterSeq, limit) {
      const rows = await db<EventColumns[]>`
        SELECT goal_id, seq, type, data, at FROM event
        WHERE goal_id = ${goalId} AND seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`;
      return rows.map(({ goal_id, ...event }) => ({ goalId: goal_id, ...event }));
    },

    sentMessages: (goalId) => readSentMessages(db, goalId),
    question: (goalId) => readOpenQuestion(db, goalId),
    answered: (goalId) => readAnswered(db, goalId),

    disputes: (goalId) => readDisputes(db, goalId),
    approvals: (filter) => readApprovals(store, filter),
    inbox: (sight, limit) => readInbox(db, sight, limit),

    async ping() {
      await db`SELECT 1`;
    },
  });
}
