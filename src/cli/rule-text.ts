import type { StoredRule } from '../../schema/stored-rule.ts';
import { printable } from './terminal.ts';

const day = (at: string): string => at.slice(0, 10);

/** What it lets run, where, and whose it is. */
export function ruleText(rule: StoredRule): string {
  const { ruleId, workspace, says, madeBy, madeAt, goalId, revokedAt, revokedBy } = rule;
  const end = revokedAt === null ? '' : ` · revoked ${day(revokedAt)} by ${revokedBy}`;
  return `${ruleId} ${workspace}\n  always ${printable(says)}\n  made ${day(madeAt)} by ${madeBy}, asked by ${goalId}${end}`;
}
