import type { CallStop } from '../../../schema/call-stop.ts';
import type { CallStops, CallStopsOfPeople } from '../../contract/call-stops.ts';
import { Refusal } from '../../contract/failures.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { STOPS_CHANNEL } from '../notices/listener.ts';
import type { Row } from '../row.ts';

export const createCallStops = (db: Database): CallStops =>
  withTypedErrors<CallStops>({
    async askedBy(goalId, callId) {
      const [row] = await db<Row<'call_stop', 'asked_by'>[]>`
        SELECT asked_by FROM call_stop WHERE goal_id = ${goalId} AND call_id = ${callId}`;
      return row?.asked_by ?? null;
    },
  });

/** A call of the model or of an agent; what the gate runs is no call of theirs. */
const OF_A_TURN = /^t\d+\.s\d+\.(a\d+\.)?\d+$/;

/** Orders the end of what a turn runs, in the transaction that says why; nothing may run at all. */
export async function stopCommandsOf(
  tx: Transaction,
  { goalId, turn }: { readonly goalId: string; readonly turn: number },
  by: string,
): Promise<void> {
  const ordered = await tx<Row<'call_stop', 'call_id'>[]>`
    INSERT INTO call_stop (goal_id, call_id, asked_by, asked_at)
    SELECT goal_id, call_id, ${by}, now() FROM ledger l
    WHERE goal_id = ${goalId} AND turn = ${turn} AND phase = 'started' AND tool = 'run_command'
      AND call_id ~ ${OF_A_TURN.source} AND NOT EXISTS (
        SELECT 1 FROM ledger ended WHERE ended.goal_id = l.goal_id
          AND ended.call_id = l.call_id AND ended.phase = 'settled')
    ON CONFLICT DO NOTHING RETURNING call_id`;
  for (const { call_id: callId } of ordered)
    await tx`SELECT pg_notify(${STOPS_CHANNEL}, ${`${goalId} ${callId}`})`;
}

export const createCallStopsOfPeople = (db: Database): CallStopsOfPeople =>
  withTypedErrors<CallStopsOfPeople>({
    async stop(goalId, callId, by) {
      return await db.begin(async (tx) => {
        const [call] = await tx<(Row<'ledger', 'tool'> & { readonly is_over: boolean })[]>`
          SELECT tool, EXISTS (
              SELECT 1 FROM ledger ended WHERE ended.goal_id = l.goal_id
                AND ended.call_id = l.call_id AND ended.phase = 'settled'
            ) AS is_over
          FROM ledger l
          WHERE goal_id = ${goalId} AND call_id = ${callId} AND phase = 'started'`;
        const why = whyNot(callId, call);
        if (why !== null) throw why;
        await tx`
          INSERT INTO call_stop (goal_id, call_id, asked_by, asked_at)
          VALUES (${goalId}, ${callId}, ${by}, now()) ON CONFLICT DO NOTHING`;
        await tx`SELECT pg_notify(${STOPS_CHANNEL}, ${`${goalId} ${callId}`})`;
        const [stop] = await tx<[CallStop]>`
          SELECT goal_id AS "goalId", call_id AS "callId", asked_by AS "askedBy",
            asked_at AS "askedAt"
          FROM call_stop WHERE goal_id = ${goalId} AND call_id = ${callId}`;
        return stop;
      });
    },
  });

function whyNot(
  callId: string,
  call: { readonly tool: string; readonly is_over: boolean } | undefined,
): Refusal | null {
  const data = { field: 'callId', callId };
  if (call === undefined) {
    const detail = `${callId} does not run: no such call began. See goalkeeper ledger.`;
    return new Refusal('not_found', detail, data);
  }
  if (call.is_over) return new Refusal('invalid_transition', `${callId} is over already.`, data);
  if (call.tool === 'run_command' && OF_A_TURN.test(callId)) return null;
  const detail = `${callId} is ${call.tool}, and only commands of a turn are stopped alone: pause the goal.`;
  return new Refusal('invalid_transition', detail, data);
}
