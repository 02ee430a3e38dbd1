import type { Activity, Goal } from '../../../schema/goal.ts';
import type { Isolation } from '../../../schema/isolation.ts';
import type { NotifyTarget, ShownTarget } from '../../../schema/notify.ts';
import type { Requirement } from '../../../schema/requirement.ts';
import type { Scope, ScopeNotice } from '../../../schema/scope.ts';
import type { TodoItem } from '../../../schema/todo.ts';
import type { Fallback } from '../../contract/goal-state.ts';
import type { StuckRun } from '../../contract/stuck-run.ts';
import type { WakeChain } from '../../contract/turn-facts.ts';
import { defaultPolicy, resolvePolicy } from '../../goal/defaults.ts';
import { tokensOf } from '../../goal/waits/chain.ts';
import { shownUrl } from '../../net/shown-url.ts';
import { checkedByPlan } from '../../proof/requirements/coverage.ts';
import { noProof } from '../../proof/scope/scope-notices.ts';
import { stuckActivity } from '../../record/status/stuck.ts';
import { unservedActivity } from '../../record/status/unserved.ts';
import type { Executor } from '../client.ts';
import {
  type DelegatedColumns,
  delegatedColumns,
  joinDelegated,
  toTotal,
} from '../delegates/delegate-usage.ts';
import { type LedgerKeys, noKeys } from '../ledger/ledger-keys.ts';
import type { SealRow } from '../ledger/seals.ts';
import type { Row } from '../row.ts';
import { toUsage, type UsageColumns, usageColumns } from '../usage-row.ts';
import { alteredShown, completionSeal, shownCompletion } from './shown-completion.ts';
import { isStranded, shownSince, stuckRun } from './unserved.ts';

export type GoalRow = Row<
  'goal',
  | 'goal_id'
  | 'thread_id'
  | 'parent_goal_id'
  | 'planned_by'
  | 'continues'
  | 'agent'
  | 'driver'
  | 'objective'
  | 'status'
  | 'pause'
  | 'activity'
  | 'revision'
  | 'criteria'
  | 'budget'
  | 'policy'
  | 'tool_rules'
  | 'notify'
  | 'completion'
  | 'model'
  | 'fallback_model'
  | 'text_tokens'
  | 'priority'
  | 'mode'
  | 'isolation'
  | 'workspace_name'
  | 'archived_at'
  | 'created_at'
  | 'updated_at'
> & {
  readonly handed_to: string | null;
  readonly follows: string | null;
  readonly followed_by: string | null;
  readonly following: { objective: string }[] | null;
  readonly following_refused: string | null;
  readonly workspace_origin: string | null;
  readonly workspace_branch: string | null;
  readonly scope: Scope | null;
  readonly notices: ScopeNotice[] | null;
  readonly no_proof: string | null;
  readonly fallback: Fallback | null;
  readonly chain: WakeChain | null;
  readonly workspace_path: string | null;
  readonly workspace_host: string | null;
  readonly is_stranded: boolean;
  readonly stuck: StuckRun | null;
  readonly shown_since: string;
  readonly todo_revision: number | null;
  readonly todo_items: TodoItem[] | null;
  readonly requirement_items: Requirement[] | null;
  readonly completion_seal: SealRow | null;
} & UsageColumns &
  DelegatedColumns;

/** Everything that callers may see of a goal; add WHERE and ORDER BY over `g`. */
export const selectGoal = (sql: Executor, also = sql``) => sql`
  SELECT ${also} g.goal_id, g.thread_id, g.parent_goal_id, g.planned_by, g.continues, g.agent, g.driver, g.objective, g.status, g.pause, g.activity,
    (SELECT h.goal_id FROM goal h WHERE h.planned_by = g.goal_id) AS handed_to,
    (SELECT f.goal_id FROM following_goals f WHERE f.begun_goal_id = g.goal_id) AS follows,
    n.begun_goal_id AS followed_by, n.goals AS following, n.refused AS following_refused,
    g.revision, g.criteria, g.budget, g.policy, g.tool_rules, g.notify, g.completion, g.model, g.fallback_model, g.mode,
    g.snapshot->'context'->'fallback' AS fallback, g.snapshot->'context'->'chain' AS chain,
    g.text_tokens, g.priority, g.baseline->'proof'->'scope' AS scope,
    g.baseline->'proof'->'notices' AS notices, g.baseline->'proof'->>'reason' AS no_proof,
    coalesce(j.isolation, (
      SELECT k.isolation FROM worker k WHERE k.host = w.host ORDER BY k.seen_at DESC LIMIT 1
    ), g.isolation) AS isolation, g.workspace_name, w.path AS workspace_path,
    w.host AS workspace_host, ${isStranded(sql)} AS is_stranded, ${stuckRun(sql)} AS stuck,
    ${shownSince(sql)} AS shown_since,
    w.origin AS workspace_origin, w.branch AS workspace_branch, g.archived_at, g.created_at,
    g.updated_at, t.revision AS todo_revision, t.items AS todo_items,
    q.items AS requirement_items, ${completionSeal(sql)},
    ${usageColumns(sql)}, ${delegatedColumns(sql)}
  FROM goal g
  JOIN journal j USING (goal_id)
  LEFT JOIN workspace w ON w.name = g.workspace_name
  LEFT JOIN following_goals n ON n.goal_id = g.goal_id
  LEFT JOIN LATERAL (
    SELECT revision, items FROM todo_list
    WHERE goal_id = g.goal_id ORDER BY revision DESC LIMIT 1
  ) t ON true
  LEFT JOIN LATERAL (
    SELECT items FROM requirement_list
    WHERE goal_id = g.goal_id ORDER BY revision DESC LIMIT 1
  ) q ON true
  ${joinDelegated(sql)}`;

/** One that can't be read is shown as altered, and keeps no other from being shown. */
export function toGoal(keys: LedgerKeys, stored: GoalRow): Goal {
  try {
    return readableGoal(keys, stored);
  } catch {
    const why = `What is stored of ${stored.goal_id} cannot be read`;
    return readableGoal(noKeys, { ...stored, ...alteredShown(stored, why), ...NOTHING });
  }
}

/** In place of what is stored as JSON. */
const NOTHING = {
  ...{ criteria: [], policy: defaultPolicy, tool_rules: [], notify: [], following: null },
  ...{ scope: null, notices: null, fallback: null, chain: null, is_stranded: false, stuck: null },
  ...{ todo_items: null, requirement_items: null },
  budget: { tokens: null, costUsd: null, turns: null, activeSeconds: null, deadline: null },
} as const satisfies Partial<GoalRow>;

function readableGoal(keys: LedgerKeys, stored: GoalRow): Goal {
  const row = shownCompletion(keys, stored);
  const items = (row.todo_items ?? []).filter((item) => item.status !== 'dropped');
  const done = items.filter((item) => item.status === 'completed').length;
  return {
    goalId: row.goal_id,
    threadId: row.thread_id,
    ...(row.parent_goal_id === null ? {} : { parentGoalId: row.parent_goal_id }),
    ...(row.planned_by === null ? {} : { plannedBy: row.planned_by }),
    ...(row.continues === null ? {} : { continues: row.continues }),
    ...(row.agent === null ? {} : { agent: row.agent }),
    ...(row.driver === 'external' ? { driver: row.driver } : {}),
    ...(row.handed_to === null ? {} : { handedTo: row.handed_to }),
    ...followingOf(row),
    objective: row.objective,
    status: row.status,
    ...(row.pause === null ? {} : { pause: row.pause }),
    activity: activityOf(row),
    revision: row.revision,
    criteria: row.criteria,
    budget: row.budget,
    usage: { ...toTotal(row), own: toUsage(row) },
    todos: { revision: row.todo_revision ?? 0, total: items.length, done },
    ...(row.completion === null ? {} : { completion: row.completion }),
    model: row.model,
    ...(row.fallback_model === null ? {} : { fallbackModel: row.fallback_model }),
    ...fallbackOf(row),
    ...chainOf(row),
    ...(row.text_tokens ? { textTokens: true } : {}),
    ...(row.priority === 0 ? {} : { priority: row.priority }),
    mode: row.mode,
    workspace: workspaceOf(row),
    policy: {
      ...resolvePolicy(row.policy),
      ...(row.tool_rules.length === 0 ? {} : { tools: row.tool_rules }),
    },
    ...(row.scope === null ? {} : { scope: row.scope }),
    ...noticesOf(row),
    ...requirementsOf(row),
    ...(row.notify.length === 0 ? {} : { notify: row.notify.map(shownTarget) }),
    isolation: isolationOf(row),
    ...(row.archived_at === null ? {} : { archivedAt: row.archived_at }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What comes before and after it; goals that are still to come are shown by their objectives. */
function followingOf(row: GoalRow): Pick<Goal, 'follows' | 'followedBy' | 'then' | 'thenRefused'> {
  const { follows, followed_by: followedBy, following, following_refused: thenRefused } = row;
  return {
    ...(follows === null ? {} : { follows }),
    ...(followedBy === null ? {} : { followedBy }),
    ...(following === null || followedBy !== null
      ? {}
      : // biome-ignore lint/suspicious/noThenProperty: a list is no thenable
        { then: following.map(({ objective }) => ({ objective })) }),
    ...(thenRefused === null ? {} : { thenRefused }),
  };
}

/** What was said of the level before the first write; earlier records say only why there is no proof. */
function noticesOf({ notices, no_proof: reason }: GoalRow): Pick<Goal, 'notices'> {
  if (reason !== null) return { notices: [noProof(reason)] };
  return notices === null || notices.length === 0 ? {} : { notices };
}

/** Once the goal is complete, who checked each requirement is known. */
function requirementsOf({
  requirement_items: items,
  completion,
  criteria,
}: GoalRow): Pick<Goal, 'requirements'> {
  if (completion?.coverage !== undefined) return { requirements: completion.coverage.requirements };
  if (items === null || items.length === 0) return {};
  return { requirements: items.map((one) => ({ ...one, by: checkedByPlan(one, criteria) })) };
}

function activityOf(row: GoalRow): Activity {
  if (row.is_stranded && row.workspace_host !== null)
    return unservedActivity(row.workspace_host, row.shown_since);
  return row.stuck === null ? row.activity : stuckActivity(row.stuck);
}

/** A worktree goes by the name of the workspace that it belongs to. */
const workspaceOf = (row: GoalRow): Goal['workspace'] => ({
  name: row.workspace_origin ?? row.workspace_name,
  path: row.workspace_path ?? '',
  mode: row.workspace_origin === null ? 'shared' : 'worktree',
  ...(row.workspace_branch === null ? {} : { branch: row.workspace_branch }),
});

/** A sandbox that leads out is at most partial isolation. */
function isolationOf({ isolation, policy }: GoalRow): Isolation {
  const isCut = (policy.sandbox?.network ?? 'none') === 'none';
  return isolation === 'full' && !isCut ? 'partial' : isolation;
}

const shownTarget = ({ url, events }: NotifyTarget): ShownTarget => ({
  url: shownUrl(url),
  ...(events === undefined ? {} : { events }),
});

/** The fallback is shown only while it is active. */
function fallbackOf({ fallback, fallback_model: model, status }: GoalRow): Pick<Goal, 'fallback'> {
  if (fallback === null || model === null || status === 'complete') return {};
  return Date.parse(fallback.until) > Date.now() ? { fallback: { model, ...fallback } } : {};
}

function chainOf(row: GoalRow): Pick<Goal, 'chain'> {
  const { chain } = row;
  if (chain === null) return {};
  const { startedAt, length } = chain;
  return { chain: { startedAt, length, tokens: tokensOf(chain, toTotal(row)) } };
}

export async function readGoal(
  sql: Executor,
  keys: LedgerKeys,
  goalId: string,
): Promise<Goal | null> {
  const [row] = await sql<GoalRow[]>`${selectGoal(sql)} WHERE g.goal_id = ${goalId}`;
  return row === undefined ? null : toGoal(keys, row);
}
