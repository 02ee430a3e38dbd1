import { type Agents, BUILT_IN_AGENT } from '../../schema/agents.ts';
import type { Budget, BudgetInput } from '../../schema/budget.ts';
import type { AmendGoal, Goal, StartGoal } from '../../schema/goal.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import { fieldIssue, type Issue } from './issue.ts';

/** What an agent that says nothing of its cost can't keep. */
const METERED = ['tokens', 'costUsd'] as const;

/** The agent of the settings; undefined = the own loop. */
export const namedAgent = ({ agent }: Pick<StartGoal, 'agent'>): string | undefined =>
  agent === BUILT_IN_AGENT ? undefined : agent;

/** Stands where a goal's model would, if the agent chooses its own and none is set here. */
export const modelOfAgent = (agent: string): string => `agent/${agent}`;

export function agentIssue(
  input: Pick<StartGoal, 'agent' | 'mode' | 'textTokens' | 'fallbackModel'>,
  agents: Agents,
): Issue | null {
  const agent = namedAgent(input);
  if (agent === undefined) return null;
  if (!Object.hasOwn(agents, agent)) {
    const known = [BUILT_IN_AGENT, ...Object.keys(agents)].join(', ');
    const why = `there is no agent "${agent}" here, only ${known}. Operators add one in the setting "agents" (docs/agents.md)`;
    return fieldIssue('agent', why);
  }
  if (input.mode !== undefined && input.mode !== 'agent') {
    return fieldIssue(
      'mode',
      `the agent ${agent} has tools of its own, which can't be kept from writing: leave "mode" or "agent" out`,
    );
  }
  if (input.textTokens === true)
    return fieldIssue('textTokens', `is for models of the own loop: leave it or "agent" out`);
  if (input.fallbackModel !== undefined)
    return fieldIssue('fallbackModel', `the agent ${agent} chooses its models: leave it out`);
  return null;
}

/** Defaults that the agent can't keep are left out; what was asked for or bounds all is refused. */
export function agentBudget(
  agent: string | undefined,
  agents: Agents,
  { asked, standing, maximum }: AskedBudget,
): { readonly standing: Budget; readonly issue: Issue | null } {
  if (agent === undefined || agents[agent]?.reportsUsage === true) return { standing, issue: null };
  const kept = METERED.find((name) => (asked?.[name] ?? maximum[name]) != null);
  if (kept !== undefined) {
    const why = `the agent ${agent} is not known to tell what its work costs, so this limit can't be kept. Limit turns, activeSeconds or deadline, or have the operator set "reportsUsage" in the setting "agents"`;
    return { standing, issue: fieldIssue(`budget.${kept}`, why) };
  }
  return { standing: { ...standing, tokens: null, costUsd: null }, issue: null };
}

interface AskedBudget {
  readonly asked: BudgetInput | undefined;
  readonly standing: Budget;
  readonly maximum: ServiceRules['budgetMaximum'];
}

/** The reason against an amendment of a goal that an agent works on. */
export function agentAmendmentIssue(
  { agent }: Pick<Goal, 'agent'>,
  { mode, budget, fallbackModel }: AmendGoal,
  agents: Agents,
): Issue | null {
  if (agent === undefined) return null;
  const asked = { agent, mode, fallbackModel: fallbackModel ?? undefined };
  const kept = { ...agents, [agent]: agents[agent] ?? { command: agent } };
  const issue = agentIssue(asked, kept);
  if (issue !== null) return issue;
  const none = { tokens: null, costUsd: null, turns: null, activeSeconds: null };
  const standing = { ...none, deadline: null };
  return agentBudget(agent, kept, { asked: budget, standing, maximum: none }).issue;
}
