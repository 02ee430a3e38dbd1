import type { Policy } from '../../../schema/policy.ts';
import type { NewGoal } from '../../contract/intake.ts';
import { defaultPolicy } from '../../goal/defaults.ts';
import type { Executor } from '../client.ts';
import type { DB } from '../generated/tables.ts';
import { canonicalJson } from '../json.ts';
import type { Row } from '../row.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { asStored } from './sealed-from.ts';
import { contentDigest, isSealHolding, type Sealed, type SealRow } from './seals.ts';

/**
 * The goal's own row in three facts, each of which is sealed anew whenever it changes: what was
 * asked for (`terms`), what it is judged by and how it runs (`ground`), and whether it was reached.
 */
export type GoalFact = 'terms' | 'ground' | 'completion';

/** A column is of a fact, or it is free to change, and why. A new one is a type error here. */
export const GOAL_COLUMNS: Readonly<
  Record<keyof DB['goal'], GoalFact | { readonly free: string }>
> = {
  goal_id: { free: 'each seal and each row of the ledger names it' },
  thread_id: 'terms',
  parent_goal_id: 'terms',
  planned_by: 'terms',
  continues: 'terms',
  agent: 'terms',
  driver: 'ground',
  caller_trace: { free: 'links a trace to its caller, and decides nothing' },
  objective: 'terms',
  mode: 'terms',
  model: 'terms',
  fallback_model: 'terms',
  workspace_name: 'terms',
  status: 'completion',
  snapshot: { free: 'has numbered seals of its own, the newest of which counts' },
  counters: 'ground',
  pause: { free: 'is read out of the snapshot, for lists' },
  activity: { free: 'is read out of the snapshot, for lists' },
  completion: 'completion',
  criteria: 'terms',
  criteria_revision: { free: 'a fence: another number has a gate look again' },
  detects_criteria: 'ground',
  text_tokens: 'ground',
  priority: 'ground',
  attachments: 'terms',
  baseline: 'ground',
  budget: 'terms',
  policy: 'terms',
  scope: 'terms',
  setup: 'terms',
  tool_rules: 'terms',
  notify: 'ground',
  revision: { free: 'a fence: another number refuses a commit' },
  epoch: { free: 'a fence: another number refuses a run' },
  run_id: { free: 'a fence: another run is refused' },
  created_by: 'terms',
  created_by_role: 'terms',
  isolation: 'ground',
  archived_at: { free: 'stands exactly where the snapshot says that the goal was cleared' },
  created_at: 'terms',
  updated_at: { free: 'when the row was last written, for lists and retention' },
};

/** Digests by fact; completion null = not complete. */
export type GoalFacts = { readonly [Fact in GoalFact]: string | null } & {
  readonly terms: string;
  readonly ground: string;
};

export type FactsRow = Row<
  'goal',
  | 'thread_id'
  | 'parent_goal_id'
  | 'planned_by'
  | 'continues'
  | 'agent'
  | 'driver'
  | 'attachments'
  | 'objective'
  | 'mode'
  | 'model'
  | 'fallback_model'
  | 'workspace_name'
  | 'counters'
  | 'detects_criteria'
  | 'text_tokens'
  | 'priority'
  | 'criteria'
  | 'baseline'
  | 'budget'
  | 'policy'
  | 'scope'
  | 'setup'
  | 'tool_rules'
  | 'notify'
  | 'isolation'
  | 'created_by'
  | 'created_by_role'
  | 'created_at'
  | 'status'
  | 'completion'
> & { readonly following: NewGoal[] | null };

/** The columns that the facts are made of, from a goal `g`. */
export const factsColumns = (sql: Executor) => sql`
  g.thread_id, g.parent_goal_id, g.planned_by, g.continues, g.agent, g.driver, g.attachments,
  g.objective, g.mode, g.model, g.fallback_model, g.workspace_name, g.counters,
  g.detects_criteria, g.text_tokens, g.priority, g.criteria, g.baseline, g.budget, g.policy,
  g.scope, g.setup, g.tool_rules, g.notify, g.isolation, g.created_by, g.created_by_role,
  g.created_at, g.status, g.completion,
  (SELECT goals FROM following_goals f WHERE f.goal_id = g.goal_id) AS following`;

/** Null = there is no such goal. */
export async function readFacts(sql: Executor, goalId: string): Promise<GoalFacts | null> {
  const [goal] = await sql<FactsRow[]>`
    SELECT ${factsColumns(sql)} FROM goal g WHERE g.goal_id = ${goalId}`;
  return goal === undefined ? null : factsOf(goal);
}

export function factsOf(goal: FactsRow): GoalFacts {
  const { status, completion } = goal;
  const isComplete = status === 'complete' || completion !== null;
  return {
    terms: contentDigest(termsOf(goal)),
    ground: contentDigest(groundOf(goal)),
    completion: isComplete ? contentDigest(completion) : null,
  };
}

/** What goals before this version lack must not change their digests. */
const termsOf = (goal: FactsRow) => ({
  ...{ thread_id: goal.thread_id, parent_goal_id: goal.parent_goal_id },
  ...{ objective: goal.objective, mode: goal.mode, model: goal.model },
  ...{ fallback_model: goal.fallback_model, workspace_name: goal.workspace_name },
  ...{ budget: goal.budget, scope: goal.scope, setup: goal.setup, tool_rules: goal.tool_rules },
  ...{ created_by: goal.created_by, created_by_role: goal.created_by_role },
  created_at: goal.created_at,
  ...(goal.planned_by === null ? {} : { planned_by: goal.planned_by }),
  ...(goal.continues === null ? {} : { continues: goal.continues }),
  ...(goal.agent === null ? {} : { agent: goal.agent }),
  ...(goal.attachments === null ? {} : { attachments: goal.attachments }),
  ...(goal.following === null ? {} : { following: goal.following }),
  // How a criterion stands is what gates find.
  criteria: goal.criteria.map(({ criterionId, spec }) => ({ criterionId, spec })),
  policy: chosenIn(goal.policy),
});

/** What held before the work decides what proves it: a guard that held proves nothing. */
const groundOf = (goal: FactsRow) => ({
  ...{ baseline: goal.baseline, counters: goal.counters },
  ...{ driver: goal.driver, isolation: goal.isolation, notify: goal.notify },
  ...{ detects_criteria: goal.detects_criteria, text_tokens: goal.text_tokens },
  priority: goal.priority,
  criteria: goal.criteria.map(({ criterionId, baseline }) => ({ criterionId, baseline })),
});

/** What isn't chosen is filled in with each write: a setting that is new must not change a digest. */
const chosenIn = ({ continuation, ...policy }: Policy) => ({
  ...unlike(policy, DEFAULTS),
  continuation: unlike(continuation ?? {}, CONTINUATION_DEFAULTS),
});

const byName = (settings: object): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>(Object.entries(settings));
const DEFAULTS = byName(defaultPolicy);
const CONTINUATION_DEFAULTS = byName(defaultPolicy.continuation);

const unlike = (chosen: object, known: ReadonlyMap<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(chosen).filter(([name, value]) => !isSame(value, known.get(name))),
  );

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (other !== undefined && canonicalJson(one) === canonicalJson(other));

function factsOrNone(row: FactsRow): GoalFacts | null {
  try {
    return factsOf(row);
  } catch {
    return null;
  }
}

export const FACTS: readonly GoalFact[] = ['terms', 'ground', 'completion'];
/** The subject of their seals: there is one of each. */
export const OF_FACTS = '';

export const factsSealed = (facts: GoalFacts): Sealed[] =>
  FACTS.flatMap((kind) => {
    const digest = facts[kind];
    return digest === null ? [] : [{ kind, subject: OF_FACTS, digest }];
  });

/** The last seal of each fact of a goal `g`, as a JSON array, in the snapshot of its row. */
export const lastSealsOfFacts = (sql: Executor) => sql`
  (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM (
    SELECT DISTINCT ON (kind) * FROM seal
    WHERE goal_id = g.goal_id AND subject = ${OF_FACTS} AND kind IN ${sql(FACTS)}
    ORDER BY kind, number DESC) s)`;

/** A locked goal's facts as they were found, with the last seal of each. */
export interface FoundFacts {
  readonly row: FactsRow;
  readonly seals: readonly SealRow[];
}

/**
 * What is to be sealed of a change of the goal's row, as it is about to be stored: each fact that
 * becomes another one, unless somebody else had changed it.
 */
export function changedFacts(
  { row, seals }: FoundFacts,
  change: { readonly [Column in keyof FactsRow]?: unknown },
): Sealed[] {
  const found = new Map(factsSealed(factsOf(row)).map(({ kind, digest }) => [kind, digest]));
  const last = new Map(seals.map(({ kind, digest }) => [kind, digest]));
  return factsSealed(factsOf({ ...row, ...change } as FactsRow)).filter(
    ({ kind, digest }) => digest !== found.get(kind) && last.get(kind) === found.get(kind),
  );
}

/**
 * The facts of a goal that its own last seals don't vouch for; none without a key. All of them, where
 * somebody left something in its row that is no goal's.
 */
export function alteredFacts(
  keys: LedgerKeys,
  row: FactsRow,
  seals: readonly SealRow[],
): readonly GoalFact[] {
  if (keys.sealing === null) return [];
  const facts = factsOrNone(row);
  if (facts === null) return FACTS;
  const held = seals.map(asStored).filter((row) => isSealHolding(keys, row));
  const sealed = new Map<string, string>(held.map(({ kind, digest }) => [kind, digest]));
  return FACTS.filter((fact) => (sealed.get(fact) ?? null) !== facts[fact]);
}
