import type { Executor, Transaction } from './client.ts';
import { storable } from './json.ts';

/** An event: a noun-verb name with the few facts that a watcher needs, never long texts. */
export interface NewEvent {
  readonly type: string;
  readonly data: unknown;
}

/** A parameter for `jsonb_to_recordset`: events in their order, numbered from 1. */
export function eventList(sql: Executor, events: readonly NewEvent[]) {
  return sql.json(
    storable(events.map(({ type, data }, index) => ({ n: index + 1, type, data: data ?? null }))),
  );
}

/** Appends events of a goal whose journal row this transaction has locked. */
export async function appendEvents(
  tx: Transaction,
  goalId: string,
  events: readonly NewEvent[],
): Promise<void> {
  await tx`
    WITH j AS (
      UPDATE journal SET event_seq = event_seq + ${events.length}::int
      WHERE goal_id = ${goalId} RETURNING event_seq - ${events.length}::int AS base
    )
    INSERT INTO event (goal_id, seq, type, data)
    SELECT ${goalId}, j.base + e.n, e.type, e.data
    FROM j, jsonb_to_recordset(${eventList(tx, events)}) AS e(n int, type text, data jsonb)`;
}
