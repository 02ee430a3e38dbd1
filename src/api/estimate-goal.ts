import type { Estimate } from '../../schema/estimate.ts';
import type { StartGoal, WorkspaceInput } from '../../schema/goal.ts';
import type { Principal } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import { workspaceNameOf } from '../workspace/workspace-name.ts';
import type { ApiPorts } from './application.ts';
import { assertTargets } from './notify-targets.ts';
import { assertMaySet } from './persons-settings.ts';
import { pricesOf } from './prices-of.ts';
import { speaksForPerson } from './roles.ts';
import { assertPaysForOneCall, firstCallOf } from './smallest-budget.ts';
import { draftGoal } from './start-goal.ts';
import { whatBudgetBuys } from './what-budget-buys.ts';
import { resolveWorkspace } from './workspace-choice.ts';

/** Refuses whatever the start would refuse, and says what it would enforce. Changes nothing. */
export async function estimateGoal(
  ports: ApiPorts,
  principal: Principal,
  input: StartGoal,
): Promise<Estimate> {
  assertMaySet(principal, input);
  assertTargets(ports, input.notify ?? []);
  const draft = await draftGoal(ports, input);
  const workspace = await knownWorkspace(ports, principal, input.workspace);
  const goal = { ...draft, workspace: workspace.name };
  assertPaysForOneCall(ports, goal, new Date());
  const past = await ports.reader.past(goal.model, workspace.name);
  return {
    workspace,
    model: goal.model,
    fallbackModel: goal.fallbackModel,
    mode: goal.mode,
    budget: goal.budget,
    policy: goal.policy,
    criteria: goal.criteria.map(({ spec }) => spec),
    detectsCriteria: goal.detectsCriteria === true,
    prices: pricesOf(ports.models, goal.model),
    firstCall: firstCallOf(ports, goal),
    past,
    buys: whatBudgetBuys(goal.budget, past),
  };
}

/** A folder gets its name, and its marker, only when a goal starts in it. */
async function knownWorkspace(
  ports: ApiPorts,
  principal: Principal,
  input: WorkspaceInput | undefined,
): Promise<Estimate['workspace']> {
  if (input === undefined || 'name' in input) {
    return { name: await resolveWorkspace(ports, principal, input), isKnown: true };
  }
  const field = 'workspace.path';
  if (!speaksForPerson(principal.role)) {
    const detail = 'Agents name a workspace; only operators and admins give a path.';
    throw new Refusal('forbidden', detail, { field });
  }
  if (!input.path.startsWith('/')) {
    throw new Refusal('invalid_request', 'Give the absolute path.', { field });
  }
  const { path } = input;
  const known = (await ports.reader.workspaces()).find((workspace) => workspace.path === path);
  return { name: known?.name ?? workspaceNameOf(path), isKnown: known !== undefined };
}
