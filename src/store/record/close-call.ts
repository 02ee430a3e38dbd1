import type { Outcome } from '../../../schema/ledger.ts';
import type { StepEvidence } from '../../../schema/todo.ts';
import type { RequestedCall } from '../../contract/conversation.ts';
import type { Decision } from '../../contract/decision.ts';
import type { SettledTurn } from '../../contract/record.ts';
import { claimText } from '../../goal/claim-text.ts';
import { refusalText } from '../../goal/waits/chain.ts';
import type { Transaction } from '../client.ts';
import { appendEvents } from '../events.ts';
import { appendMessages } from '../journal/messages.ts';
import type { ChainHead } from '../ledger/ledger-chain.ts';
import type { LedgerKey } from '../ledger/ledger-keys.ts';
import { chainEntry, type StoredLedgerRow } from '../ledger/ledger-row.ts';
import type { LockedGoal } from '../locked-goal.ts';

/** The claim, question or blocker that ended the turn, with its outcome. */
export interface ClosedCall {
  readonly head: ChainHead;
  /** What the model claimed, asked or reported. */
  readonly text: string;
  readonly options: readonly string[];
  /** Default answer of a question. */
  readonly defaultAnswer?: string | undefined;
}

interface CallArguments {
  readonly result?: string;
  /** Evidence of a claim. */
  readonly evidence?: readonly StepEvidence[];
  readonly question?: string;
  readonly blocker?: string;
  readonly options?: readonly string[];
  readonly default?: string;
}

export async function closeOpenCall(
  tx: Transaction,
  goal: LockedGoal,
  turn: SettledTurn,
  key: LedgerKey | null,
): Promise<ClosedCall | null> {
  const { facts, decision } = turn;
  const callId = openCallOf(facts);
  if (callId === null) return null;
  const rows = await tx<StoredLedgerRow[]>`
    SELECT * FROM ledger WHERE goal_id = ${goal.state.goalId} AND call_id = ${callId}`;
  const started = rows.find((row) => row.phase === 'started');
  if (started === undefined) return null;
  const asked = (started.body.arguments ?? {}) as CallArguments;
  const said = {
    text: saidIn(asked),
    options: asked.options ?? [],
    defaultAnswer: asked.default,
  };
  if (rows.some((row) => row.phase === 'settled')) return { ...said, head: goal.ledger };
  const end = facts.election ? endOfElection(decision) : endOf(facts.claim === null, decision);
  const head = await settle(tx, goal, started, end, key);
  return { ...said, head };
}

const saidIn = ({ result, evidence, question, blocker }: CallArguments): string =>
  result === undefined ? (question ?? blocker ?? '') : claimText(result, evidence ?? []);

const openCallOf = ({ claim, question, blocker, election }: SettledTurn['facts']): string | null =>
  (claim ?? question ?? blocker ?? election)?.callId ?? null;

interface End {
  readonly outcome: Outcome;
  readonly text: string;
}

function endOf(isRequest: boolean, decision: Decision): End {
  const { outcome, missing, reasons } = decision;
  if (outcome.action === 'complete') return { outcome: 'succeeded', text: 'Accepted.' };
  if (outcome.action === 'pause' && isRequest && ['question', 'blocked'].includes(outcome.reason)) {
    return { outcome: 'succeeded', text: 'This was put to the person.' };
  }
  const isPutToPerson =
    outcome.action === 'wait' ||
    (outcome.action === 'pause' && outcome.reason === 'unverified_claim');
  if (isPutToPerson) {
    return { outcome: 'succeeded', text: 'The claim was put to a person, who decides.' };
  }
  if (missing.length === 0) {
    return { outcome: 'refused', text: `Not taken: ${decision.sentence}` };
  }
  const lines = missing.map((id) => `- ${id}: ${reasons[id] ?? 'not proven'}`);
  return { outcome: 'refused', text: ['Refused. What is missing:', ...lines].join('\n') };
}

function endOfElection({ election, outcome, sentence }: Decision): End {
  if (election?.isGranted === false) return { outcome: 'refused', text: refusalText(election) };
  if (election === undefined || outcome.action !== 'wait') {
    return { outcome: 'refused', text: `No wake was scheduled: ${sentence}` };
  }
  if (outcome.on === 'delegate') {
    const text = 'No timer was set: the result of your delegate wakes you.';
    return { outcome: 'succeeded', text };
  }
  const { on, seconds, note } = election;
  const when = on === 'timer' ? `in ${seconds} s` : `when it holds, or after ${seconds} s`;
  const moved = note === null ? '' : ` You ${note}.`;
  return { outcome: 'succeeded', text: `The host wakes you ${when}.${moved}` };
}

async function settle(
  tx: Transaction,
  goal: LockedGoal,
  started: StoredLedgerRow,
  { outcome, text }: End,
  key: LedgerKey | null,
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
    key,
  );
  await tx`INSERT INTO ledger ${tx({ ...row, body: tx.json(row.body as never) })}`;
  await tx`
    UPDATE journal SET ledger_seq = ${row.seq}, ledger_head = ${row.hash}
    WHERE goal_id = ${goalId}`;
  const data = { turn, step, callId, tool, outcome };
  await appendEvents(tx, goalId, [{ type: 'call.settled', data }]);
  const providerId = await readProviderId(tx, goalId, started);
  const isError = outcome === 'succeeded' ? {} : { isError: true };
  const content = { text, callId, providerId, tool, ...isError };
  await appendMessages(tx, goalId, [{ turn, step, voice: 'tool', content }]);
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
