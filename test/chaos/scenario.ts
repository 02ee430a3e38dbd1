import { randomUUID } from 'node:crypto';
import type { Approval } from '../../schema/approval.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Goal } from '../../schema/goal.ts';
import { ApiProblem } from '../../src/cli/client.ts';
import { wholeSight } from '../../src/policy/sight.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { createWorkspaces } from '../../src/temporal/workspaces.ts';
import { newGoal, request } from '../store/record-fixture.ts';
import { type GoalWorld, OWN, openGoalWorld } from '../support/goal-world.ts';
import { SCRIPTED_MODEL } from '../support/model.ts';
import { type Fault, threadOf } from './faults.ts';
import { ASKED, chaosModel, REFUSED, UNANSWERED } from './script.ts';

export interface ChaosGoal {
  readonly goalId: string;
  readonly path: string;
  /** What a person said to it and the service accepted. */
  readonly said: string[];
  readonly requests: () => number;
  /** Its model was asked and doesn't answer. */
  readonly isHanging: () => boolean;
}

export interface ChaosWorld extends GoalWorld {
  /** A goal in the place of another one, whose service dies as soon as it has accepted it. */
  replaceUnheard(goalId: string): Promise<ChaosGoal>;
  /** @param moods of script.ts, and what else the goal's worker has to suffer */
  startChaos(moods?: readonly string[], faults?: readonly Fault[]): Promise<ChaosGoal>;
}

export const CRITERION = { kind: 'command', command: 'grep -qx 42 answer.txt' } as const;
const TRACKED: TrackedCriterion = {
  criterionId: 'c1',
  spec: CRITERION,
  state: 'unmet',
  baseline: 'not_run',
  origin: 'caller',
  receipts: [],
};
const OBJECTIVE = 'Write the answer to answer.txt and check it.';

export async function openChaosWorld(): Promise<ChaosWorld> {
  const accepted = new Map<string, string[]>();
  const saidTo = (goalId: string): string[] => {
    const said = accepted.get(goalId) ?? [];
    accepted.set(goalId, said);
    return said;
  };
  const steer = async (goalId: string) => {
    const text = `List the files as well (${randomUUID()}).`;
    await say(world, goalId, text, 'steer');
    saidTo(goalId).push(text);
  };
  const model = chaosModel({
    steer,
    hasFailed: async (goalId) =>
      (await world.database`SELECT 1 FROM step WHERE goal_id = ${goalId} AND state = 'failed'`)
        .count > 0,
    hasWaited: async (goalId) =>
      (
        await world.database`
          SELECT 1 FROM commit WHERE goal_id = ${goalId} AND commit_id LIKE 'wait-began-%'`
      ).count > 0,
    hasFallenBack: async (goalId) =>
      (
        await world.database`SELECT 1 FROM event WHERE goal_id = ${goalId} AND type = 'model.fell_back'`
      ).count > 0,
  });
  const world = await openGoalWorld({ script: model.script, worker: false });
  const makeWorkspace = () => world.workspace({ 'notes.txt': 'The answer is 42.\n' });
  const chaosOf = (goalId: string, path: string): ChaosGoal => ({
    goalId,
    path,
    said: saidTo(goalId),
    requests: () => model.requestsOf(goalId),
    isHanging: () => model.hasHung(goalId),
  });
  return {
    ...world,
    async replaceUnheard(goalId) {
      const path = await makeWorkspace();
      const intake = createIntake(world.store, { ledgerKeys: world.ledgerKeys });
      const { name } = await createWorkspaces(intake).register(path);
      const { threadId } = await world.get(goalId);
      const goal = newGoal({
        ...{ threadId, workspace: name, objective: OBJECTIVE, model: SCRIPTED_MODEL },
        criteria: [TRACKED],
        ...OWN,
      });
      await intake.startGoal(request(), goal, {
        expectedGoalId: goalId,
        replace: true,
        sight: wholeSight,
      });
      return chaosOf(goal.goalId, path);
    },
    async startChaos(moods = [], faults = []) {
      const path = await makeWorkspace();
      const { goalId } = await world.start({
        objective: [OBJECTIVE, ...moods].join(' '),
        threadId: threadOf(faults, randomUUID()),
        criteria: [CRITERION],
        workspace: { path },
        ...(moods.includes(REFUSED) ? { fallbackModel: 'compatible/second' } : {}),
        policy: policyFor(moods),
      });
      return chaosOf(goalId, path);
    },
  };
}

const policyFor = (moods: readonly string[]) => ({
  ...(moods.includes(ASKED) ? { tools: [{ tool: 'write_file', decision: 'ask' as const }] } : {}),
  ...(moods.includes(UNANSWERED) ? { questionTimeoutSeconds: 1 } : {}),
});

export const say = (world: GoalWorld, goalId: string, text: string, delivery: 'pause' | 'steer') =>
  world.client.send('POST', `/v1/goals/${goalId}/messages`, { text, delivery });

/** Plays the person: answers what is asked and resumes what is paused, until the goal is complete. */
export async function seeThrough(
  world: GoalWorld,
  goalId: string,
  timeoutMs = 60_000,
): Promise<Goal> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const left = Math.max(1, deadline - Date.now());
    const goal = await world.until(goalId, needsPerson, left);
    if (goal.status === 'active') await whileItMatters(() => approve(world, goalId));
    else if (goal.status !== 'paused') return goal;
    else await whileItMatters(() => unpause(world, goal));
  }
}

/** Whose policy gives an answer of its own gets none from here. */
const needsPerson = ({ status, pause, activity, policy }: Goal): boolean => {
  const isAnswered = pause?.questionId !== undefined && policy.questionTimeoutSeconds != null;
  return status === 'active' ? activity.on === 'approval' : !isAnswered;
};

async function approve(world: GoalWorld, goalId: string): Promise<void> {
  const { items } = await world.client.get<{ items: Approval[] }>(`/v1/approvals?goalId=${goalId}`);
  const body = { decision: 'approve' };
  for (const { approvalId } of items) {
    await world.client.send('POST', `/v1/goals/${goalId}/approvals/${approvalId}`, body);
  }
}

async function unpause(world: GoalWorld, { goalId, pause }: Goal): Promise<void> {
  const { questionId } = pause ?? {};
  const [route, body] =
    questionId === undefined
      ? ['resume', {}]
      : ['answers', { questionId, text: `Yes, check it (${questionId}).` }];
  await world.client.send('POST', `/v1/goals/${goalId}/${route}`, body);
}

/** Refused because the goal has moved on, or unanswered because its worker is dead. */
export async function whileItMatters(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => {
    const isExpected = error instanceof ApiProblem && [409, 503].includes(error.problem.status);
    if (!isExpected) throw error;
  });
}
