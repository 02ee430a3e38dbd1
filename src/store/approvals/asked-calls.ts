import { createHash } from 'node:crypto';
import type { Approval } from '../../../schema/approval.ts';
import type { CoveredCalls } from '../../../schema/stored-rule.ts';
import type { RequestedCall } from '../../contract/conversation.ts';
import type { AskedCall } from '../../contract/tool-call.ts';
import type { TurnFacts } from '../../contract/turn-facts.ts';
import { coverageOf } from '../../policy/covered-calls.ts';
import type { Executor, Transaction } from '../client.ts';
import type { Row } from '../row.ts';

/** Most characters of one argument that a person is shown. */
const SHOWN_CHARACTERS = 4000;

const inputHash = (input: string): string => createHash('sha256').update(input).digest('hex');

/** Data about a call for the person who decides about it. */
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
    ...(call === undefined ? {} : await offeredAlways(tx, goalId, call)),
  };
}

export interface OfferedAlways {
  readonly workspace: string;
  readonly covers: CoveredCalls;
}

/** What is shown to a person is what a rule will say. */
async function offeredAlways(
  tx: Transaction,
  goalId: string,
  { tool, input, isMasked }: RequestedCall,
): Promise<Approval['data']> {
  // A secret is stored nowhere, so no rule can name it.
  const covers = isMasked === true ? null : coverageOf(tool, parsed(input));
  if (covers === null) return {};
  const [{ workspace }] = await tx<[{ workspace: string }]>`
    SELECT coalesce(w.origin, g.workspace_name) AS workspace FROM goal g
    LEFT JOIN workspace w ON w.name = g.workspace_name WHERE g.goal_id = ${goalId}`;
  return { always: { workspace, covers } };
}

const parsed = (input: string): unknown => {
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return null;
  }
};

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

type AskedRow = Row<'approval', 'approval_id' | 'state' | 'decided_by' | 'note'> & {
  readonly rule: string;
  readonly input_sha256: string;
  readonly was_spoken_since: boolean;
};

export async function readAskedCall(
  db: Executor,
  goalId: string,
  callId: string,
): Promise<AskedCall | null> {
  const [row] = await db<AskedRow[]>`
    SELECT approval_id, state, data->>'rule' AS rule, data->>'inputSha256' AS input_sha256,
      decided_by, note, (
        SELECT count(*) > 0 FROM event decided JOIN event e USING (goal_id)
        WHERE decided.goal_id = approval.goal_id AND decided.type = 'goal.decided'
          AND decided.data->>'approvalId' = approval.approval_id AND e.seq > decided.seq
          AND (e.type = 'goal.paused'
            OR e.type = 'goal.messaged' AND e.data->>'role' IS DISTINCT FROM 'agent')
      ) OR EXISTS (
        WITH RECURSIVE above (goal_id) AS (
          SELECT parent_goal_id FROM delegate WHERE child_goal_id = approval.goal_id
          UNION
          SELECT d.parent_goal_id FROM delegate d JOIN above ON d.child_goal_id = above.goal_id
        )
        SELECT 1 FROM event e JOIN above USING (goal_id)
        WHERE e.type = 'goal.paused' AND e.at >= approval.decided_at
      ) AS was_spoken_since
    FROM approval WHERE goal_id = ${goalId} AND call_id = ${callId} AND kind = 'tool'`;
  if (row === undefined) return null;
  return {
    approvalId: row.approval_id,
    state: row.state,
    rule: row.rule,
    inputSha256: row.input_sha256,
    by: row.decided_by,
    note: row.note,
    wasSpokenSince: row.was_spoken_since,
  };
}
