import type { AttachmentRef } from '../../../schema/attachment.ts';
import type { Plan, TodoList } from '../../../schema/todo.ts';
import { RecordAltered } from '../../contract/failures.ts';
import type { AgentSession, GoalBrief } from '../../contract/goal-brief.ts';
import type { JournaledStep, JournalPort, Unread } from '../../contract/journal.ts';
import { resolvePolicy } from '../../goal/defaults.ts';
import { readDecidedApprovals, readOpenProposals } from '../approvals/approvals.ts';
import { readAskedCall } from '../approvals/asked-calls.ts';
import { eachOnce, peoplesAttachments } from '../attachments/attachments.ts';
import { ofLedger } from '../changed-files.ts';
import type { Database, Executor } from '../client.ts';
import { setAsideOf } from '../delegates/delegate-usage.ts';
import { readOwnDelegates } from '../delegates/delegates.ts';
import { readDisputes, stageDispute } from '../disputes/disputes.ts';
import { readWithSeals } from '../ledger/altered-decided.ts';
import {
  alterationOf,
  alterationText,
  type SealedGoalRow,
  sealedGoalColumns,
} from '../ledger/altered-goal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { type StoredLedgerRow, toLedgerRow } from '../ledger/ledger-row.ts';
import {
  createRecordWatch,
  type RecordWatch,
  type Watched,
  watched,
} from '../ledger/record-watch.ts';
import { refusedTeller, type TellRefused } from '../ledger/tell-refused.ts';
import { totalOf } from '../ledger/usage-seal.ts';
import {
  ALTERED_WORKSPACE,
  isWorkspaceIntact,
  type SealedWorkspace,
  sealedWorkspace,
} from '../ledger/workspace-seal.ts';
import { newestRequirements, readProposedChanges } from '../requirements/requirements.ts';
import type { OuterRow, Row } from '../row.ts';
import { readProposedScopes } from '../scopes/scopes.ts';
import { readElection } from '../waits/elections.ts';
import { isBrought, readHeardEvents } from '../waits/events.ts';
import { isAmended } from './amended.ts';
import { readSessionReports } from './session-reports.ts';

type Reads = Pick<
  JournalPort,
  | 'brief'
  | 'sessionReports'
  | 'turn'
  | 'receipts'
  | 'todos'
  | 'decidedApprovals'
  | 'openProposals'
  | 'disputes'
  | 'proposedChanges'
  | 'proposedScopes'
  | 'stageDispute'
  | 'askedAbout'
  | 'unread'
  | 'heardEvents'
  | 'delegates'
>;

/** Reads everything from the record that a slice needs to go on. */
export function journalReads(db: Database, keys: LedgerKeys): Reads {
  const sealing = { keys, tell: refusedTeller(db, keys), watch: createRecordWatch(db, keys) };
  return {
    brief: (goalId) => readBrief(db, sealing, goalId),
    sessionReports: (goalId, turn) => readSessionReports(db, goalId, turn),

    async turn(goalId, turn) {
      const [steps, rows] = await Promise.all([
        readSteps(db, goalId, turn),
        db<StoredLedgerRow[]>`
          SELECT * FROM ledger l WHERE ${ofLedger(db, goalId)} AND turn = ${turn} ORDER BY seq`,
      ]);
      const of = (phase: string) => rows.filter((row) => row.phase === phase).map(toLedgerRow);
      return { steps, started: of('started'), settled: of('settled') };
    },

    async receipts(goalId) {
      const rows = await db<StoredLedgerRow[]>`
        SELECT * FROM ledger l WHERE ${ofLedger(db, goalId)} AND phase = 'settled' ORDER BY seq`;
      return rows.map(toLedgerRow);
    },

    todos: (goalId) => readTodos(db, goalId),
    decidedApprovals: (goalId) =>
      asSealed(db, sealing, goalId, (sql) => readDecidedApprovals(sql, goalId)),
    openProposals: (goalId) => readOpenProposals(db, goalId),
    proposedChanges: (goalId) => readProposedChanges(db, goalId),
    proposedScopes: (goalId) => readProposedScopes(db, goalId),
    disputes: (goalId) => readDisputes(db, goalId),
    stageDispute: (fence, dispute) => stageDispute(db, fence, dispute),
    askedAbout: (goalId, callId) =>
      asSealed(db, sealing, goalId, (sql) => readAskedCall(sql, goalId, callId)),

    async heardEvents(goalId, name) {
      const { events, altered } = await readHeardEvents(db, keys, goalId);
      for (const deliveryId of altered)
        await sealing.tell(deliveryId, { altered: ['delivery'], goal: goalId });
      return { heard: events.length, isBrought: await isBrought(db, name) };
    },

    async unread(goalId) {
      const [row] = await db<[Unread]>`
        SELECT count(*) FILTER (WHERE voice = 'person')::int AS persons,
          count(*) FILTER (WHERE voice = 'agent')::int AS programs,
          ${isAmended(db, goalId)} AS "isAmended"
        FROM inbox WHERE goal_id = ${goalId} AND taken_by_turn IS NULL`;
      return row;
    },

    delegates: (goalId) => readOwnDelegates(db, goalId),
  };
}

/**
 * What somebody decided, read at one moment with its seals: what stood there for a moment only decides
 * nothing.
 * @throws RecordAltered
 */
async function asSealed<Found>(
  db: Database,
  { keys, tell }: Sealing,
  goalId: string,
  read: (sql: Executor) => Promise<Found>,
): Promise<Found> {
  const { found, altered } = await readWithSeals(db, keys, goalId, read);
  if (altered.length === 0) return found;
  await tell(goalId, { altered });
  const [goal] = await db<Row<'goal', 'mode'>[]>`SELECT mode FROM goal WHERE goal_id = ${goalId}`;
  throw new RecordAltered(alterationText(goalId, { altered }), goal?.mode ?? 'gather');
}

/** The canonical list: its newest version. */
export async function readTodos(sql: Executor, goalId: string): Promise<TodoList> {
  const [list] = await sql<TodoList[]>`${newestTodos(sql, goalId)}`;
  return list ?? NO_TODOS;
}

const NO_TODOS: TodoList = { revision: 0, items: [] };

const newestTodos = (sql: Executor, goalId: string) => sql`
  SELECT revision, items FROM todo_list
  WHERE goal_id = ${goalId} ORDER BY revision DESC LIMIT 1`;

/** The newest version; null where the model wrote none. */
export async function readPlan(sql: Executor, goalId: string): Promise<Plan | null> {
  const [plan] = await sql<Plan[]>`${newestPlan(sql, goalId)}`;
  return plan ?? null;
}

const newestPlan = (sql: Executor, goalId: string) => sql`
  SELECT revision, markdown, created_at AS "writtenAt" FROM plan
  WHERE goal_id = ${goalId} ORDER BY revision DESC LIMIT 1`;

type BriefRow = SealedGoalRow &
  Row<'goal', 'criteria_revision' | 'revision'> & {
    readonly workspace: SealedWorkspace;
    readonly write_seq: number;
    readonly last_decision: GoalBrief['lastDecision'];
    readonly limit: GoalBrief['limit'];
    readonly fallback: GoalBrief['fallback'];
    readonly generation: number;
    readonly agent_session: AgentSession | null;
    readonly checkpoint: NonNullable<GoalBrief['checkpoint']> | null;
    readonly is_rewinding: boolean;
    readonly is_amended: boolean;
    readonly watched: Watched | null;
    readonly todos: TodoList | null;
    readonly requirements: Row<'requirement_list', 'items'>['items'] | null;
    readonly plan: string | null;
    readonly attachments_of_people: readonly AttachmentRef[];
  };

/** @throws RecordAltered where the goal's row or its workspace's is not what was sealed; the security log tells it */
async function readBrief(
  db: Database,
  { keys, tell, watch }: Sealing,
  goalId: string,
): Promise<GoalBrief> {
  const before = watch.known(goalId);
  const reading = db<BriefRow[]>`
      SELECT ${sealedGoalColumns(db)}, ${watched(db, keys, goalId, before)} AS watched, j.agent_session,
        (SELECT to_jsonb(t) FROM (${newestTodos(db, goalId)}) t) AS todos,
        (SELECT r.items FROM (${newestRequirements(db, goalId)}) r) AS requirements,
        (SELECT p.markdown FROM (${newestPlan(db, goalId)}) p) AS plan,
        ${peoplesAttachments(db, goalId)} AS attachments_of_people,
        g.criteria_revision, g.revision,
        coalesce((g.snapshot->'context'->>'generation')::int, 0) AS generation,
        g.snapshot->'context'->'limit' AS limit, g.snapshot->'context'->'fallback' AS fallback,
        (SELECT ${sealedWorkspace(db)} FROM workspace p WHERE p.name = w.name) AS workspace, w.write_seq,
        (SELECT jsonb_build_object('turn', c.turn, 'writeSeq', c.write_seq) FROM checkpoint c
          WHERE c.goal_id = g.goal_id ORDER BY c.number DESC LIMIT 1) AS checkpoint,
        EXISTS (SELECT 1 FROM rewind r WHERE r.goal_id = g.goal_id AND r.state = 'begun')
          AS is_rewinding,
        j.amended_revision > j.told_revision AS is_amended,
        (SELECT jsonb_build_object('rule', d.rule::int, 'action', d.action,
            'sentence', d.sentence, 'missing', d.missing,
            'reasons', coalesce(d.outcome->'reasons', '{}'), 'score',
            coalesce((d.score->>'total')::int, 0))
          FROM decision d WHERE d.goal_id = g.goal_id ORDER BY d.turn DESC LIMIT 1
        ) AS last_decision
      FROM goal g JOIN journal j USING (goal_id) JOIN workspace w ON w.name = g.workspace_name
      WHERE g.goal_id = ${goalId}`;
  const [[row], wait] = await Promise.all([reading, readElection(db, keys, goalId)]);
  if (row === undefined) throw new TypeError(`The record has no goal ${goalId}`);
  const altered = await watch.judge(goalId, before, row.watched);
  const attachments = eachOnce(row.attachments_of_people);
  const requirements = row.requirements ?? [];
  const alteration = alterationOf(keys, row, [
    ...altered,
    ...(wait.isAltered ? (['wait'] as const) : []),
  ]);
  if (alteration !== null) {
    await tell(goalId, { ...alteration });
    throw new RecordAltered(alterationText(goalId, alteration), row.mode);
  }
  const { workspace } = row;
  if (!isWorkspaceIntact(keys, workspace)) {
    await tell(goalId, { workspace: workspace.name, path: workspace.path, host: workspace.host });
    throw new RecordAltered(`The workspace ${workspace.name}: ${ALTERED_WORKSPACE}.`, row.mode);
  }
  return {
    goalId,
    objective: row.objective,
    ...(row.planned_by === null ? {} : { plannedBy: row.planned_by }),
    ...(row.continues === null ? {} : { continues: row.continues }),
    ...(row.agent === null ? {} : { agent: row.agent }),
    ...(row.driver === 'external' ? { isExternal: true } : {}),
    ...(row.agent_session === null ? {} : { agentSession: row.agent_session }),
    ...(row.attachments === null ? {} : { attached: row.attachments }),
    ...(attachments.length === 0 ? {} : { attachments }),
    mode: row.mode,
    model: row.model,
    fallbackModel: row.fallback_model,
    fallback: row.fallback,
    revision: row.revision,
    ...(row.is_amended ? { isAmended: true } : {}),
    criteria: row.criteria,
    criteriaRevision: row.criteria_revision,
    budget: row.budget,
    usage: totalOf(row.tree),
    setAside: setAsideOf(goalId, row),
    policy: resolvePolicy(row.policy),
    scope: row.scope,
    setup: row.setup ?? [],
    toolRules: row.tool_rules,
    todos: row.todos ?? NO_TODOS,
    ...(requirements.length === 0 ? {} : { requirements }),
    plan: row.plan,
    workspace: {
      ...{ name: workspace.name, path: workspace.path, marker: workspace.marker },
      ...{ origin: workspace.origin, branch: workspace.branch, writeSeq: row.write_seq },
    },
    checkpoint: row.checkpoint,
    isRewinding: row.is_rewinding,
    baseline: row.baseline,
    limit: row.limit,
    detectsCriteria: row.detects_criteria,
    textTokens: row.text_tokens,
    generation: row.generation,
    election: wait.election,
    lastDecision: row.last_decision,
  };
}

interface Sealing {
  readonly keys: LedgerKeys;
  readonly watch: RecordWatch;
  readonly tell: TellRefused;
}

type StepRow = Row<
  'step',
  | 'kind'
  | 'step'
  | 'attempt'
  | 'token'
  | 'state'
  | 'finish_reason'
  | 'model'
  | 'estimated_input'
  | 'reserved_output'
  | 'estimated_output'
  | 'estimated_cost_usd'
  | 'prices_version'
> &
  OuterRow<'message', 'content'> & {
    readonly is_charged: boolean;
    readonly has_error: boolean;
  };

async function readSteps(db: Database, goalId: string, turn: number): Promise<JournaledStep[]> {
  const rows = await db<StepRow[]>`
    WITH said AS (
      SELECT DISTINCT ON (step) step, content FROM message
      WHERE goal_id = ${goalId} AND turn = ${turn} AND voice = 'model'
      ORDER BY step, seq DESC
    )
    SELECT s.kind, s.step, s.attempt, s.token, s.state, s.model, s.finish_reason,
      s.estimated_input, s.reserved_output, s.estimated_output, s.prices_version,
      trim_scale(s.estimated_cost_usd)::text AS estimated_cost_usd, said.content,
      s.input_tokens + s.output_tokens > 0 AS is_charged, s.error IS NOT NULL AS has_error
    FROM step s LEFT JOIN said ON said.step = s.step
      AND s.kind = 'turn' AND s.state = 'committed'
    WHERE s.goal_id = ${goalId} AND s.turn = ${turn}
    ORDER BY s.kind DESC, s.step, s.attempt`;
  return rows.map((row) => ({
    kind: row.kind,
    step: row.step,
    attempt: row.attempt,
    token: row.token,
    state: row.state,
    finishReason: row.finish_reason,
    estimatedInput: row.estimated_input,
    reservedOutput: row.reserved_output,
    model: row.model,
    ifLost: {
      inputTokens: row.estimated_input,
      cachedInputTokens: 0,
      outputTokens: row.estimated_output,
      costUsd: row.estimated_cost_usd,
      isEstimated: true,
      pricesVersion: row.prices_version,
    },
    isCharged: row.is_charged,
    isPaidFailure: row.state === 'failed' && row.has_error && row.is_charged,
    text: row.content?.text ?? '',
    calls: row.content?.calls ?? [],
  }));
}
