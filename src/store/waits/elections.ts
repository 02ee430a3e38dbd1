import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type { SettledTurn } from '../../contract/record.ts';
import type { WakeVerdict } from '../../contract/turn-facts.ts';
import type { StoredWakeRequest, WaitEnd } from '../../contract/wake-request.ts';
import { stateOfWakeRequest } from '../../goal/waits/chain.ts';
import type { Executor, Transaction } from '../client.ts';
import type { NewEvent } from '../events.ts';
import { storable, storableText } from '../json.ts';
import {
  elections,
  type ElectionRow as SealedElection,
  sealElection,
} from '../ledger/election-seal.ts';
import { isRowIntact } from '../ledger/ledger-chain.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { type StoredLedgerRow, toLedgerRow } from '../ledger/ledger-row.ts';
import { type Started, sealedFrom, startSeal } from '../ledger/sealed-from.ts';

/** Stores the election in the transaction that settles its turn. */
export async function storeElection(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  { facts, decision }: SettledTurn,
  chart: ChartSnapshot,
): Promise<void> {
  const { election } = facts;
  if (!election) return;
  const state = stateOfWakeRequest(decision, chart);
  const verdict = decision.election;
  const row = {
    ...{ goal_id: goalId, turn: facts.turn, call_id: election.callId, state },
    seconds: verdict?.isGranted === true ? verdict.seconds : null,
    until: state === 'waiting' ? (chart.context.wait?.until ?? null) : null,
    ...{ looks: 0, seen: '' },
  };
  await tx`
    INSERT INTO election (goal_id, turn, call_id, tool, spec, state, seconds, until, refusal, seal)
    SELECT ${goalId}, ${facts.turn}, ${election.callId}, l.tool,
      coalesce(l.body->'arguments', '{}'),
      ${state},
      ${row.seconds}, ${row.until},
      ${verdict?.isGranted === false ? tx.json(storable(boundOf(verdict))) : null},
      ${sealElection(keys, row)}
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
export const overtakeElection = (tx: Transaction, keys: LedgerKeys, goalId: string) =>
  endElection(tx, keys, goalId, 'overtaken');

/** One that somebody else changed ends, and is not vouched for by that. */
export async function endElection(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  state: WaitEnd | 'overtaken',
): Promise<void> {
  const waiting = await tx<SealedElection[]>`
    SELECT goal_id, turn, call_id, state, seconds, until, looks, seen, seal FROM election
    WHERE goal_id = ${goalId} AND state = 'waiting' FOR UPDATE`;
  for (const row of waiting) {
    const seal = elections.isIntact(keys, row) ? sealElection(keys, { ...row, state }) : row.seal;
    await tx`
      UPDATE election SET state = ${state}, ended_at = now(), seal = ${seal}
      WHERE goal_id = ${goalId} AND turn = ${row.turn}`;
  }
}

type ElectionRow = Omit<StoredWakeRequest, 'spec'> &
  Started & {
    readonly asked: StoredLedgerRow | null;
    readonly seal: string | null;
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
      e.created_at AS "createdAt", e.ended_at AS "endedAt", e.seal,
      (SELECT to_jsonb(l) FROM ledger l WHERE l.goal_id = e.goal_id AND l.call_id = e.call_id
        AND l.phase = 'started' ORDER BY l.seq LIMIT 1) AS asked,
      ${startSeal(sql, sql`e.goal_id`)} AS start
    FROM election e WHERE e.goal_id = ${goalId} ORDER BY e.turn DESC LIMIT 1`;
  if (row === undefined) return { election: null, isAltered: false };
  const { asked, start, seal, ...election } = row;
  if (asked === null) return { election: null, isAltered: true };
  const call = toLedgerRow({ ...asked, at: new Date(asked.at).toISOString() });
  const isOfWait = call.tool === election.tool && call.turn === election.turn;
  const spec = (call.arguments ?? {}) as StoredWakeRequest['spec'];
  const isOurs = elections.isIntact(keys, { goal_id: goalId, ...ownRow(election), seal });
  const isAltered = !isOfWait || !isOurs || !isRowIntact(call, keys, sealedFrom(keys, start));
  return { election: { ...election, spec }, isAltered };
}

/** The columns that its seal covers, of one that was read. */
const ownRow = (election: Omit<StoredWakeRequest, 'spec'>) => ({
  ...{ turn: election.turn, call_id: election.callId, state: election.state },
  ...{ seconds: election.seconds, until: election.until },
  ...{ looks: election.looks, seen: election.seen },
});

/** Counts one more poll of the wait as it was read; false when the goal no longer waits. */
export async function countLook(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
  election: StoredWakeRequest,
  text: string,
): Promise<boolean> {
  const seen = storableText(text);
  const looks = election.looks + 1;
  const seal = sealElection(keys, { goal_id: goalId, ...ownRow(election), looks, seen });
  const looked = await sql`
    UPDATE election SET looks = ${looks}, looked_at = now(), seen = ${seen}, seal = ${seal}
    WHERE goal_id = ${goalId} AND turn = ${election.turn} AND state = 'waiting'`;
  return looked.count > 0;
}
