import type { StoredRequest } from '../../contract/asked-request.ts';
import type { Fence } from '../../contract/fence.ts';
import type { JournalPort } from '../../contract/journal.ts';
import type { SpendLimit } from '../../contract/spend.ts';
import type { CallEnd } from '../../contract/tool-call.ts';
import { type Database, type Executor, isUniqueViolation } from '../client.ts';
import { eventList, type NewEvent } from '../events.ts';
import { assertFence } from '../fence.ts';
import { storable } from '../json.ts';
import type { LedgerHeads } from '../ledger/ledger-heads.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { insertOfRow, type StoredLedgerRow } from '../ledger/ledger-row.ts';
import { headMovedTo } from '../ledger/store-seals.ts';
import { holdingLimits } from '../spend/held-call.ts';
import { steering } from './inbox.ts';
import { sealOfResult, settlement } from './journal-calls.ts';
import type { SentPrompts } from './sent-prompts.ts';

type Begun = Parameters<JournalPort['beginStep']>[1];

type BegunStep = Omit<Begun, 'asked'> & { readonly request: StoredRequest | null };

export interface StepStore {
  readonly db: Database;
  readonly heads: LedgerHeads;
  readonly prompts: SentPrompts;
  /** The operator's limits as they are now. */
  readonly limits: () => readonly SpendLimit[];
}

/** The settled end of a call, as it is appended with the step that follows. */
interface Settled {
  readonly keys: LedgerKeys;
  readonly row: StoredLedgerRow;
  readonly events: readonly NewEvent[];
  readonly message: unknown;
}

export async function beginStep(
  { db, heads, prompts, limits }: StepStore,
  fence: Fence,
  { asked, ...step }: Begun,
): Promise<boolean> {
  const begun = { ...step, request: asked === undefined ? null : await prompts.refer(asked) };
  const { settles } = begun;
  const storing: Storing = (settled) => storeHeld(db, limits(), fence, begun, settled);
  if (settles !== undefined) return await settleAndBegin(heads, fence, settles, storing);
  try {
    const isStored = await storing(null);
    if (!isStored) await assertFence(db, fence, 'beginning');
    return isStored;
  } catch (error) {
    if (!isUniqueViolation(error, 'step_pkey')) throw error;
    return true;
  }
}

/**
 * Returns false, with nothing stored, for any reason; run apart, each statement reports its own
 * reason.
 */
async function settleAndBegin(
  heads: LedgerHeads,
  fence: Fence,
  end: CallEnd,
  storing: Storing,
): Promise<boolean> {
  const { entry, events, message } = settlement(fence, end, undefined);
  const row = await heads.next(fence.goalId, entry);
  const isStored = await storing({ keys: heads.keys, row, events, message }).catch(
    (error: unknown) => {
      if (CONFLICTS.some((constraint) => isUniqueViolation(error, constraint))) return false;
      heads.forget(fence.goalId);
      throw error;
    },
  );
  if (isStored) heads.stored(row);
  else heads.forget(fence.goalId);
  return isStored;
}

const CONFLICTS = ['step_pkey', 'ledger_goal_id_call_id_phase_key'];

/** Stores the step with the end of the call before it, where there is one. */
type Storing = (settled: Settled | null) => Promise<boolean>;

/** Within the spend limits of the service, where it has any and the call spends. */
function storeHeld(
  db: Database,
  limits: readonly SpendLimit[],
  fence: Fence,
  begun: BegunStep,
  settled: Settled | null,
): Promise<boolean> {
  const { mostUsd, model, estimatedInput, reservedOutput } = begun;
  if (limits.length === 0 || mostUsd === undefined) return store(db, fence, begun, settled);
  const tokens = estimatedInput + reservedOutput;
  const call = { goalId: fence.goalId, model, tokens, costUsd: mostUsd };
  return holdingLimits(db, limits, call, (tx) => store(tx, fence, begun, settled));
}

async function store(
  db: Executor,
  fence: Fence,
  begun: BegunStep,
  settled: Settled | null,
): Promise<boolean> {
  const { turn, kind, step, attempt, model, estimatedInput, reservedOutput, ifLost } = begun;
  const mostUsd = begun.mostUsd ?? '0';
  const request = begun.request === null ? null : db.json(storable(begun.request));
  const seen = begun.revision ?? null;
  const isTold = kind === 'turn' && seen !== null && begun.tellsAll !== false;
  const data = { turn, kind, step, attempt, model };
  const events = [...(settled?.events ?? []), { type: 'step.started', data }];
  const stored = await db`
    WITH j AS (
      UPDATE journal SET ${settled === null ? db`` : chain(db, settled)}
        ${isTold ? db`told_revision = goal_revision,` : db``}
        event_seq = event_seq + ${events.length}::int
      WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch}
        AND token = ${fence.token} AND is_open AND NOT EXISTS (
          SELECT 1 ${steering(db, fence.goalId)}
            AND (s.voice = 'person' OR ${kind === 'turn'}))
        AND (${seen}::int IS NULL OR goal_revision = ${seen}::int)
        ${settled === null ? db`` : isAtHead(db, settled)}
      RETURNING goal_id, token, message_seq, event_seq - ${events.length}::int AS event_base
    ), s AS (
      INSERT INTO step (goal_id, turn, step, attempt, token, state, model,
        estimated_input, reserved_output, estimated_output, estimated_cost_usd, prices_version,
        kind, request, reserved_cost_usd)
      SELECT goal_id, ${turn}::int, ${step}::int, ${attempt}::int, token, 'sent', ${model},
        ${estimatedInput}::int, ${reservedOutput}::int, ${ifLost.outputTokens}::int,
        ${ifLost.costUsd}::numeric, ${ifLost.pricesVersion}, ${kind}, ${request},
        ${mostUsd}::numeric FROM j
    )${settled === null ? db`` : db`, ${appended(db, settled)}`}
    INSERT INTO event (goal_id, seq, type, data)
    SELECT goal_id, event_base + e.n, e.type, e.data
    FROM j, jsonb_to_recordset(${eventList(db, events)}) AS e(n int, type text, data jsonb)`;
  return stored.count > 0;
}

const chain = (db: Executor, { keys, row, message }: Settled) => db`
  ${headMovedTo(db, keys, row)},
  message_seq = message_seq + ${message === null ? 0 : 1}::int,`;

const isAtHead = (db: Executor, { row }: Settled) => db`
  AND ledger_seq = ${row.seq - 1} AND ledger_head = ${row.previous}`;

const appended = (db: Executor, { keys, row, message }: Settled) => db`
  l AS (${insertOfRow(db, row)} FROM j),
  m AS (
    INSERT INTO message (goal_id, seq, turn, step, voice, content, seal)
    SELECT goal_id, message_seq, ${row.turn}::int, ${row.step}::int, 'tool',
      ${db.json(storable(message))}, ${sealOfResult(keys, row, message)}
    FROM j WHERE ${message !== null}
  )`;
