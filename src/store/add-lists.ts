import type { TodoItem } from '../../schema/todo.ts';
import type { Transaction } from './client.ts';
import { storable, storableText } from './json.ts';
import type { LedgerKeys } from './ledger/ledger-keys.ts';
import { sealWritten } from './ledger/written-seal.ts';

interface NewTodos {
  readonly goalId: string;
  readonly items: readonly TodoItem[];
  /** The model's call; null where the host or a person changed the list. */
  readonly callId: string | null;
}

/** Adds a version of the to-do list, under the goal's lock. */
export async function addTodos(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, items, callId }: NewTodos,
): Promise<void> {
  const seal = sealWritten(keys, 'todo_list', { goal_id: goalId, items, call_id: callId });
  await tx`
    INSERT INTO todo_list (goal_id, revision, items, call_id, seal)
    SELECT ${goalId}, coalesce(max(revision), 0) + 1, ${tx.json(storable(items))}, ${callId}, ${seal}
    FROM todo_list WHERE goal_id = ${goalId}`;
}

interface NewPlan {
  readonly goalId: string;
  /** Markdown. */
  readonly text: string;
  readonly callId: string;
}

/** Adds a version of the plan, under the goal's lock. */
export async function addPlan(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, text, callId }: NewPlan,
): Promise<void> {
  const markdown = storableText(text);
  const seal = sealWritten(keys, 'plan', { goal_id: goalId, markdown, call_id: callId });
  await tx`
    INSERT INTO plan (goal_id, revision, markdown, call_id, seal)
    SELECT ${goalId}, coalesce(max(revision), 0) + 1, ${markdown}, ${callId}, ${seal}
    FROM plan WHERE goal_id = ${goalId}`;
}
