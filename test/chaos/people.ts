import { randomUUID } from 'node:crypto';
import type { GoalWorld } from '../support/goal-world.ts';
import { type ChaosGoal, CRITERION, say, seeThrough, whileItMatters } from './scenario.ts';

type Act = (world: GoalWorld, goal: ChaosGoal, turn: number) => Promise<unknown>;

const mutate = (world: GoalWorld, { goalId }: ChaosGoal, route: string) =>
  world.client.send('POST', `/v1/goals/${goalId}/${route}`, {});

const speak =
  (delivery: 'pause' | 'steer'): Act =>
  async (world, { goalId, said }) => {
    const text = `Go on as you think best (${randomUUID()}).`;
    await say(world, goalId, text, delivery);
    said.push(text);
  };

const amend: Act = (world, { goalId }, turn) =>
  world.client.send('PATCH', `/v1/goals/${goalId}`, {
    budget: { turns: 500 + turn },
    criteria: [
      CRITERION,
      { kind: 'command', command: `test ${turn} -lt 1000 && test -f notes.txt` },
    ],
  });

/** What people do to a goal while it works; each is accepted, or refused because it came too late. */
const ACTS: readonly Act[] = [
  (world, goal) => mutate(world, goal, 'pause'),
  (world, goal) => mutate(world, goal, 'resume'),
  speak('pause'),
  speak('steer'),
  amend,
];

const LONGEST_THOUGHT_MS = 3000;
const ACTS_A_GOAL = 4;

/** Pauses, resumes, speaks, steers, amends and answers, at random and until the goal is complete. */
export async function meddle(
  world: GoalWorld,
  goal: ChaosGoal,
  random: () => number,
): Promise<void> {
  for (let turn = 1; turn <= ACTS_A_GOAL; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_THOUGHT_MS));
    const act = ACTS[Math.floor(random() * ACTS.length)] ?? amend;
    await whileItMatters(() => act(world, goal, turn));
  }
  await seeThrough(world, goal.goalId, 600_000);
}
