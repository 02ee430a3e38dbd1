import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReconcileStore } from '../../src/store/record/reconcile.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { createExecutions, type ExecutionsPort } from '../../src/temporal/executions.ts';
import { type Fault, hasStruck, NO_GOAL, nameOf } from './faults.ts';
import { assertNoOrphans, assertNothingLost } from './nothing-lost.ts';
import { bothSides, METHODS } from './points.ts';
import { type ChaosGoal, type ChaosWorld, openChaosWorld, seeThrough } from './scenario.ts';
import { HANGING } from './script.ts';
import { forkOwn, superviseWorker } from './supervisor.ts';

/** What a worker passes when it starts, in one round of its reconciler, and when it stops. */
const STARTING = ['store.workerSeen'];
const ROUND = [
  'store.staleLeases',
  'reconciler.endHelper',
  'store.releaseLease',
  'store.withReconcilerLock',
  'store.releaseLeaked',
  'store.beginDue',
  'store.delegationWakeups',
  'store.leftExecutions',
  'store.goalsToStart',
  'temporal.start',
  'store.archivedExecutions',
  'temporal.end',
  'store.nextInLine',
  'store.goalsRunning',
  'temporal.describe',
  'store.markLost',
  'store.chargeStranded',
];
/**
 * Only where goals stand in line for a workspace (workspace-line.test.ts), have delegates, or are
 * from before payloads were encrypted (rotated-keys.campaign.test.ts).
 */
const IN_LINE = ['temporal.notifyWorkspaceFree', 'temporal.notifyDelegation', 'store.renew'];
const STOPPING = ['store.removeWorker'];
/**
 * Who mends behind a dead worker passes these instead. The last of them is tried first: after some
 * seconds the server finds the silent activity by itself, and there is nothing left to fail.
 */
const HANDING_OVER = [
  'temporal.failActivity',
  'store.heldBy',
  'temporal.forgetCache',
  'temporal.describe',
];

const firstOf = (point: string): Fault => ({ point, time: 1 });

let world: ChaosWorld;
let folder: string;
let executions: ExecutionsPort;
let closeTemporal: () => Promise<void>;

beforeAll(async () => {
  world = await openChaosWorld();
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-chaos-'));
  const client = createTemporalClient(world.temporal, world.keys);
  executions = createExecutions(client, world.queues);
  closeTemporal = () => client.connection.close();
});
afterAll(async () => {
  await closeTemporal();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

test('the points of mending are every method of the Temporal port and of the reconciler', () => {
  const passed = new Set([...STARTING, ...ROUND, ...IN_LINE, ...STOPPING, ...HANDING_OVER]);
  const ofMending = METHODS.filter((name) => /^(temporal|store|reconciler)\./.test(name));
  expect([...passed].toSorted()).toEqual(ofMending.toSorted());
});

interface Position {
  readonly epoch: number;
  readonly runId: string;
  readonly revision: number;
}

async function positionOf({ goalId }: ChaosGoal): Promise<Position> {
  const [row] = await world.database<[Position]>`
    SELECT epoch, run_id AS "runId", revision FROM goal WHERE goal_id = ${goalId}`;
  return row;
}

const standsStill = async ({ goalId, isHanging }: ChaosGoal): Promise<boolean> =>
  isHanging() || (await world.get(goalId)).status === 'paused';

/** Goals in the middle of their work, by a worker that then dies and is mended by nobody. */
async function abandoned(moods: readonly string[][]) {
  const worker = await superviseWorker(world);
  const goals = await Promise.all(moods.map((mood) => world.startChaos(mood)));
  for (const goal of goals)
    await expect.poll(() => standsStill(goal), { timeout: 30_000 }).toBe(true);
  return { goals, workerId: await worker.crash() };
}

/**
 * Each death leaves what comes behind it for the next life; two executions are given up, and who
 * gets behind that has given up both.
 */
function faultsInOrder(): Fault[] {
  const late = [...bothSides(['store.chargeStranded']), 'store.withReconcilerLock:after'];
  const round = bothSides(ROUND).filter((point) => !late.includes(point));
  const second = bothSides(['store.markLost']).map((point) => ({ point, time: 2 }));
  return [...round.map(firstOf), ...second, ...[...late, ...bothSides(STARTING)].map(firstOf)];
}

const lease = async ({ goalId }: ChaosGoal) =>
  (await world.database`SELECT 1 FROM workspace WHERE lease_goal_id = ${goalId}`).count === 1;

test('a worker that dies at each point of its reconciler in turn mends everything in the end', async () => {
  const { goals } = await abandoned([[], [HANGING], [HANGING]]);
  const [old, lost, leased] = goals as [ChaosGoal, ChaosGoal, ChaosGoal];
  const replacing = await world.replaceUnheard(old.goalId);
  for (const goal of [lost, leased]) await executions.end({ ...goal, epoch: 1 }, 'for a test');
  const store = createReconcileStore(world.store, { ledgerKeys: world.ledgerKeys });
  expect(await store.markLost({ ...leased, ...(await positionOf(leased)) })).toBe(true);
  expect(await lease(leased)).toBe(true);

  const own = faultsInOrder();
  const worker = await superviseWorker(world, { folder, own });
  try {
    await expect
      .poll(() => own.filter((fault) => !hasStruck(folder, NO_GOAL, fault)).map(nameOf), {
        timeout: 170_000,
      })
      .toEqual([]);
    await worker.untilRunning();
    expect(await lease(leased)).toBe(false);
    for (const goal of [lost, leased]) {
      const { pause } = await world.until(goal.goalId, ({ status }) => status === 'paused');
      expect(pause?.reason).toBe('recovery');
      expect((await positionOf(goal)).epoch).toBe(2);
    }
    for (const goal of [replacing, lost, leased]) {
      await seeThrough(world, goal.goalId);
      await assertNothingLost(world, goal);
    }
    expect(await world.get(old.goalId)).toMatchObject({ archivedAt: expect.any(String) });
    expect((await executions.describe({ ...old, epoch: 1 }))?.status).toBe('TERMINATED');
    expect((await positionOf(old)).runId).toBe(null);
  } finally {
    await worker.stop();
  }
}, 300_000);

test('whoever hands a dead worker over and dies at each point of that in turn loses nothing', async () => {
  const { goals, workerId } = await abandoned([[HANGING]]);
  const [goal] = goals as [ChaosGoal];
  for (const point of bothSides(HANDING_OVER)) {
    const handed = await handOverUntil(firstOf(point), workerId);
    expect({ point, handed }).toEqual({ point, handed: 'SIGKILL' });
  }
  // Its last act was done before it died: there is nothing left to hand over.
  expect(await handOverUntil(firstOf('none'), workerId)).toBe(0);
  const worker = await superviseWorker(world);
  try {
    await seeThrough(world, goal.goalId);
    await assertNothingLost(world, goal);
  } finally {
    await worker.stop();
  }
}, 120_000);

/** In a process of its own. @returns how many it handed over, or the signal that ended it */
async function handOverUntil(fault: Fault, workerId: string): Promise<number | string> {
  const child = forkOwn('hand-over', world, {
    GOALKEEPER_WORKER_ID: workerId,
    GOALKEEPER_FAULTS: nameOf(fault),
    GOALKEEPER_FAULT_FOLDER: await mkdtemp(join(folder, 'hand-over-')),
  });
  const [code, signal] = await once(child, 'exit');
  return signal ?? code;
}

test('a worker that dies while it stops leaves nothing behind that the next one misses', async () => {
  const own = bothSides(STOPPING).map(firstOf);
  for (const fault of own) {
    const worker = await superviseWorker(world, { folder, own });
    const goal = await world.startChaos();
    await seeThrough(world, goal.goalId);
    await worker.stop();
    expect(hasStruck(folder, NO_GOAL, fault)).toBe(true);
    await assertNothingLost(world, goal);
  }
});

test('no helper of any of those attempts is alive', () => assertNoOrphans(world));
