import type { Isolation } from '../../../schema/isolation.ts';
import type { LedgerRow } from '../../../schema/ledger.ts';
import type { Fence } from '../../contract/fence.ts';
import type { JournalPort } from '../../contract/journal.ts';
import type { CallEnd, CallStart } from '../../contract/tool-call.ts';
import { addPlan, addTodos } from '../add-lists.ts';
import { proposeChange, storeProposal } from '../approvals/approvals.ts';
import { giveToGoal, keepContents, refOf } from '../attachments/contents.ts';
import { type Database, type Executor, isUniqueViolation, type Transaction } from '../client.ts';
import { stageDelegate } from '../delegates/delegates.ts';
import { eventList, type NewEvent } from '../events.ts';
import { assertFence, lockFenced, type Phase } from '../fence.ts';
import { storable, storableText } from '../json.ts';
import type { LedgerHeads } from '../ledger/ledger-heads.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import {
  insertOfRow,
  type LedgerEntry,
  type StoredLedgerRow,
  toLedgerRow,
} from '../ledger/ledger-row.ts';
import { storeOutput } from '../ledger/outputs.ts';
import { headMovedTo } from '../ledger/store-seals.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import { addByModel } from '../requirements/requirements.ts';
import type { Row } from '../row.ts';
import { proposeScope } from '../scopes/scopes.ts';
import { countOwnWrite } from '../workspaces/workspace-lease.ts';

type Calls = Pick<JournalPort, 'startCall' | 'settleCall'>;

const CALL_PHASE_KEY = 'ledger_goal_id_call_id_phase_key';

interface Append {
  readonly phase: Phase;
  readonly entry: LedgerEntry;
  readonly events: readonly NewEvent[];
  /** The tool message for the model. */
  readonly message: unknown;
}

/** Tool calls: two immutable rows each, chained by their hashes. */
export function journalCalls(db: Database, appends: Database, heads: LedgerHeads): Calls {
  /** Appends behind the cached head, which holds unless another process wrote. */
  async function append(fence: Fence, what: Append): Promise<StoredLedgerRow> {
    for (;;) {
      const row = await heads.next(fence.goalId, what.entry);
      if (await appendRow(appends, heads.keys, fence, what, row)) return heads.stored(row);
      heads.forget(fence.goalId);
      await assertFence(appends, fence, what.phase);
    }
  }

  /** The same append with files, lists or outputs beside the row, in a longer transaction. */
  async function settleWithMore(fence: Fence, given: CallEnd): Promise<StoredLedgerRow> {
    const end = await withStoredOutput(db, fence, given);
    const row = await db.begin(async (tx) => {
      const journal = await lockFenced(tx, fence, 'ending');
      const writeSeq = await writeSeqAfter(tx, fence.goalId, end);
      const what = settlement(fence, end, writeSeq);
      const head = { seq: journal.ledger_seq, hash: journal.ledger_head };
      const chained = heads.after(head, fence.goalId, what.entry);
      await appendRow(tx, heads.keys, fence, what, chained);
      if (end.todos !== undefined)
        await addTodos(tx, heads.keys, {
          goalId: fence.goalId,
          items: end.todos,
          callId: end.callId,
        });
      if (end.proposal !== undefined)
        await storeProposal(tx, heads.keys, fence.goalId, end, end.proposal);
      if (end.requirements !== undefined)
        await addByModel(tx, heads.keys, fence.goalId, end.callId, end.requirements);
      if (end.requirementChange !== undefined)
        await proposeChange(tx, heads.keys, fence.goalId, end, end.requirementChange);
      if (end.scopeProposal !== undefined)
        await proposeScope(tx, heads.keys, fence.goalId, end, end.scopeProposal);
      if (end.plan !== undefined)
        await addPlan(tx, heads.keys, { goalId: fence.goalId, text: end.plan, callId: end.callId });
      await stageDelegate(tx, heads.keys, fence.goalId, end);
      await keepImages(tx, heads.keys, fence.goalId, end);
      return chained;
    });
    return heads.stored(row);
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
      try {
        const row = await (end.wrote || hasMore(end)
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

const beginning = (fence: Fence, call: CallStart): Append => ({
  phase: call.hasRun ? 'ending' : 'beginning',
  entry: startedEntry(fence, call),
  events: [callStarted(call)],
  message: null,
});

export function startedEntry(fence: Fence, call: CallStart): LedgerEntry {
  const { callId, turn, step, tool, effect, plan } = call;
  const place = { callId, turn, step, token: fence.token };
  const asked = { tool, effect, arguments: call.arguments };
  return { phase: 'started', ...place, ...asked, ...(plan === undefined ? {} : { plan }) };
}

export const callStarted = ({ turn, step, callId, tool }: CallStart): NewEvent => ({
  type: 'call.started',
  data: { turn, step, callId, tool },
});

/** `outputRef`: where its output was stored. */
type StoredEnd = CallEnd & { readonly outputRef?: string };

export function settlement(fence: Fence, end: StoredEnd, writeSeq: number | undefined): Append {
  const { callId, turn, step, tool, effect, outcome, providerId } = end;
  const isError = outcome === 'succeeded' ? {} : { isError: true };
  const text = storableText(end.text);
  const { images = [] } = end;
  const files = images.length === 0 ? {} : { attachments: images.map(refOf) };
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
  if (end.requirements !== undefined) {
    events.push({ type: 'requirements.added', data: { turn, callId } });
  }
  if (end.requirementChange !== undefined) {
    events.push({ type: 'requirements.proposed', data: { turn, callId } });
  }
  if (end.scopeProposal !== undefined) {
    events.push({ type: 'scope.proposed', data: { turn, callId } });
  }
  if (end.plan !== undefined) events.push({ type: 'plan.changed', data: { turn, callId } });
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
      ...(end.outputRef === undefined ? {} : { outputRef: end.outputRef }),
    },
    events,
    message: providerId === null ? null : { text, callId, providerId, tool, ...isError, ...files },
  };
}

/** The end is stored with more than its row. */
function hasMore(end: CallEnd): boolean {
  const { output, todos, plan, proposal, delegate, requirements, requirementChange } = end;
  const asked = [proposal, requirements, requirementChange, end.scopeProposal, end.images];
  return [output, todos, plan, delegate, ...asked].some((one) => one !== undefined);
}

/** @returns false when the fence or the head no longer held, and nothing was written. */
async function appendRow(
  sql: Executor,
  keys: LedgerKeys,
  fence: Fence,
  { phase, entry, events, message }: Append,
  row: StoredLedgerRow,
): Promise<boolean> {
  const isolation = entry.receipt?.isolation;
  const appended = await sql`
    WITH j AS (
      UPDATE journal SET ${headMovedTo(sql, keys, row)},
        ${isolation === undefined ? sql`` : worse(sql, isolation)}
        message_seq = message_seq + ${message === null ? 0 : 1}::int,
        event_seq = event_seq + ${events.length}::int
      WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch} AND token = ${fence.token}
        AND (is_open OR ${phase === 'ending'})
        AND ledger_seq = ${row.seq - 1} AND ledger_head = ${row.previous}
      RETURNING goal_id, message_seq, event_seq - ${events.length}::int AS event_base
    ), l AS (
      ${insertOfRow(sql, row)} FROM j
    ), m AS (
      INSERT INTO message (goal_id, seq, turn, step, voice, content, seal)
      SELECT goal_id, message_seq, ${row.turn}::int, ${row.step}::int, 'tool',
        ${sql.json(storable(message))}, ${sealOfResult(keys, row, message)}
      FROM j WHERE ${message !== null}
    )
    INSERT INTO event (goal_id, seq, type, data)
    SELECT goal_id, event_base + e.n, e.type, e.data
    FROM j, jsonb_to_recordset(${eventList(sql, events)}) AS e(n int, type text, data jsonb)`;
  return appended.count > 0;
}

/** Of a tool's message; null = there is none, or no key. */
export const sealOfResult = (
  keys: LedgerKeys,
  { goal_id, turn, step }: StoredLedgerRow,
  content: unknown,
): string | null =>
  content === null
    ? null
    : sealWritten(keys, 'message', { goal_id, turn, step, voice: 'tool', content });

/** Isolation only ever gets weaker. */
const worse = (sql: Executor, isolation: Isolation) => sql`isolation = CASE
  WHEN 'none' IN (isolation, ${isolation}) THEN 'none'
  WHEN 'partial' IN (isolation, ${isolation}) THEN 'partial'
  ELSE 'full' END,`;

async function readSettled(db: Database, goalId: string, callId: string): Promise<LedgerRow> {
  const [row] = await db<[StoredLedgerRow]>`
    SELECT * FROM ledger
    WHERE goal_id = ${goalId} AND call_id = ${callId} AND phase = 'settled'`;
  return toLedgerRow(row);
}

/** Commands record the write counter even without writes, so that later writes of others show. */
async function writeSeqAfter(
  tx: Transaction,
  goalId: string,
  { wrote, output }: CallEnd,
): Promise<number | undefined> {
  if (!wrote && output === undefined) return undefined;
  const [workspace] = await (wrote
    ? tx<Row<'workspace', 'write_seq'>[]>`
        WITH own AS (${countOwnWrite(tx, goalId)})
        UPDATE workspace SET write_seq = write_seq + 1
        WHERE name = (SELECT workspace_name FROM goal WHERE goal_id = ${goalId})
        RETURNING write_seq`
    : tx<Row<'workspace', 'write_seq'>[]>`
        SELECT write_seq FROM workspace
        WHERE name = (SELECT workspace_name FROM goal WHERE goal_id = ${goalId})`);
  return workspace?.write_seq;
}

/** The reference includes the attempt, which may print other output under the same call id. */
const outputRef = ({ goalId, token }: Fence, callId: string): string =>
  `${goalId}/${callId}@${token}`;

/** The receipt describes the stored output, not the caller's account of it. */
async function withStoredOutput(db: Database, fence: Fence, end: CallEnd): Promise<StoredEnd> {
  if (end.output === undefined) return end;
  const { ref, ...stored } = await storeOutput(db, outputRef(fence, end.callId), end.output);
  return { ...end, outputRef: ref, receipt: { ...end.receipt, ...stored } };
}

async function keepImages(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  end: CallEnd,
): Promise<void> {
  const { images = [], callId } = end;
  if (images.length === 0) return;
  await keepContents(tx, images);
  await giveToGoal(tx, keys, { goalId, source: 'call', sourceId: callId }, images);
}
