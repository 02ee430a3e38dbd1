import type { StartGoal } from '../../schema/goal.ts';
import type { Principal } from '../../schema/role.ts';
import { speaksForPerson } from '../policy/role-rank.ts';
import type { Issue } from './issue.ts';

/** Only a person may set options that loosen the rules or decide in a person's place. */
export function personsSettingIssue(
  principal: Principal,
  { policy, notify }: Pick<StartGoal, 'policy' | 'notify'>,
): Issue | null {
  if (speaksForPerson(principal.role)) return null;
  if (notify !== undefined) {
    return forbidden('notify', 'Only a person says where news of a goal are sent.');
  }
  const {
    tools = [],
    approvalTimeoutSeconds,
    questionTimeoutSeconds,
    questionDefault,
  } = policy ?? {};
  const loosened = tools.findIndex(({ decision }) => decision === 'allow');
  if (loosened >= 0) {
    return forbidden(`policy.tools.${loosened}`, 'Agents may make rules stricter, not looser.');
  }
  if ((policy?.sandbox?.network ?? 'none') !== 'none') {
    return forbidden('policy.sandbox.network', 'Only a person lets commands reach the network.');
  }
  const timed = { approvalTimeoutSeconds, questionTimeoutSeconds, questionDefault };
  const [field] = Object.entries(timed).find(([, value]) => value != null) ?? [];
  if (field === undefined) return null;
  return forbidden(`policy.${field}`, 'Only a person says how long people are waited for.');
}

const forbidden = (field: string, detail: string): Issue => ({
  code: 'forbidden',
  detail,
  data: { field },
});
