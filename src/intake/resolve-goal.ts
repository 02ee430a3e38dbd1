import type { StartGoal } from '../../schema/goal.ts';
import type { NewGoal } from '../contract/intake.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import { resolvePolicy } from '../goal/defaults.ts';
import { speaksForPerson } from '../policy/role-rank.ts';
import { workspaceNameOf } from '../workspace/workspace-name.ts';
import { agentBudget, agentIssue, driverIssue, namedAgent, workerOf } from './agents.ts';
import { resolveBudget } from './budget.ts';
import { criteriaIssue, trackedCriteria } from './criteria.ts';
import type { IntakeFacts } from './facts.ts';
import { termsAfter } from './following.ts';
import { fieldIssue, type Issue, issueAt, type Resolved, resolved, unresolved } from './issue.ts';
import { resolveModels } from './models.ts';
import { targetsIssue } from './notify-targets.ts';
import { personsSettingIssue } from './persons-settings.ts';
import { programsMaximum } from './programs-policy.ts';
import { requirementsIssue } from './requirements.ts';
import { sealedByProgram, sealedIssue, toldCriteria } from './sealed.ts';
import { boundsIssue, policyFor } from './service-rules.ts';
import { smallBudgetIssue } from './smallest-budget.ts';
import { type ChosenWorkspace, resolveWorkspace } from './workspace.ts';

export interface ResolvedGoal {
  /** `workspace` is the name that a folder without one would get. */
  readonly goal: NewGoal;
  readonly workspace: ChosenWorkspace;
}

/**
 * Second of the four steps of a start: parse (the schema), resolve, accept (one transaction), start.
 * Fills in what the caller left open; reads and stores nothing.
 */
export function resolveGoal(input: StartGoal, facts: IntakeFacts): Resolved<ResolvedGoal> {
  const first = resolveOne(input, facts);
  if (first.issue !== null || input.then === undefined) return first;
  if (input.workspace?.mode === 'worktree') {
    const why = 'a goal with a worktree of its own has none after it: leave one of them out';
    return unresolved(fieldIssue('then', why));
  }
  const following: NewGoal[] = [];
  for (const [index, next] of input.then.entries()) {
    const outcome = resolveOne(termsAfter(input, next), { ...facts, replaced: null, attached: [] });
    if (outcome.issue !== null) return unresolved(issueAt(`then.${index}`, outcome.issue));
    following.push({ ...outcome.value.goal, workspace: first.value.goal.workspace });
  }
  return resolved({ ...first.value, goal: { ...first.value.goal, following } });
}

function resolveOne(input: StartGoal, facts: IntakeFacts): Resolved<ResolvedGoal> {
  const { rules } = facts;
  const base = policyFor(rules, input.model ?? facts.defaultModel);
  const refused =
    replacementIssue(input, facts) ??
    personsSettingIssue(facts.principal, input, base) ??
    boundsIssue(input.policy ?? {}, rules.bounds) ??
    driverIssue(input) ??
    agentIssue(input, facts.agents) ??
    tokensIssue(input, rules) ??
    targetsIssue(facts.addresses, input.notify ?? []);
  if (refused !== null) return unresolved(refused);
  const agent = namedAgent(input);
  const worker = workerOf(input);
  const maximum = maximumFor(facts);
  const bound = rules.budgetMaximum;
  const asked = { asked: input.budget, standing: rules.budget, maximum, bound };
  const kept = agentBudget(input, facts.agents, asked);
  if (kept.issue !== null) return unresolved(kept.issue);
  const budget = resolveBudget(input.budget, kept.maximum, kept.standing);
  if (budget.issue !== null) return budget;
  const { costUsd } = budget.value;
  const specs = input.criteria ?? [];
  const unchecked = criteriaIssue(facts, specs, costUsd);
  if (unchecked !== null) return unresolved(unchecked);
  const unsealed =
    sealedByProgram(facts.principal, specs) ??
    sealedIssue(specs, facts.sealed, { scope: input.scope, proof: input.policy?.proof });
  if (unsealed !== null) return unresolved(unsealed);
  const ids = trackedCriteria(specs).map(({ criterionId }) => criterionId);
  const unbound = requirementsIssue(input, [], ids);
  if (unbound !== null) return unresolved(unbound);
  const models = resolveModels(facts.models, input, facts, costUsd, worker);
  if (models.issue !== null) return models;
  const workspace = resolveWorkspace(facts, input.workspace);
  if (workspace.issue !== null) return workspace;
  const begins = input.workspace?.from;
  if (begins !== undefined && input.workspace?.mode !== 'worktree') {
    const why = 'only a worktree begins with other files: say "mode": "worktree" as well';
    return unresolved(fieldIssue('workspace.from', why));
  }
  const mode = input.mode ?? 'agent';
  const goal: NewGoal = {
    goalId: facts.ids.goal,
    threadId: input.threadId ?? facts.ids.thread,
    parentGoalId: null,
    continuesThread: continuesThread(input, facts),
    ...(agent === undefined ? {} : { agent }),
    ...(input.driver === 'external' ? { driver: 'external' as const } : {}),
    objective: input.objective,
    criteria: trackedCriteria(toldCriteria(specs, facts.sealed)),
    detectsCriteria: input.criteria === undefined && mode !== 'gather',
    textTokens: input.textTokens === true,
    priority: input.priority ?? 0,
    attachments: facts.attached,
    budget: budget.value,
    policy: resolvePolicy(input.policy, base),
    ...(input.scope === undefined ? {} : { scope: input.scope }),
    ...(input.setup === undefined ? {} : { setup: input.setup }),
    ...(input.requirements === undefined ? {} : { requirements: input.requirements }),
    toolRules: input.policy?.tools ?? [],
    notify: (input.notify ?? []).map(facts.sealTarget),
    ...models.value,
    mode,
    workspace: nameOf(workspace.value),
    ...(input.workspace?.mode === 'worktree' ? { worktree: 'required' as const } : {}),
    ...(begins === undefined ? {} : { begins }),
    isolation: 'none',
  };
  const unpaid = smallBudgetIssue(facts, goal, facts.now);
  return unpaid === null ? resolved({ goal, workspace: workspace.value }) : unresolved(unpaid);
}

const continuesThread = ({ conversation }: StartGoal, { principal }: IntakeFacts): boolean =>
  conversation === undefined ? speaksForPerson(principal.role) : conversation === 'continue';

const maximumFor = ({ principal, rules }: IntakeFacts): ServiceRules['budgetMaximum'] =>
  speaksForPerson(principal.role) ? rules.budgetMaximum : programsMaximum(rules);

const tokensIssue = (input: StartGoal, { withheld }: ServiceRules): Issue | null =>
  input.textTokens === true && withheld.includes('textTokens')
    ? fieldIssue('textTokens', 'this service reads no tools from text')
    : null;

const nameOf = (chosen: ChosenWorkspace): string =>
  chosen.kind === 'served' ? chosen.name : (chosen.name ?? workspaceNameOf(chosen.path));

/** A program may replace only goals that programs started. */
function replacementIssue(
  { replace }: StartGoal,
  { principal, replaced }: IntakeFacts,
): Issue | null {
  if (replace !== true) return null;
  if (speaksForPerson(principal.role) || replaced === null) return null;
  if (replaced.createdByRole === 'agent') return null;
  const detail = 'Agents replace only goals that an agent started.';
  return { code: 'forbidden', detail, data: { field: 'replace', goalId: replaced.goalId } };
}
