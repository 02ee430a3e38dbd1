import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EffectsSession } from '../../src/contract/effects.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { assertNothingLost } from './nothing-lost.ts';
import { type ChaosGoal, type ChaosWorld, openChaosWorld, seeThrough } from './scenario.ts';
import { FIRST } from './script.ts';

type Order = Parameters<EffectsSession['runCommand']>[0];

/** What is done in the place of the first command that comes, once. */
let meddle:
  | ((order: Order, session: EffectsSession) => ReturnType<EffectsSession['runCommand']>)
  | null;

const meddling = (ports: TurnPorts): TurnPorts => ({
  ...ports,
  startEffects: (onSpawn, ground) => {
    const session = ports.startEffects(onSpawn, ground);
    return {
      close: () => session.close(),
      writeFile: (file) => session.writeFile(file),
      placeEntry: (order) => session.placeEntry(order),
      runCommand: (order) => {
        const mine = order.command === FIRST ? meddle : null;
        if (mine === null) return session.runCommand(order);
        meddle = null;
        return mine(order, session);
      },
    };
  },
});

let world: ChaosWorld;
beforeAll(async () => {
  world = await openChaosWorld();
  await world.startWorker(meddling);
});
afterAll(() => world.close());

const pause = ({ goalId }: ChaosGoal) => world.client.send('POST', `/v1/goals/${goalId}/pause`, {});

/** A person resumes what the pause had stopped; the command ran as often as its receipts say. */
async function isRunAgain(goal: ChaosGoal): Promise<void> {
  await seeThrough(world, goal.goalId);
  const ends = await world.database`
    SELECT outcome, body->'receipt'->>'reason' AS reason FROM ledger
    WHERE goal_id = ${goal.goalId} AND phase = 'settled'
      AND body->'receipt'->>'command' = ${FIRST} ORDER BY seq`;
  expect(ends).toEqual([
    { outcome: 'failed', reason: 'cancelled' },
    { outcome: 'succeeded', reason: null },
  ]);
  await assertNothingLost(world, goal);
}

test('a command that a pause cancels before it begins is run again', async () => {
  meddle = async (order, session) => {
    await pause(await goal);
    await waitUntil(() => order.signal.aborted);
    return session.runCommand(order);
  };
  const goal = world.startChaos();
  await isRunAgain(await goal);
});

test('a command that a pause cancels when it has done its work may be run again', async () => {
  meddle = async (order, session) => {
    const running = session.runCommand({ ...order, command: `${order.command}; sleep 600` });
    await waitUntil(() => existsSync(join(order.cwd, 'first.log')));
    await pause(await goal);
    return running;
  };
  const goal = world.startChaos();
  await isRunAgain(await goal);
});
