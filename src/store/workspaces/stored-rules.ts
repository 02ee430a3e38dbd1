import { createHash } from 'node:crypto';
import type { CoveredCalls, StoredRule } from '../../../schema/stored-rule.ts';
import { Refusal } from '../../contract/failures.ts';
import type { StoredRulesOfPeople, StoredRulesPort } from '../../contract/stored-rules.ts';
import { coverageText } from '../../policy/covered-calls.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import { canonicalJson, storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import {
  isRuleIntact,
  lockRule,
  readRules,
  type SealedRule,
  sealRule,
} from '../ledger/rule-seal.ts';
import { appendToSecurityLog } from '../ledger/security-entries.ts';
import { refusedTeller } from '../ledger/tell-refused.ts';

/** Rules that hold in one workspace: each question reads all of them. */
const MOST_RULES = 200;

/** For the workers, whose calls the rules are about. */
export function createStoredRules(db: Database, keys: LedgerKeys): StoredRulesPort {
  const tell = refusedTeller(db, keys);
  return withTypedErrors<StoredRulesPort>({
    async holding(workspace) {
      const rules = await readRules(db, workspace, 'holding');
      const altered = rules.filter((rule) => !isRuleIntact(keys, rule));
      for (const { rule_id: id } of altered) await tell(`rule ${id}`, { workspace });
      return rules
        .filter((rule) => isRuleIntact(keys, rule))
        .map((rule) => ({ ruleId: rule.rule_id, covers: rule.covers, madeBy: rule.made_by }));
    },
  });
}

/** For the API, where people look at them. */
export const createRulesOfPeople = (db: Database, keys: LedgerKeys): StoredRulesOfPeople =>
  withTypedErrors<StoredRulesOfPeople>({
    async list() {
      const rules = await readRules(db, null, 'all');
      return rules.filter((rule) => isRuleIntact(keys, rule)).map(ruleOf);
    },

    async revoke(ruleId, by, entry) {
      return await db.begin(async (tx) => {
        const rule = await lockRule(tx, ruleId);
        if (rule === null || rule.revoked_at !== null) return rule === null ? null : ruleOf(rule);
        await endRule(tx, keys, rule, by);
        const ended = await lockRule(tx, ruleId);
        await appendToSecurityLog(tx, keys, entry);
        return ended === null ? null : ruleOf(ended);
      });
    },
  });

async function endRule(
  tx: Transaction,
  keys: LedgerKeys,
  rule: SealedRule,
  by: string,
): Promise<void> {
  await tx`
    UPDATE stored_rule SET revoked_at = now(), revoked_by = ${by} WHERE rule_id = ${rule.rule_id}`;
  // What somebody altered is not vouched for by its end.
  if (isRuleIntact(keys, rule)) await sealRule(tx, keys, rule.rule_id);
}

interface NewRule {
  readonly workspace: string;
  readonly covers: CoveredCalls;
  readonly by: string;
  readonly goalId: string;
  readonly approvalId: string;
}

/**
 * Stores what a person lets run for good; a rule that says the same and holds stays alone.
 * @throws Refusal where the workspace has too many
 */
export async function storeRule(tx: Transaction, keys: LedgerKeys, rule: NewRule): Promise<void> {
  const { workspace, covers, by, goalId, approvalId } = rule;
  // Of two approvals at once one waits for the other's rule.
  await tx`SELECT pg_advisory_xact_lock(hashtext(${`stored_rule ${workspace}`}))`;
  const digest = createHash('sha256').update(canonicalJson(covers)).digest('hex');
  const holding = await readRules(tx, workspace, 'holding');
  const same = holding.find((one) => one.digest === digest);
  if (same !== undefined && isRuleIntact(keys, same)) return;
  if (same !== undefined) await endRule(tx, keys, same, by);
  if (holding.length >= MOST_RULES) {
    const detail = `${workspace} has ${MOST_RULES} rules: revoke one (goalkeeper rules list), or approve once.`;
    throw new Refusal('invalid_request', detail, { field: 'always' });
  }
  const ruleId = `r-${approvalId.replace(/^a-/, '')}`;
  await tx`
    INSERT INTO stored_rule
      (rule_id, workspace, covers, digest, made_by, made_at, goal_id, approval_id)
    VALUES (${ruleId}, ${workspace}, ${tx.json(storable(covers))}, ${digest}, ${by}, now(),
      ${goalId}, ${approvalId})`;
  await sealRule(tx, keys, ruleId);
}

const ruleOf = (rule: SealedRule): StoredRule => ({
  ...{ ruleId: rule.rule_id, workspace: rule.workspace, covers: rule.covers },
  ...{ says: coverageText(rule.covers), madeBy: rule.made_by, madeAt: rule.made_at },
  ...{ goalId: rule.goal_id, approvalId: rule.approval_id },
  ...{ revokedAt: rule.revoked_at, revokedBy: rule.revoked_by },
});
