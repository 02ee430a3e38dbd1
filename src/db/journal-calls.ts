import type { LedgerRow } from '../../schema/ledger.ts';
import type { CallEnd, CallStart, Fence, JournalPort } from '../turn/ports.ts';
import { storeProposal } from './approvals.ts';
import { type Database, type Executor, isUniqueViolation, type Transaction } from './client.ts';
import { eventList, type NewEvent } from './events.ts';
import { assertFence, lockFenced, type Phase } from './fence.ts';
import { storable, storableText } from './json.ts';
import type { ChainHead } from './ledger-chain.ts';
import { chainEntry, type LedgerEntry, type StoredLedgerRow, toLedgerRow } from './ledger-row.ts';

type Calls = Pick<JournalPort, 'startCall' | 'settleCall'>;

const CALL_PHASE_KEY = 'ledger_goal_id_call_id_phase_key';
/** Heads are a few dozen bytes; the cap only keeps a worker's memory bounded over months. */
const MOST_HEADS = 10_000;

interface Append {
  readonly phase: Phase;
  readonly entry: LedgerEntry;
  readonly events: readonly NewEvent[];
  /** The tool message for the model. */
  readonly message: unknown;
}

/** Tool calls: two immutable rows each, chained by their hashes. */
export function journalCalls(db: Database, hashKey?: string): Calls {
  const heads = new Map<string, ChainHead>();

  /** Appends behind the head that is remembered, which holds unless another process wrote. */
  async function append(fence: Fence, what: Append): Promise<StoredLedgerRow> {
    for (;;) {
      const head = heads.get(fence.goalId) ?? (await readHead(db, fence.goalId));
      const row = chainEntry(fence.goalId, what.entry, head, hashKey);
      if (await appendRow(db, fence, what, row)) return remember(row);
      heads.delete(fence.goalId);
      await assertFence(db, fence, what.phase);
    }
  }

  function remember(row: StoredLedgerRow): StoredLedgerRow {
    if (heads.size >= MOST_HEADS) heads.clear();
    heads.set(row.goal_id, { seq: row.seq, hash: row.hash });
    return row;
  }

  /** With files, lists or outputs beside the row: the same append in a longer transaction. */
  async function settleWithMore(fence: Fence, end: CallEnd): Promise<StoredLedgerRow> {
    const row = await db.begin(async (tx) => {
      const journal = await lockFenced(tx, fence, 'ending');
      const writeSeq = end.wrote ? await raiseWriteSeq(tx, fence.goalId) : undefined;
      const what = settlement(fence, end, writeSeq);
      const head = { seq: journal.ledger_seq, hash: journal.ledger_head };
      const chained = chainEntry(fence.goalId, what.entry, head, hashKey);
      await appendRow(tx, fence, what, chained);
      await storeOutput(tx, fence.goalId, end);
      await storeTodos(tx, fence.goalId, end);
      if (end.proposal !== undefined) await storeProposal(tx, fence.goalId, end, end.proposal);
      return chained;
    });
    return remember(row);
  }

  return {
    async startCall(fence, call) {
      try {
        await append(fence, beginning(fence, call));
      } catch (error) {
        if (!isUniqueViolation(error, CALL_PHASE_KEY)) throw error;
      }
    },

    async settleCall(fence, end) {
      const hasMore = end.wrote || (end.output ?? end.todos ?? end.proposal) !== undefined;
      try {
        const row = await (hasMore
          ? settleWithMore(fence, end)
          : append(fence, settlement(fence, end, undefined)));
        return toLedgerRow(row);
      } catch (error) {
        if (!isUniqueViolation(error, CALL_PHASE_KEY)) throw error;
        return readSettled(db, fence.goalId, end.callId);
      }
    },
  };
}

function beginning(fence: Fence, call: CallStart): Append {
  const { callId, turn, step, tool, effect, plan } = call;
  return {
    phase: 'beginning',
    entry: {
      phase: 'started',
      callId,
      turn,
      step,
      token: fence.token,
      tool,
      effect,
      arguments: call.arguments,
      ...(plan === undefined ? {} : { plan }),
    },
    events: [{ type: 'call.started', data: { turn, step, callId, tool } }],
    message: null,
  };
}

function settlement(fence: Fence, end: CallEnd, writeSeq: number | undefined): Append {
  const { callId, turn, step, tool, effect, outcome, providerId } = end;
  const isError = outcome === 'succeeded' ? {} : { isError: true };
  const text = storableText(end.text);
  const events: NewEvent[] = [
    {
      type: 'call.settled',
      data: { turn, step, callId, tool, outcome, exitCode: end.receipt.exitCode },
    },
  ];
  if (providerId !== null)
    events.push({ type: 'message.added', data: { turn, step, voice: 'tool' } });
  if (end.todos !== undefined) events.push({ type: 'todos.changed', data: { turn, callId } });
  if (end.proposal !== undefined) {
    events.push({ type: 'criterion.proposed', data: { turn, callId, kind: end.proposal.kind } });
  }
  return {
    phase: 'ending',
    entry: {
      phase: 'settled',
      callId,
      turn,
      step,
      token: fence.token,
      tool,
      effect,
      outcome,
      receipt: writeSeq === undefined ? end.receipt : { ...end.receipt, writeSeq },
      ...(end.output === undefined ? {} : { outputRef: `${fence.goalId}/${callId}` }),
    },
    events,
    message: providerId === null ? null : { text, callId, providerId, tool, ...isError },
  };
}

/** @returns false when the fence or the head no longer held, and nothing was written. */
async function appendRow(
  sql: Executor,
  fence: Fence,
  { phase, events, message }: Append,
  row: StoredLedgerRow,
): Promise<boolean> {
  const appended = await sql`
    WITH j AS (
      UPDATE journal SET ledger_seq = ${row.seq}, ledger_head = ${row.hash},
        message_seq = message_seq + ${message === null ? 0 : 1}::int,
        event_seq = event_seq + ${events.length}::int
      WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch} AND token = ${fence.token}
        AND (is_open OR ${phase === 'ending'})
        AND ledger_seq = ${row.seq - 1} AND ledger_head = ${row.previous}
      RETURNING goal_id, message_seq, event_seq - ${events.length}::int AS event_base
    ), l AS (
      INSERT INTO ledger (goal_id, seq, phase, call_id, turn, step, token, tool, effect, outcome,
        body, output_ref, at, previous, hash)
      SELECT goal_id, ${row.seq}::int, ${row.phase}, ${row.call_id}, ${row.turn}::int,
        ${row.step}::int, ${row.token}::int, ${row.tool}, ${row.effect}, ${row.outcome},
        ${sql.json(storable(row.body))}, ${row.output_ref}, ${row.at}::timestamptz,
        ${row.previous}, ${row.hash}
      FROM j
    ), m AS (
      INSERT INTO message (goal_id, seq, turn, step, voice, content)
      SELECT goal_id, message_seq, ${row.turn}::int, ${row.step}::int, 'tool',
        ${sql.json(storable(message))}
      FROM j WHERE ${message !== null}
    )
    INSERT INTO event (goal_id, seq, type, data)
    SELECT goal_id, event_base + e.n, e.type, e.data
    FROM j, jsonb_to_recordset(${eventList(sql, events)}) AS e(n int, type text, data jsonb)`;
  return appended.count > 0;
}

async function readHead(db: Database, goalId: string): Promise<ChainHead> {
  const [row] = await db<ChainHead[]>`
    SELECT ledger_seq AS seq, ledger_head AS hash FROM journal WHERE goal_id = ${goalId}`;
  return row ?? { seq: 0, hash: '' };
}

async function readSettled(db: Database, goalId: string, callId: string): Promise<LedgerRow> {
  const [row] = await db<[StoredLedgerRow]>`
    SELECT * FROM ledger
    WHERE goal_id = ${goalId} AND call_id = ${callId} AND phase = 'settled'`;
  return toLedgerRow(row);
}

async function raiseWriteSeq(tx: Transaction, goalId: string): Promise<number> {
  const [workspace] = await tx<[{ write_seq: number }]>`
    UPDATE workspace SET write_seq = write_seq + 1
    WHERE name = (SELECT workspace_name FROM goal WHERE goal_id = ${goalId})
    RETURNING write_seq`;
  return workspace.write_seq;
}

async function storeOutput(tx: Transaction, goalId: string, end: CallEnd): Promise<void> {
  if (end.output === undefined) return;
  const ref = `${goalId}/${end.callId}`;
  await tx`
    INSERT INTO output (ref, goal_id, content)
    VALUES (${ref}, ${goalId}, ${Buffer.from(end.output)}) ON CONFLICT (ref) DO NOTHING`;
}

async function storeTodos(tx: Transaction, goalId: string, end: CallEnd): Promise<void> {
  if (end.todos === undefined) return;
  await tx`
    INSERT INTO todo_list (goal_id, revision, items, call_id)
    SELECT ${goalId}, coalesce(max(revision), 0) + 1, ${tx.json(storable(end.todos))}, ${end.callId}
    FROM todo_list WHERE goal_id = ${goalId}`;
}
