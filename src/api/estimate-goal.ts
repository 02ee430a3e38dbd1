import type { Estimate } from '../../schema/estimate.ts';
import type { StartGoal } from '../../schema/goal.ts';
import type { Caller } from '../../schema/role.ts';
import { estimateTurns } from '../intake/estimate-turns.ts';
import { resolveGoal } from '../intake/resolve-goal.ts';
import { firstCallOf } from '../intake/smallest-budget.ts';
import { sightOf } from '../policy/sight.ts';
import type { Ports } from './application.ts';
import { lookedAt, servedAs, withBase } from './base.ts';
import { assertBeginning, assertSeenBeginning } from './beginning.ts';
import { type IntakeNeeds, orRefuse, readIntakeFacts } from './intake-facts.ts';
import { pricesOf } from './prices-of.ts';
import { refuseCommandless, refuseUnkeptNetwork } from './refuse-commands.ts';

export type EstimateNeeds = IntakeNeeds | 'workspaces' | 'scopes' | 'beginnings';

/** Refuses whatever the start would refuse, and says what it would enforce. Changes nothing. */
export async function estimateGoal(
  ports: Ports<EstimateNeeds>,
  principal: Caller,
  input: StartGoal,
): Promise<Estimate> {
  // An estimate replaces no goal, so `replace` is not judged.
  const { replace: _, ...start } = input;
  const facts = await readIntakeFacts(ports, principal, start);
  const from = start.workspace?.from;
  await assertSeenBeginning(ports, principal, from);
  const { goal: asked, workspace } = orRefuse(resolveGoal(start, facts));
  const tree = await lookedAt(ports, workspace);
  const place = tree ?? servedAs(facts, asked.workspace);
  await assertBeginning(ports, place, from);
  if (asked.worktree === 'required') await ports.reader.assertTakesWorktree(place.name, tree);
  await refuseCommandless(ports, asked, place);
  await refuseUnkeptNetwork(ports, asked, place);
  const goal = await withBase(ports.scopes, asked, place);
  const past = await ports.reader.past(goal.model, goal.workspace, sightOf(principal));
  return {
    workspace: {
      name: goal.workspace,
      isKnown: facts.workspaces.some(({ name }) => name === goal.workspace),
    },
    model: goal.model,
    fallbackModel: goal.fallbackModel,
    mode: goal.mode,
    budget: goal.budget,
    policy: goal.policy,
    criteria: goal.criteria.map(({ spec }) => spec),
    detectsCriteria: goal.detectsCriteria === true,
    prices: pricesOf(ports.models, goal.model),
    firstCall: firstCallOf(facts, goal),
    scope: await ports.scopes.look(place, goal),
    past,
    buys: estimateTurns(goal.budget, past),
  };
}
