import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sequence } from '../../demo/script.ts';
import {
  claim,
  type DelegateWorld,
  delegate,
  openDelegateWorld,
  wait,
  write,
} from '../workflows/delegate-world.ts';
import { type Fault, hasStruck, nameOf, OF_DELEGATES, threadOf } from './faults.ts';
import { bothSides } from './points.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** Where the goal that asks stages, grants, is woken and takes the result. */
const OF_PARENT: readonly (readonly [string, number])[] = [
  ['journal.settleCall', 1],
  ['record.recordTurn', 1],
  ['record.syncDelegation', 1],
  ['journal.openTurn', 2],
];
/** Where the delegate begins, works and ends. */
const OF_CHILD: readonly (readonly [string, number])[] = [
  ['record.openExecution', 1],
  ['journal.openTurn', 1],
  ['journal.commitStep', 2],
  ['record.recordTurn', 1],
];

const faultsAt = (points: typeof OF_PARENT): Fault[] =>
  points.flatMap(([name, time]) => bothSides([name]).map((point) => ({ point, time })));

let world: DelegateWorld;
let folder: string;
let worker: SupervisedWorker;

beforeAll(async () => {
  world = await openDelegateWorld(
    { lead: sequence([delegate('find: the answer'), wait, write, claim]) },
    false,
  );
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-chaos-'));
  worker = await superviseWorker(world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function play(fault: Fault, isOfChild: boolean): Promise<void> {
  const named = isOfChild ? { ...fault, point: `${OF_DELEGATES}${fault.point}` } : fault;
  const threadId = threadOf([named], randomUUID());
  const { goalId } = await world.begin('lead: go', { threadId });
  await world.until(goalId, ({ status }) => status === 'complete', 300_000);
  const [row, ...others] = await world.delegates(goalId);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ state: 'ended', outcome: { kind: 'finding' }, hop: 1 });
  expect(hasStruck(folder, isOfChild ? (row?.goalId ?? '') : goalId, fault)).toBe(true);
  expect(await world.news(goalId)).toHaveLength(1);
  const told = await world.database`
    SELECT 1 FROM message WHERE goal_id = ${goalId} AND content->>'text' LIKE 'Delegate d-%'`;
  expect(told.count).toBe(1);
  const children = await world.database`SELECT 1 FROM goal WHERE parent_goal_id = ${goalId}`;
  expect(children.count).toBe(1);
}

for (const fault of faultsAt(OF_PARENT)) {
  test.concurrent(`a worker killed at ${nameOf(fault)} of a goal brings each result once`, () =>
    play(fault, false));
}

for (const fault of faultsAt(OF_CHILD)) {
  test.concurrent(`a worker killed at ${nameOf(fault)} of a delegate brings its result once`, () =>
    play(fault, true));
}
