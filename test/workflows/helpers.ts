import type { Client } from '@temporalio/client';
import type { Problem } from '../../schema/problem.ts';
import type { ModelPort } from '../../src/contract/model.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { startGoal } from '../../src/temporal/start-goal.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import type { GoalWorld } from '../support/goal-world.ts';

export async function waitUntil<T>(
  look: () => T | Promise<T>,
  timeoutMs = 200_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`it never came to that: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export interface SeenTurn {
  readonly turn: number;
  readonly kind: string;
  readonly state: 'open' | 'settled';
  readonly decision: { readonly rule: number; readonly action: string } | null;
}

/** Oldest first. */
export async function turnsOf(world: GoalWorld, goalId: string): Promise<SeenTurn[]> {
  const path = `/v1/goals/${goalId}/turns?limit=100`;
  const { items } = await world.client.get<{ items: SeenTurn[] }>(path);
  return items.toSorted((a, b) => a.turn - b.turn);
}

export function temporalClient(world: GoalWorld): Client {
  return createTemporalClient(world.temporal, world.keys);
}

/**
 * Starts a goal whose runs continue as new after few events. The world has no worker yet: the
 * execution that the API started is replaced by one of the next epoch before anything ran.
 */
export async function restartWith(
  world: GoalWorld,
  temporal: Client,
  goalId: string,
  maxEvents: number,
): Promise<void> {
  await world.database`UPDATE goal SET epoch = 2 WHERE goal_id = ${goalId}`;
  await world.database`UPDATE journal SET epoch = 2 WHERE goal_id = ${goalId}`;
  await temporal.workflow.getHandle(`goal:${goalId}:1`).terminate();
  await startGoal(temporal, world.queues, { goalId, epoch: 2 }, maxEvents);
}

/** Resolves when `open` is called: lets a test stop a port in the middle of an operation. */
export function barrier(): {
  readonly reached: Promise<void>;
  pass(): Promise<void>;
  open(): void;
} {
  let open = () => {};
  let reach = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    reached,
    open: () => open(),
    async pass() {
      reach();
      await opened;
    },
  };
}

/** What a refused call was told. */
export const problemOf = (sent: Promise<unknown>): Promise<Problem> =>
  sent.then(
    () => Promise.reject(new Error('it was accepted')),
    (error: { problem: Problem }) => error.problem,
  );

/** Holds the model call of the number `held.at` until its barrier opens. */
export function holdModelCalls() {
  /** Calls from `at` on wait at the gate, `also` so many behind it. */
  const held = { at: 0, also: 0, calls: 0, gate: barrier() };
  const wrapPorts = (ports: TurnPorts): TurnPorts => ({
    ...ports,
    model: Object.assign(Object.create(ports.model) as ModelPort, {
      call: async (request: Parameters<ModelPort['call']>[0]) => {
        held.calls += 1;
        const { at, also, calls } = held;
        if (calls >= at && calls <= at + also && at > 0) await held.gate.pass();
        return ports.model.call(request);
      },
    }),
  });
  return { held, wrapPorts };
}
