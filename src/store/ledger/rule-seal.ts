import type { CoveredCalls } from '../../../schema/stored-rule.ts';
import type { Executor, Transaction } from '../client.ts';
import type { Row } from '../row.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable, sealedAs } from './counted-table.ts';
import type { LedgerKeys } from './ledger-keys.ts';

/**
 * A stored rule gives rights, and its end takes them away: both are sealed, so that whoever writes
 * to the database neither makes a rule nor has one hold again.
 */
export type SealedRule = Row<
  'stored_rule',
  | 'rule_id'
  | 'workspace'
  | 'digest'
  | 'made_by'
  | 'made_at'
  | 'goal_id'
  | 'approval_id'
  | 'revoked_at'
  | 'revoked_by'
> & { readonly covers: CoveredCalls; readonly sealed: NewestSeal };

/** A new column is a type error here. */
export const RULE_COLUMNS: Columns<'stored_rule'> = {
  ...sealedAs(['rule_id', 'workspace', 'covers', 'digest', 'made_by', 'goal_id', 'approval_id']),
  made_at: 'iso',
  revoked_at: 'iso',
  revoked_by: 'sealed',
};

export const rules = countedTable<SealedRule>({
  kind: 'rule',
  since: 7,
  subject: ({ rule_id: id }) => id,
  content: contentBy(RULE_COLUMNS),
  read: (tx) => readRules(tx, null, 'all'),
});

export const isRuleIntact = rules.isIntact;

/** Rules that hold in a workspace (null = in any), or all that ever did. */
export const readRules = (
  sql: Executor,
  workspace: string | null,
  which: 'holding' | 'all',
): PromiseLike<SealedRule[]> => sql<SealedRule[]>`
  SELECT ${columns(sql)} FROM stored_rule r
  WHERE (${workspace}::text IS NULL OR r.workspace = ${workspace})
    AND (${which === 'all'} OR r.revoked_at IS NULL)
  ORDER BY r.made_at DESC, r.rule_id`;

/** Held until the transaction ends. */
export async function lockRule(tx: Transaction, ruleId: string): Promise<SealedRule | null> {
  await tx`SELECT 1 FROM stored_rule WHERE rule_id = ${ruleId} FOR UPDATE`;
  const [rule] = await tx<SealedRule[]>`
    SELECT ${columns(tx)} FROM stored_rule r WHERE r.rule_id = ${ruleId}`;
  return rule ?? null;
}

const columns = (sql: Executor) => sql`
  r.rule_id, r.workspace, r.covers, r.digest, r.made_by, r.made_at, r.goal_id, r.approval_id,
  r.revoked_at, r.revoked_by, ${newestSeal(sql, 'rule', sql`r.rule_id`)} AS sealed`;

/** Seals a rule as this transaction left it. */
export async function sealRule(tx: Transaction, keys: LedgerKeys, ruleId: string): Promise<void> {
  const rule = await lockRule(tx, ruleId);
  if (rule !== null) await rules.seal(tx, keys, [rule]);
}
