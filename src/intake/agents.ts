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

/** Where no model of this service works: an agent of the settings, or a person's own session. */
export const workerOf = (
  input: Pick<StartGoal, 'agent' | 'driver'> | Pick<Goal, 'agent' | 'driver'>,
): string | undefined => (input.driver === 'external' ? EXTERNAL : namedAgent(input));

const EXTERNAL = 'external';

/** Stands where a goal's model would, if the agent chooses its own and none is set here. */
export const modelOfAgent = (agent: string): string => `agent/${agent}`;

type Asked = 'agent' | 'driver' | 'mode' | 'textTokens' | 'fallbackModel' | 'workspace';

/** The reason against a goal that a person's own session works on. */
export function driverIssue(input: Pick<StartGoal, Asked>): Issue | null {
  if (input.driver !== 'external') return null;
  if (namedAgent(input) !== undefined)
    return fieldIssue('agent', 'a session of your own works on it: leave "agent" or "driver" out');
  if (input.mode !== undefined && input.mode !== 'agent')
    return fieldIssue('mode', `a session has tools of its own: leave "mode" or "driver" out`);
  if (input.textTokens === true)
    return fieldIssue('textTokens', 'is for models of the own loop: leave it or "driver" out');
  if (input.fallbackModel != null)
    return fieldIssue('fallbackModel', 'the session chooses its models: leave it out');
  if (input.workspace?.mode === 'worktree')
    return fieldIssue('workspace.mode', 'the session works in the folder itself: leave it out');
  return null;
}

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
  if (input.fallbackModel != null)
    return fieldIssue('fallbackModel', `the agent ${agent} chooses its models: leave it out`);
  return null;
}

/**
 * Defaults that can't be kept are left out, for programs too, which else keep within them; what was
 * asked for or bounds all is refused.
 */
export function agentBudget(
  input: Pick<StartGoal, 'agent' | 'driver'>,
  agents: Agents,
  { asked, standing, maximum, bound }: AskedBudget,
): KeptBudget {
  const why = whyUnmetered(input, agents);
  if (why === null) return { standing, maximum, issue: null };
  const kept = METERED.find((name) => (asked?.[name] ?? bound[name]) != null);
  if (kept !== undefined) {
    return { standing, maximum, issue: fieldIssue(`budget.${kept}`, why) };
  }
  const none = { tokens: null, costUsd: null };
  return { standing: { ...standing, ...none }, maximum: { ...maximum, ...none }, issue: null };
}

/** Why tokens and money can't be limited; null = they can. */
function whyUnmetered(input: Pick<StartGoal, 'agent' | 'driver'>, agents: Agents): string | null {
  const instead = 'Limit turns, activeSeconds or deadline';
  if (input.driver === 'external')
    return `a session of your own doesn't tell the service what it costs, so this limit can't be kept. ${instead}`;
  const agent = namedAgent(input);
  if (agent === undefined || agents[agent]?.reportsUsage === true) return null;
  return `the agent ${agent} is not known to tell what its work costs, so this limit can't be kept. ${instead}, or have the operator set "reportsUsage" in the setting "agents"`;
}

interface AskedBudget {
  readonly asked: BudgetInput | undefined;
  readonly standing: Budget;
  /** Of this caller. */
  readonly maximum: ServiceRules['budgetMaximum'];
  /** Of all callers. */
  readonly bound: ServiceRules['budgetMaximum'];
}

interface KeptBudget {
  readonly standing: Budget;
  readonly maximum: ServiceRules['budgetMaximum'];
  readonly issue: Issue | null;
}

/** The reason against an amendment of a goal on which the host's own loop doesn't work. */
export function agentAmendmentIssue(
  { agent, driver }: Pick<Goal, 'agent' | 'driver'>,
  { mode, budget, fallbackModel }: AmendGoal,
  agents: Agents,
): Issue | null {
  const asked = { agent, driver, mode, fallbackModel: fallbackModel ?? undefined };
  if (workerOf(asked) === undefined) return null;
  const kept =
    agent === undefined ? agents : { ...agents, [agent]: agents[agent] ?? { command: agent } };
  const issue = driverIssue(asked) ?? agentIssue(asked, kept);
  if (issue !== null) return issue;
  const none = { tokens: null, costUsd: null, turns: null, activeSeconds: null };
  const standing = { ...none, deadline: null };
  return agentBudget(asked, kept, { asked: budget, standing, maximum: none, bound: none }).issue;
}
