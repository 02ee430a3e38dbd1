import { addDecimals } from '../../goal/budget/decimal.ts';
import { addAll } from '../../record/budget/delegate-share.ts';
import { type Executor, isUniqueViolation, type Transaction } from '../client.ts';
import type { Row } from '../row.ts';
import { toUsage, type UsageColumns } from '../usage-row.ts';
import { type CountedSeal, type NewestSeal, newestSeal } from './counted-seal.ts';
import { countedTable } from './counted-table.ts';
import type { LedgerKeys } from './ledger-keys.ts';

/**
 * What a goal used is sealed each time that it grows, in the statement that adds to it: no smaller sum
 * comes back, neither between two turns nor within one.
 */
export type UsageSums = UsageColumns & Row<'journal', 'attempt_active_ms'>;

/** The sums of a goal as they are stored, with the newest seal of them. */
export type SealedUsage = Row<'journal', 'goal_id'> & {
  readonly sums: UsageSums;
  readonly sealed: NewestSeal;
};

/**
 * `branch`: which of the goal's own delegates it is or lies under; null = the goal itself. Without
 * sums where somebody took a goal's journal away.
 */
export type UsageOfTree = readonly ((SealedUsage | Row<'journal', 'goal_id'>) & {
  readonly branch: string | null;
})[];

/** Of a journal's row `j`, as a JSON object, in the snapshot of any statement. */
export const sealedUsage = (sql: Executor) => sql`
  jsonb_build_object('goal_id', j.goal_id,
    'sums', jsonb_build_object('input_tokens', j.input_tokens,
      'cached_input_tokens', j.cached_input_tokens, 'output_tokens', j.output_tokens,
      'cost_usd', trim_scale(j.cost_usd)::text, 'turns', j.turns, 'steps', j.steps,
      'active_ms', j.active_ms, 'attempt_active_ms', j.attempt_active_ms),
    'sealed', ${newestSeal(sql, 'usage', sql`j.goal_id`)})`;

/** A goal `g`, its delegates and theirs: all that its budget pays for, as a JSON array. */
export const sealedUsageOfTree = (sql: Executor) => sql`
  (WITH RECURSIVE tree AS (
      SELECT g.goal_id, NULL::text AS branch
      UNION ALL
      SELECT c.goal_id, coalesce(t.branch, c.goal_id)
      FROM goal c JOIN tree t ON c.parent_goal_id = t.goal_id
    )
    SELECT jsonb_agg(jsonb_build_object('branch', t.branch) ||
      CASE WHEN j.goal_id IS NULL THEN jsonb_build_object('goal_id', t.goal_id)
      ELSE ${sealedUsage(sql)} END)
    FROM tree t LEFT JOIN journal j ON j.goal_id = t.goal_id)`;

export const totalOf = (tree: UsageOfTree) =>
  addAll(tree.flatMap((one) => ('sums' in one ? [toUsage(one.sums)] : [])));

export const usages = countedTable<SealedUsage>({
  kind: 'usage',
  since: 5,
  subject: ({ goal_id: goalId }) => goalId,
  content: ({ sums }) => sums,
  read: async (tx) =>
    (
      await tx<{ usage: SealedUsage }[]>`
        SELECT ${sealedUsage(tx)} AS usage FROM journal j ORDER BY j.goal_id`
    ).flatMap(({ usage }) => (isNothing(usage) ? [] : [usage])),
  isKept: true,
});

const isNothing = ({ sums }: Pick<SealedUsage, 'sums'>): boolean =>
  Object.values(sums).every((sum) => Number(sum) === 0);

/** A goal without a seal used nothing. */
export const isUsageIntact = (keys: LedgerKeys, usage: SealedUsage): boolean =>
  (usage.sealed === null && isNothing(usage)) || usages.isIntact(keys, usage);

/** The goals of a tree whose sums are not what was sealed last. */
export const alteredUsage = (keys: LedgerKeys, tree: UsageOfTree): string[] =>
  keys.sealing === null
    ? []
    : tree.flatMap((one) => ('sums' in one && isUsageIntact(keys, one) ? [] : [one.goal_id]));

/** What a charge adds; `attemptMs`: active time of the present attempt so far. */
export interface Charge {
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: string;
  readonly turns?: number;
  readonly steps?: number;
  readonly attemptMs?: number;
  /** Another attempt begins, whose active time counts from zero. */
  readonly isNewAttempt?: boolean;
}

/** The same sums that the statement makes of the stored ones. */
function charged(sums: UsageSums, charge: Charge): UsageSums {
  const attemptMs = Math.max(sums.attempt_active_ms, Math.round(charge.attemptMs ?? 0));
  return {
    input_tokens: sums.input_tokens + (charge.inputTokens ?? 0),
    cached_input_tokens: sums.cached_input_tokens + (charge.cachedInputTokens ?? 0),
    output_tokens: sums.output_tokens + (charge.outputTokens ?? 0),
    cost_usd: addDecimals(sums.cost_usd, charge.costUsd ?? '0'),
    turns: sums.turns + (charge.turns ?? 0),
    steps: sums.steps + (charge.steps ?? 0),
    active_ms: sums.active_ms + attemptMs - sums.attempt_active_ms,
    attempt_active_ms: charge.isNewAttempt === true ? 0 : attemptMs,
  };
}

/** Seals what sums become, unless somebody else changed them: no edit is vouched for. */
const sealAfter = (
  keys: LedgerKeys,
  known: SealedUsage,
  sums: UsageSums,
  isIntact = isUsageIntact(keys, known),
): CountedSeal | null => (isIntact ? usages.next(keys, { ...known, sums }) : null);

const isSame = (one: UsageSums, other: UsageSums): boolean =>
  (Object.keys(one) as (keyof UsageSums)[]).every((name) => one[name] === other[name]);

/**
 * A charge of nothing changes nothing. Any other one may, by what another process has charged since
 * this one looked: only the seal's number tells that, so it needs one whatever the sums were.
 */
const isCharge = ({ costUsd = '0', isNewAttempt = false, ...counts }: Charge): boolean =>
  isNewAttempt ||
  Number(costUsd) !== 0 ||
  Object.values(counts).some((count) => Math.round(count) !== 0);

export async function readUsage(sql: Executor, goalId: string): Promise<SealedUsage | null> {
  const [row] = await sql<{ usage: SealedUsage }[]>`
    SELECT ${sealedUsage(sql)} AS usage FROM journal j WHERE j.goal_id = ${goalId}`;
  return row?.usage ?? null;
}

/** Seals what `change` adds to the sums of a goal whose journal's row the caller holds locked. */
export async function changingUsage<Result>(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  if (keys.sealing === null) return await change();
  const before = await readUsage(tx, goalId);
  const result = await change();
  const after = await readUsage(tx, goalId);
  const isCharged = before !== null && after !== null && !isSame(before.sums, after.sums);
  const seal = isCharged ? sealAfter(keys, before, after.sums) : null;
  if (seal !== null) await tx`INSERT INTO row_seal ${tx(seal)}`;
  return result;
}

/** Sums take a few dozen bytes; the cap bounds a worker's memory over months. */
const MOST_GOALS = 10_000;

/** Sums that this process knows; valid unless another process charged since. */
export interface UsageHeads {
  readonly keys: LedgerKeys;
  /** Sums that were just read. */
  seen(usage: SealedUsage): void;
  /**
   * Runs a statement, or a transaction, that charges a goal and stores the seal of it. It runs again
   * where another process charged meanwhile.
   * @param write false = nothing was stored
   */
  charging<Result>(goalId: string, write: (seal: SealCharge) => Promise<Result>): Promise<Result>;
}

/** The seal of what a goal has used by then; null = it is not to be sealed. */
export type SealCharge = (charge: Charge) => CountedSeal | null;

export function createUsageHeads(db: Executor, keys: LedgerKeys): UsageHeads {
  const heads = new Map<string, SealedUsage>();
  /** What this process sealed itself, in its own memory. */
  const own = new WeakSet<SealedUsage>();
  const isIntact = (usage: SealedUsage) => own.has(usage) || isUsageIntact(keys, usage);

  function seen(usage: SealedUsage): void {
    if (heads.size >= MOST_GOALS) heads.clear();
    heads.set(usage.goal_id, usage);
  }

  return {
    keys,
    seen,
    async charging(goalId, write) {
      if (keys.sealing === null) return await write(() => null);
      for (;;) {
        const known = heads.get(goalId) ?? (await readUsage(db, goalId));
        const sealed: SealedUsage[] = [];
        try {
          const result = await write((charge) => {
            if (known === null) return null;
            const sums = charged(known.sums, charge);
            const seal = isCharge(charge) ? sealAfter(keys, known, sums, isIntact(known)) : null;
            if (seal !== null) sealed.push({ goal_id: goalId, sums, sealed: seal });
            return seal;
          });
          if (result === false) return result;
          for (const usage of sealed) {
            own.add(usage);
            seen(usage);
          }
          return result;
        } catch (error) {
          heads.delete(goalId);
          if (!isUniqueViolation(error, 'row_seal_pkey')) throw error;
        }
      }
    },
  };
}
