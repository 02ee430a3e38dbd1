import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type { SettledTurn } from '../../contract/record.ts';
import type { WakeVerdict } from '../../contract/turn-facts.ts';
import type { StoredWakeRequest, WaitEnd } from '../../contract/wake-request.ts';
import { stateOfWakeRequest } from '../../goal/waits/chain.ts';
import type { Executor, Transaction } from '../client.ts';
import type { NewEvent } from '../events.ts';
import { storable } from '../json.ts';

/** Stores the election in the transaction that settles its turn. */
export async function storeElection(
  tx: Transaction,
  goalId: string,
  { facts, decision }: SettledTurn,
  chart: ChartSnapshot,
): Promise<void> {
  const { election } = facts;
  if (!election) return;
  const state = stateOfWakeRequest(decision, chart);
  const verdict = decision.election;
  await tx`
    INSERT INTO election (goal_id, turn, call_id, tool, spec, state, seconds, until, refusal)
    SELECT ${goalId}, ${facts.turn}, ${election.callId}, l.tool,
      coalesce(l.body->'arguments', '{}'),
      ${state},
      ${verdict?.isGranted === true ? verdict.seconds : null},
      ${state === 'waiting' ? (chart.context.wait?.until ?? null) : null},
      ${verdict?.isGranted === false ? tx.json(storable(boundOf(verdict))) : null}
    FROM ledger l
    WHERE l.goal_id = ${goalId} AND l.call_id = ${election.callId} AND l.phase = 'started'
    ON CONFLICT (goal_id, turn) DO NOTHING`;
}

/** Events of an election, beside the settled turn. */
export function electionEvents({ facts, decision }: SettledTurn): NewEvent[] {
  const { election: verdict, outcome } = decision;
  if (verdict === undefined) return [];
  const { turn } = facts;
  if (!verdict.isGranted) {
    return [{ type: 'election.refused', data: { turn, ...boundOf(verdict) } }];
  }
  if (outcome.action !== 'wait' || outcome.on === 'delegate') return [];
  const { on, seconds, chain, note } = verdict;
  return [{ type: 'election.granted', data: { turn, on, seconds, length: chain.length, note } }];
}

const boundOf = ({ limit, value, allowed }: Extract<WakeVerdict, { isGranted: false }>) => ({
  limit,
  value,
  allowed,
});

/** A person's message, a pause or a limit ended the wait early. */
export async function overtakeElection(tx: Transaction, goalId: string): Promise<void> {
  await tx`
    UPDATE election SET state = 'overtaken', ended_at = now()
    WHERE goal_id = ${goalId} AND state = 'waiting'`;
}

export async function endElection(tx: Transaction, goalId: string, how: WaitEnd): Promise<void> {
  await tx`
    UPDATE election SET state = ${how}, ended_at = now()
    WHERE goal_id = ${goalId} AND state = 'waiting'`;
}

/** The election of the newest turn that asked for a wake. */
export async function readElection(
  sql: Executor,
  goalId: string,
): Promise<StoredWakeRequest | null> {
  const [row] = await sql<StoredWakeRequest[]>`
    SELECT turn, call_id AS "callId", tool, spec, state, seconds, until, looks, seen,
      created_at AS "createdAt", ended_at AS "endedAt"
    FROM election WHERE goal_id = ${goalId} ORDER BY turn DESC LIMIT 1`;
  return row ?? null;
}

/** Counts one more poll of the wait; false when the goal no longer waits. */
export async function countLook(sql: Executor, goalId: string, seen: string): Promise<boolean> {
  const looked = await sql`
    UPDATE election SET looks = looks + 1, looked_at = now(), seen = ${seen}
    WHERE goal_id = ${goalId} AND state = 'waiting'`;
  return looked.count > 0;
}
