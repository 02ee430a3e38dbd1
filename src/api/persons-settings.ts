import type { StartGoal } from '../../schema/goal.ts';
import type { Principal } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import { speaksForPerson } from './roles.ts';

/** What loosens the rules or speaks in a person's place is a person's to set. */
export function assertMaySet(principal: Principal, { policy, notify }: StartGoal): void {
  if (speaksForPerson(principal.role)) return;
  if (notify !== undefined) {
    throw refusal('notify', 'Only a person says where news of a goal are sent.');
  }
  const {
    tools = [],
    approvalTimeoutSeconds,
    questionTimeoutSeconds,
    questionDefault,
  } = policy ?? {};
  const loosened = tools.findIndex(({ decision }) => decision === 'allow');
  if (loosened >= 0) {
    throw refusal(`policy.tools.${loosened}`, 'Agents may make rules stricter, not looser.');
  }
  if (policy?.sandbox?.network === 'host') {
    throw refusal('policy.sandbox.network', 'Only a person lets commands reach the network.');
  }
  const timed = { approvalTimeoutSeconds, questionTimeoutSeconds, questionDefault };
  const [field] = Object.entries(timed).find(([, value]) => value != null) ?? [];
  if (field === undefined) return;
  throw refusal(`policy.${field}`, 'Only a person says how long people are waited for.');
}

const refusal = (field: string, detail: string): Refusal =>
  new Refusal('forbidden', detail, { field });
