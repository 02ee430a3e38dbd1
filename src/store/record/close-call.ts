import type { RequestedCall } from '../../contract/conversation.ts';
import type { SettledTurn } from '../../contract/record.ts';
import {
  type CallResult,
  type EndingArguments,
  openCallOf,
  resultOfOpenCall,
  saidIn,
} from '../../record/decision/closed-call.ts';
import type { Transaction } from '../client.ts';
import { appendMessages } from '../journal/messages.ts';
import type { ChainHead } from '../ledger/ledger-chain.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { chainEntry, type StoredLedgerRow } from '../ledger/ledger-row.ts';
import { headMovedTo } from '../ledger/store-seals.ts';
import type { LockedGoal } from '../locked-goal.ts';

/** The claim, question or blocker that ended the turn, with its outcome. */
export interface ClosedCall {
  readonly head: ChainHead;
  /** The model's claim, question or report. */
  readonly text: string;
  /** Of a claim: the command that shows it. */
  readonly command?: string | undefined;
  readonly options: readonly string[];
  /** Default answer of a question. */
  readonly defaultAnswer?: string | undefined;
}

export async function closeOpenCall(
  tx: Transaction,
  goal: LockedGoal,
  turn: SettledTurn,
  keys: LedgerKeys,
): Promise<ClosedCall | null> {
  const { facts, decision } = turn;
  const callId = openCallOf(facts);
  if (callId === null) return null;
  const rows = await tx<StoredLedgerRow[]>`
    SELECT * FROM ledger WHERE goal_id = ${goal.state.goalId} AND call_id = ${callId}`;
  const started = rows.find((row) => row.phase === 'started');
  if (started === undefined) return null;
  const asked = (started.body.arguments ?? {}) as EndingArguments;
  const said = {
    text: saidIn(asked),
    command: facts.claim === null ? undefined : asked.command,
    options: asked.options ?? [],
    defaultAnswer: asked.default,
  };
  if (rows.some((row) => row.phase === 'settled')) return { ...said, head: goal.ledger };
  const head = await settle(tx, goal, started, resultOfOpenCall(facts, decision), keys);
  return { ...said, head };
}

async function settle(
  tx: Transaction,
  goal: LockedGoal,
  started: StoredLedgerRow,
  { outcome, text }: CallResult,
  keys: LedgerKeys,
): Promise<ChainHead> {
  const { goalId } = goal.state;
  const { call_id: callId, turn, step, tool, effect } = started;
  const reason = outcome === 'succeeded' ? {} : { reason: text.slice(0, 2000) };
  const row = chainEntry(
    goalId,
    {
      phase: 'settled',
      callId,
      turn,
      step,
      token: goal.token,
      tool,
      effect,
      outcome,
      receipt: reason,
    },
    goal.ledger,
    keys.sealing,
  );
  await tx`INSERT INTO ledger ${tx({ ...row, body: tx.json(row.body as never) })}`;
  await tx`
    UPDATE journal SET ${headMovedTo(tx, keys, row)}
    WHERE goal_id = ${goalId}`;
  const data = { turn, step, callId, tool, outcome };
  const providerId = await readProviderId(tx, goalId, started);
  const isError = outcome === 'succeeded' ? {} : { isError: true };
  const content = { text, callId, providerId, tool, ...isError };
  const said = { turn, step, voice: 'tool', content } as const;
  await appendMessages(tx, keys, goalId, [said], [{ type: 'call.settled', data }]);
  return { seq: row.seq, hash: row.hash };
}

async function readProviderId(
  tx: Transaction,
  goalId: string,
  { turn, step, call_id }: StoredLedgerRow,
): Promise<string> {
  const messages = await tx<{ calls: RequestedCall[] | null }[]>`
    SELECT content->'calls' AS calls FROM message
    WHERE goal_id = ${goalId} AND turn = ${turn} AND step = ${step} AND voice = 'model'`;
  const calls = messages.flatMap(({ calls }) => calls ?? []);
  return calls.find(({ callId }) => callId === call_id)?.providerId ?? call_id;
}
