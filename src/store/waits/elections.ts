import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type { SettledTurn } from '../../contract/record.ts';
import type { WakeVerdict } from '../../contract/turn-facts.ts';
import type { StoredWakeRequest, WaitEnd } from '../../contract/wake-request.ts';
import { stateOfWakeRequest } from '../../goal/waits/chain.ts';
import type { Executor, Transaction } from '../client.ts';
import type { NewEvent } from '../events.ts';
import { storable } from '../json.ts';
import { isRowIntact } from '../ledger/ledger-chain.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { type StoredLedgerRow, toLedgerRow } from '../ledger/ledger-row.ts';

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

type ElectionRow = Omit<StoredWakeRequest, 'spec'> & {
  readonly asked: StoredLedgerRow | null;
  readonly sealed_from: number;
};

interface FoundElection {
  readonly election: StoredWakeRequest | null;
  /** The call that asked for it is not what was sealed. */
  readonly isAltered: boolean;
}

/**
 * The election of the newest turn that asked for a wake. What it waits for is read from the call in
 * the ledger, where no edit goes unseen.
 */
export async function readElection(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
): Promise<FoundElection> {
  const [row] = await sql<ElectionRow[]>`
    SELECT e.turn, e.call_id AS "callId", e.tool, e.state, e.seconds, e.until, e.looks, e.seen,
      e.created_at AS "createdAt", e.ended_at AS "endedAt",
      (SELECT to_jsonb(l) FROM ledger l WHERE l.goal_id = e.goal_id AND l.call_id = e.call_id
        AND l.phase = 'started' ORDER BY l.seq LIMIT 1) AS asked,
      coalesce((SELECT s.ledger_seq FROM seal s WHERE s.goal_id = e.goal_id AND s.kind = 'start'
        ORDER BY s.number LIMIT 1), 0) AS sealed_from
    FROM election e WHERE e.goal_id = ${goalId} ORDER BY e.turn DESC LIMIT 1`;
  if (row === undefined) return { election: null, isAltered: false };
  const { asked, sealed_from: sealedFrom, ...election } = row;
  if (asked === null) return { election: null, isAltered: true };
  const call = toLedgerRow({ ...asked, at: new Date(asked.at).toISOString() });
  const isOfWait = call.tool === election.tool && call.turn === election.turn;
  const spec = (call.arguments ?? {}) as StoredWakeRequest['spec'];
  const isAltered = !isOfWait || !isRowIntact(call, keys, sealedFrom);
  return { election: { ...election, spec }, isAltered };
}

/** Counts one more poll of the wait; false when the goal no longer waits. */
export async function countLook(sql: Executor, goalId: string, seen: string): Promise<boolean> {
  const looked = await sql`
    UPDATE election SET looks = looks + 1, looked_at = now(), seen = ${seen}
    WHERE goal_id = ${goalId} AND state = 'waiting'`;
  return looked.count > 0;
}
