import type { IntakePort } from '../../contract/intake.ts';
import type { Mutation } from '../../contract/mutation.ts';
import type { ReportedCall, SessionReport } from '../../contract/session-report.ts';
import { isByProgram } from '../../record/mutation/persons-word.ts';
import type { Executor, Transaction } from '../client.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';
import { appendMessages } from './messages.ts';

/** A session may make any number of calls in a turn; the newest beyond these are left out. */
const MOST_CALLS = 500;

type Told = Extract<Mutation, { kind: 'prompt' | 'end_turn' }>;

/**
 * What a session says of a goal whose journal row is locked. A prompt was heard by the session
 * itself, so it goes into the conversation and to nobody. The end of a turn takes all that came
 * since the end before it, and charges the time since the person's last word.
 */
export async function storeToldBySession(
  tx: Transaction,
  keys: LedgerKeys,
  { goalId, turn }: { readonly goalId: string; readonly turn: number },
  mutation: Told,
  text: string,
): Promise<void> {
  const { commitId, sessionId, kind } = mutation;
  const isEnd = kind === 'end_turn';
  await insert(tx, goalId, {
    reportId: isEnd ? `end-${turn}` : `prompt-${commitId}`,
    ...{ sessionId, kind: isEnd ? 'end' : 'prompt', body: isEnd ? { text } : {} },
  });
  if (!isEnd) {
    const voice = isByProgram(mutation) ? 'agent' : 'person';
    await appendMessages(tx, keys, goalId, [{ turn, step: null, voice, content: { text } }]);
    return;
  }
  await tx`
    UPDATE session_report SET turn = ${turn} WHERE goal_id = ${goalId} AND turn IS NULL`;
  await tx`
    UPDATE journal SET active_ms = active_ms + (
      SELECT greatest(0, extract(epoch FROM now() - greatest(t.started_at, (
        SELECT max(r.at) FROM session_report r
        WHERE r.goal_id = t.goal_id AND r.turn = t.turn AND r.kind = 'prompt'))) * 1000)::bigint
      FROM turn t WHERE t.goal_id = ${goalId} AND t.turn = ${turn})
    WHERE goal_id = ${goalId}`;
}

interface NewReport {
  readonly reportId: string;
  readonly sessionId: string;
  readonly kind: SessionReport['kind'];
  readonly body: object;
}

async function insert(sql: Executor, goalId: string, told: NewReport): Promise<boolean> {
  const { reportId, sessionId, kind, body } = told;
  const stored = await sql`
    INSERT INTO session_report (goal_id, report_id, session_id, kind, body)
    SELECT ${goalId}, ${reportId}, ${sessionId}, ${kind}, ${sql.json(storable(body))}
    WHERE ${kind !== 'call'} OR (
      SELECT count(*) FROM session_report
      WHERE goal_id = ${goalId} AND turn IS NULL AND kind = 'call') < ${MOST_CALLS}
    ON CONFLICT (goal_id, report_id) DO NOTHING`;
  return stored.count === 1;
}

/** The same call told twice is one. */
export const storeReportedCall = (
  sql: Executor,
  goalId: string,
  { callId, sessionId, ...body }: Parameters<IntakePort['reportCall']>[1],
): Promise<boolean> =>
  insert(sql, goalId, { reportId: `call-${callId}`, sessionId, kind: 'call', body });

type ReportColumns = Row<'session_report', 'kind' | 'session_id' | 'body'>;

export async function readSessionReports(
  sql: Executor,
  goalId: string,
  turn: number,
): Promise<SessionReport[]> {
  const rows = await sql<ReportColumns[]>`
    SELECT kind, session_id, body FROM session_report
    WHERE goal_id = ${goalId} AND turn = ${turn} ORDER BY seq`;
  return rows.map(({ kind, session_id: sessionId, body }): SessionReport => {
    if (kind === 'prompt') return { kind, sessionId };
    return kind === 'call'
      ? { kind, sessionId, body: body as ReportedCall }
      : { kind, sessionId, body: body as { readonly text: string } };
  });
}
