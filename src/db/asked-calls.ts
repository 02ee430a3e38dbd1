import { createHash } from 'node:crypto';
import type { Approval } from '../../schema/approval.ts';
import type { TurnFacts } from '../goal/facts.ts';
import type { AskedCall, RequestedCall } from '../turn/ports.ts';
import type { Database, Transaction } from './client.ts';

/** Of one argument, as a person is shown it. */
const SHOWN_CHARACTERS = 4000;

const inputHash = (input: string): string => createHash('sha256').update(input).digest('hex');

/** What a person is shown of the call that they decide about. */
export async function askedCallData(
  tx: Transaction,
  goalId: string,
  { approval, turn, detail }: TurnFacts,
): Promise<Approval['data']> {
  const callId = approval?.callId ?? '';
  const messages = await tx<{ calls: RequestedCall[] | null }[]>`
    SELECT content->'calls' AS calls FROM message
    WHERE goal_id = ${goalId} AND turn = ${turn} AND voice = 'model'`;
  const call = messages.flatMap(({ calls }) => calls ?? []).find((one) => one.callId === callId);
  const input = call?.input ?? '';
  return {
    detail,
    rule: approval?.rule ?? '',
    tool: call?.tool ?? '',
    arguments: shownArguments(input),
    inputSha256: inputHash(input),
  };
}

function shownArguments(input: string): unknown {
  const cut = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > SHOWN_CHARACTERS
      ? `${value.slice(0, SHOWN_CHARACTERS)}… (${value.length} characters)`
      : value;
  try {
    return JSON.parse(input, cut) as unknown;
  } catch {
    return cut('', input);
  }
}

interface AskedRow {
  readonly approval_id: string;
  readonly state: Approval['state'];
  readonly rule: string;
  readonly input_sha256: string;
  readonly decided_by: string | null;
  readonly note: string | null;
}

export async function readAskedCall(
  db: Database,
  goalId: string,
  callId: string,
): Promise<AskedCall | null> {
  const [row] = await db<AskedRow[]>`
    SELECT approval_id, state, data->>'rule' AS rule, data->>'inputSha256' AS input_sha256,
      decided_by, note
    FROM approval WHERE goal_id = ${goalId} AND call_id = ${callId} AND kind = 'tool'`;
  if (row === undefined) return null;
  return {
    approvalId: row.approval_id,
    state: row.state,
    rule: row.rule,
    inputSha256: row.input_sha256,
    by: row.decided_by,
    note: row.note,
  };
}
