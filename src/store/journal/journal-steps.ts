import type { MessageContent } from '../../contract/conversation.ts';
import { Superseded } from '../../contract/failures.ts';
import type { Fence } from '../../contract/fence.ts';
import type { CallUsage, JournalPort, StepPlace } from '../../contract/journal.ts';
import type { SpendLimit } from '../../contract/spend.ts';
import type { CallStart } from '../../contract/tool-call.ts';
import type { Database, Executor, Transaction } from '../client.ts';
import { eventList, type NewEvent } from '../events.ts';
import { assertFence } from '../fence.ts';
import { storable } from '../json.ts';
import { sealStored } from '../ledger/counted-seal.ts';
import type { LedgerHeads } from '../ledger/ledger-heads.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { insertOfRow, type StoredLedgerRow } from '../ledger/ledger-row.ts';
import { headMovedTo } from '../ledger/store-seals.ts';
import type { Charge, SealCharge, UsageHeads } from '../ledger/usage-seal.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { addActive } from '../usage-row.ts';
import { beginStep } from './begin-step.ts';
import { callStarted, startedEntry } from './journal-calls.ts';
import { sentPrompts } from './sent-prompts.ts';

type Steps = Pick<JournalPort, 'beginStep' | 'loseStep' | 'failStep' | 'commitStep'>;

interface StepEnd extends StepPlace {
  readonly state: 'committed' | 'lost' | 'failed';
  readonly usage: CallUsage | null;
  readonly finishReason: string | null;
  readonly error: unknown;
  readonly message: MessageContent | null;
  readonly firstTokenMs?: number | undefined;
  readonly activeMs?: number | undefined;
}

/** Model calls: sent, then committed, failed or lost; charged when they end, and once. */
export function journalSteps(
  db: Database,
  heads: LedgerHeads,
  usage: UsageHeads,
  limits: () => readonly SpendLimit[],
): Steps {
  const store = { db, heads, prompts: sentPrompts(db), limits };
  const end = (fence: Fence, ended: StepEnd) => endCharged(db, usage, fence, ended);
  return {
    beginStep: (fence, begun) => beginStep(store, fence, begun),

    async loseStep(fence, step) {
      await end(fence, { ...step, ...NOTHING_SAID, state: 'lost' });
    },

    async failStep(fence, { trouble, partialText, ...step }) {
      const hasText = partialText !== null && partialText.trim() !== '';
      await end(fence, {
        ...step,
        ...NOTHING_SAID,
        state: 'failed',
        error: trouble,
        message: hasText ? { text: partialText, isError: true } : null,
      });
    },

    async commitStep(fence, { content, firstCall, ...step }) {
      const ended = { ...step, state: 'committed', error: null, message: content } as const;
      const began =
        firstCall !== undefined &&
        (await usage.charging(fence.goalId, (seal) =>
          endWithCall(db, heads, fence, ended, { call: firstCall, seal }),
        ));
      if (began) return { hasBegun: true };
      await end(fence, ended);
      return { hasBegun: false };
    },
  };
}

const NOTHING_SAID = { finishReason: null, error: null, message: null } as const;

const FREE: CallUsage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: '0',
  isEstimated: false,
  pricesVersion: null,
};

const chargeOf = ({ usage, activeMs = 0 }: StepEnd): Charge => ({
  ...(usage ?? {}),
  ...{ steps: usage === null ? 0 : 1, attemptMs: activeMs },
});

async function endCharged(
  db: Database,
  usage: UsageHeads,
  fence: Fence,
  end: StepEnd,
): Promise<void> {
  const isEnded = await usage.charging(fence.goalId, (seal) =>
    storeEnd(db, fence, end, { ...alone(end), keys: usage.keys, seal }),
  );
  if (!isEnded) await assertEndedBefore(db, fence, end);
}

const alone = (end: StepEnd) => ({ events: eventsOf(end), row: null });

/**
 * One statement: lock the hot row behind the fence, move the step out of `sent` (which only one
 * caller can), charge, and append. A repeat finds the step moved and changes nothing. In a transaction,
 * which seals the charge itself.
 */
export async function endStep(
  tx: Transaction,
  keys: LedgerKeys,
  fence: Fence,
  end: StepEnd,
): Promise<void> {
  if (await storeEnd(tx, fence, end, { ...alone(end), keys, seal: () => null })) return;
  await assertEndedBefore(tx, fence, end);
}

/**
 * Returns false, with nothing stored, when the goal is closed or the step or ledger has moved on.
 */
async function endWithCall(
  db: Database,
  heads: LedgerHeads,
  fence: Fence,
  end: StepEnd,
  { call, seal }: { readonly call: CallStart; readonly seal: SealCharge },
): Promise<boolean> {
  const row = await heads.next(fence.goalId, startedEntry(fence, call));
  const events = [...eventsOf(end), callStarted(call)];
  const isStored = await storeEnd(db, fence, end, { events, row, keys: heads.keys, seal });
  if (isStored) heads.stored(row);
  else heads.forget(fence.goalId);
  return isStored;
}

interface AppendedWithEnd {
  readonly events: readonly NewEvent[];
  /** The start of a call. */
  readonly row: StoredLedgerRow | null;
  readonly keys: LedgerKeys;
  /** Of what the goal has used by then. */
  readonly seal: SealCharge;
}

async function storeEnd(
  db: Executor,
  fence: Fence,
  end: StepEnd,
  { events, row, keys, seal }: AppendedWithEnd,
): Promise<boolean> {
  const usage = end.usage ?? FREE;
  const { turn, step, message: content } = end;
  const said = { goal_id: fence.goalId, turn, step, voice: 'model', content };
  const isAtHead = (row: StoredLedgerRow) => db`
        AND is_open AND ledger_seq = ${row.seq - 1} AND ledger_head = ${row.previous}`;
  const ended = await db`
    WITH j AS (
      SELECT goal_id FROM journal
      WHERE goal_id = ${fence.goalId} AND epoch = ${fence.epoch} AND token = ${fence.token}
        ${row === null ? db`` : isAtHead(row)}
      FOR UPDATE
    ), s AS (
      UPDATE step SET state = ${end.state}, input_tokens = ${usage.inputTokens},
        cached_input_tokens = ${usage.cachedInputTokens}, output_tokens = ${usage.outputTokens},
        cost_usd = ${usage.costUsd}::numeric, is_estimated = ${usage.isEstimated},
        prices_version = coalesce(${usage.pricesVersion}, prices_version),
        finish_reason = ${end.finishReason}, first_token_ms = ${end.firstTokenMs ?? null},
        error = ${end.error === null ? null : db.json(storable(end.error))}, ended_at = now()
      FROM j
      WHERE step.goal_id = j.goal_id AND step.turn = ${end.turn} AND step.kind = ${end.kind}
        AND step.step = ${end.step} AND step.attempt = ${end.attempt} AND step.state = 'sent'
      RETURNING step.goal_id
    ), u AS (
      UPDATE journal SET
        message_seq = message_seq + ${end.message === null ? 0 : 1}::int,
        event_seq = event_seq + ${events.length}::int,
        input_tokens = input_tokens + ${usage.inputTokens}::bigint,
        cached_input_tokens = cached_input_tokens + ${usage.cachedInputTokens}::bigint,
        output_tokens = output_tokens + ${usage.outputTokens}::bigint,
        cost_usd = cost_usd + ${usage.costUsd}::numeric,
        steps = steps + ${end.usage === null ? 0 : 1}::int,
        ${row === null ? db`` : db`${headMovedTo(db, keys, row)},`}
        ${addActive(db, end.activeMs ?? 0)}
      FROM s WHERE journal.goal_id = s.goal_id
      RETURNING journal.goal_id, message_seq, event_seq - ${events.length}::int AS event_base
    ), m AS (
      INSERT INTO message (goal_id, seq, turn, step, voice, content, seal)
      SELECT goal_id, message_seq, ${turn}::int, ${step}::int, 'model',
        ${db.json(storable(content))}, ${content === null ? null : sealWritten(keys, 'message', said)}
      FROM u WHERE ${content !== null}
    )${sealStored(db, seal(chargeOf(end)), db`u`)}${row === null ? db`` : db`, l AS (${insertOfRow(db, row)} FROM u)`}
    INSERT INTO event (goal_id, seq, type, data)
    SELECT goal_id, event_base + e.n, e.type, e.data
    FROM u, jsonb_to_recordset(${eventList(db, events)}) AS e(n int, type text, data jsonb)`;
  return ended.count > 0;
}

function eventsOf({
  turn,
  kind,
  step,
  attempt,
  state,
  finishReason,
  usage,
  message,
  error,
}: StepEnd): NewEvent[] {
  const tokens =
    usage === null ? 0 : usage.inputTokens - usage.cachedInputTokens + usage.outputTokens;
  const costUsd = usage?.costUsd ?? '0';
  const data = { turn, kind, step, attempt, finishReason, tokens, costUsd };
  const ended = { type: `step.${state}`, data: error === null ? data : { ...data, error } };
  const added = { type: 'message.added', data: { turn, step, voice: 'model' } };
  return message === null ? [ended] : [ended, added];
}

async function assertEndedBefore(db: Executor, fence: Fence, end: StepEnd): Promise<void> {
  await assertFence(db, fence, 'ending');
  const [stored] = await db<Row<'step', 'state'>[]>`
    SELECT state FROM step WHERE goal_id = ${fence.goalId} AND turn = ${end.turn}
      AND kind = ${end.kind} AND step = ${end.step} AND attempt = ${end.attempt}`;
  if (stored?.state === end.state) return;
  const name = `${fence.goalId} turn ${end.turn} ${end.kind} ${end.step}.${end.attempt}`;
  throw new Superseded(`${name} is ${stored?.state ?? 'unknown'}, it cannot become ${end.state}`);
}
