import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import type { Principal } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { NewGoal, StoredRequest } from '../contract/intake.ts';
import { resolvePolicy } from '../goal/defaults.ts';
import { type ApiPorts, principalOf } from './application.ts';
import { resolveBudget } from './budget-bounds.ts';
import { trackCriteria } from './criteria-support.ts';
import { answerOnce, hasLeft, markReplay, storedRequest } from './idempotency.ts';
import { assertModels } from './model-choice.ts';
import { assertTargets } from './notify-targets.ts';
import { assertMaySet } from './persons-settings.ts';
import { expectedRevisionOf, setRevision } from './revision.ts';
import { speaksForPerson } from './roles.ts';
import { assertPaysForOneCall } from './smallest-budget.ts';
import { resolveWorkspace } from './workspace-choice.ts';

/** Resolves what the caller left open, then accepts the goal and starts its execution. */
export async function startGoal(
  ports: ApiPorts,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  input: StartGoal,
): Promise<unknown> {
  const { request, reply } = exchange;
  const principal = principalOf(request);
  const start = async (stored: StoredRequest) => {
    await assertMayReplace(ports, principal, input);
    assertMaySet(principal, input);
    assertTargets(ports, input.notify ?? []);
    const goal = await resolveGoal(ports, principal, input);
    await accept(ports, request, stored, goal, input);
  };
  const asked = storedRequest(request, null);
  const answer = await answerOnce(ports.intake, asked, start, hasLeft(request));
  const goal = answer.body as Goal;
  markReplay(reply, answer.isReplay);
  setRevision(reply, goal);
  reply.header('location', `/v1/goals/${goal.goalId}`);
  return reply.code(answer.httpStatus).send(goal);
}

async function accept(
  ports: ApiPorts,
  request: FastifyRequest,
  stored: StoredRequest,
  goal: NewGoal,
  input: StartGoal,
): Promise<void> {
  const { expectedGoalId, replace } = input;
  const expectedRevision = expectedRevisionOf(request, input.expectedRevision);
  const slot = { expectedGoalId, expectedRevision, replace: replace === true };
  const accepted = await ports.intake.startGoal(stored, goal, slot);
  // The goal is accepted: what fails from here on is the reconciler's, not the caller's.
  const afterwards = [startUnlessStarted(ports, accepted.goal.goalId)];
  if (accepted.replaced !== null) afterwards.push(ports.goals.endReplaced(accepted.replaced));
  for (const outcome of await Promise.allSettled(afterwards)) {
    if (outcome.status === 'rejected') {
      request.log.warn(
        { err: outcome.reason, goalId: accepted.goal.goalId },
        'left to the reconciler',
      );
    }
  }
}

/** A retry may come long after the start: only a goal that nothing runs yet is started. */
async function startUnlessStarted(ports: ApiPorts, goalId: string): Promise<void> {
  const reach = await ports.reader.reach(goalId);
  if (reach === null || reach.runId !== null || reach.isArchived || reach.status !== 'active')
    return;
  await ports.goals.ensureStarted({ goalId, epoch: reach.epoch });
}

async function resolveGoal(
  ports: ApiPorts,
  principal: Principal,
  input: StartGoal,
): Promise<NewGoal> {
  const draft = await draftGoal(ports, input);
  // Last, because a folder that has no name yet gets one here.
  const workspace = await resolveWorkspace(ports, principal, input.workspace);
  const goal = { ...draft, workspace };
  assertPaysForOneCall(ports, goal, new Date());
  return goal;
}

/** What the caller left open is filled in; nothing is stored. */
export async function draftGoal(
  ports: ApiPorts,
  input: StartGoal,
): Promise<Omit<NewGoal, 'workspace'>> {
  const budget = resolveBudget(input.budget, ports.settings.budgetMaximum);
  const criteria = await trackCriteria(ports, input.criteria ?? [], budget.costUsd);
  const chosen = assertModels(ports, input, budget);
  return {
    goalId: `g-${randomBytes(8).toString('hex')}`,
    threadId: input.threadId ?? `t-${randomBytes(8).toString('hex')}`,
    parentGoalId: null,
    objective: input.objective,
    criteria,
    detectsCriteria: input.criteria === undefined && (input.mode ?? 'agent') === 'agent',
    textTokens: input.textTokens === true,
    budget,
    policy: resolvePolicy(input.policy),
    toolRules: input.policy?.tools ?? [],
    notify: (input.notify ?? []).map(ports.sealTarget),
    ...chosen,
    mode: input.mode ?? 'agent',
    ...(input.workspace?.mode === 'worktree' ? { worktree: 'required' as const } : {}),
    isolation: 'none',
  };
}

/** A program replaces only what programs started; a person's goal is the person's to replace. */
async function assertMayReplace(
  ports: ApiPorts,
  principal: Principal,
  input: StartGoal,
): Promise<void> {
  if (input.replace !== true) return;
  if (typeof input.expectedGoalId !== 'string') {
    throw new Refusal('invalid_request', 'replace needs the id of the goal that it replaces.', {
      field: 'expectedGoalId',
    });
  }
  if (speaksForPerson(principal.role)) return;
  const replaced = await ports.reader.reach(input.expectedGoalId);
  if (replaced === null || replaced.createdByRole === 'agent') return;
  throw new Refusal('forbidden', 'Agents replace only goals that an agent started.', {
    field: 'replace',
    goalId: replaced.goalId,
  });
}
