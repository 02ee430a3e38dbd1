import { BUILT_IN_AGENT } from '../../schema/agents.ts';
import type { StartGoal } from '../../schema/goal.ts';
import type { Policy } from '../../schema/policy.ts';
import type { Principal } from '../../schema/role.ts';
import { speaksForPerson } from '../policy/role-rank.ts';
import type { Issue } from './issue.ts';
import { loosened } from './programs-policy.ts';

type Asked = Pick<StartGoal, 'policy' | 'notify' | 'setup' | 'priority' | 'agent'>;

/** Only a person may set options that loosen the rules or decide in a person's place. */
export function personsSettingIssue(
  principal: Principal,
  { policy, notify, setup, priority = 0, agent = BUILT_IN_AGENT }: Asked,
  base: Policy,
): Issue | null {
  if (speaksForPerson(principal.role)) return null;
  if (notify !== undefined) {
    return forbidden('notify', 'Only a person says where news of a goal are sent.');
  }
  if (setup !== undefined) {
    const why = 'Only a person gives commands of a setup: they have the network of the machine.';
    return forbidden('setup', why);
  }
  if (agent !== BUILT_IN_AGENT) {
    const why = 'Only a person lets another agent work: its own tools obey no tool policy.';
    return forbidden('agent', why);
  }
  if (priority > 0) {
    return forbidden('priority', 'Only a person lets a goal go before others: give 0 or less.');
  }
  const field = policy === undefined ? null : loosened(policy, base);
  if (field === null) return null;
  const why = 'A program may make a goal stricter than the service has it, not looser.';
  return forbidden(`policy.${field}`, `${why} Leave it out, or have a person start the goal.`);
}

const forbidden = (field: string, detail: string): Issue => ({
  code: 'forbidden',
  detail,
  data: { field },
});
