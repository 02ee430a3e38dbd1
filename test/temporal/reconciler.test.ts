import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { AlarmsPort } from '../../src/contract/schedules.ts';
import { taskQueuesOf } from '../../src/contract/task-queues.ts';
import type { ReconcileStore, RunningGoal } from '../../src/store/record/reconcile.ts';
import type { AlarmClock } from '../../src/temporal/alarm-clock.ts';
import type { ExecutionsPort } from '../../src/temporal/executions.ts';
import { firstLooks, reconcile } from '../../src/temporal/reconciler.ts';

const queues = taskQueuesOf('here');
const goals: RunningGoal[] = Array.from({ length: 300 }, (_, index) => ({
  goalId: `g-${index}`,
  epoch: 1,
  runId: 'run',
  revision: 1,
}));

/** A record and a server of which only the looks at executions are tried. */
function world(gone: ReadonlySet<string>) {
  const looked: string[] = [];
  const lost: string[] = [];
  const nothing = async () => [];
  const store = {
    withReconcilerLock: async (work: () => Promise<void>) => {
      await work();
      return true;
    },
    staleLeases: nothing,
    releaseLeaked: nothing,
    beginDue: async () => null,
    beginFollowing: nothing,
    goalsToStart: nothing,
    leftExecutions: nothing,
    archivedExecutions: nothing,
    nextInLine: nothing,
    delegationWakeups: nothing,
    chargeStranded: nothing,
    stuckRuns: async () => new Set(),
    goalsRunning: async () => goals.filter(({ goalId }) => !lost.includes(goalId)),
    markLost: async ({ goalId }: { goalId: string }) => lost.push(goalId) > 0,
  } as unknown as ReconcileStore;
  const executions = {
    describe: async ({ goalId }: { goalId: string }) => {
      looked.push(goalId);
      return gone.has(goalId)
        ? null
        : { runId: 'run', status: 'RUNNING', taskQueue: queues.goals, running: [] };
    },
  } as unknown as ExecutionsPort;
  const alarms = { overdue: nothing, untold: nothing, standing: nothing } as unknown as AlarmsPort;
  const schedules = { alarms, clock: {} as AlarmClock };
  const log = pino({ level: 'silent' });
  return {
    ports: {
      ...{ executions, queues, store, schedules, log, host: 'here' },
      ...{ endHelper: async () => {}, finishApply: async () => {} },
    },
    looked,
    lost,
  };
}

test('goals that rest are looked at a few at a time, each of them in turn', async () => {
  const { ports, looked } = world(new Set());
  const looks = firstLooks();
  for (let round = 1; round <= 12; round += 1) {
    await reconcile(ports, looks);
    expect(looked).toHaveLength(25 * round);
  }
  expect(new Set(looked).size).toBe(300);
  await reconcile(ports, looks);
  expect(looked.slice(300)).toEqual(goals.slice(0, 25).map(({ goalId }) => goalId));
});

test('where one is lost, the others are looked at quickly: soon all that are lost are paused', async () => {
  const gone = new Set(goals.map(({ goalId }) => goalId));
  const { ports, lost } = world(gone);
  const looks = firstLooks();
  const counts: number[] = [];
  while (lost.length < goals.length) {
    await reconcile(ports, looks);
    counts.push(lost.length);
    expect(counts.length).toBeLessThan(10);
  }
  expect(counts.slice(0, 2)).toEqual([25, 225]);
});

test('CON-83: what a worker left half done of a branch is ended before its workspace is given to others', async () => {
  const { ports } = world(new Set());
  const told: string[] = [];
  const lease = (id: string) => ({
    ...{ workspace: id, helper: null },
    holder: { kind: 'check', id } as const,
  });
  const store = {
    ...ports.store,
    staleLeases: async () => [lease('check-1'), lease('apply-broken'), lease('apply-c-1')],
    releaseLease: async ({ workspace }: { workspace: string }) => {
      told.push(`released ${workspace}`);
      return true;
    },
  };
  const finishApply = async (commitId: string) => {
    if (commitId === 'broken') throw new Error('the disk is full');
    told.push(`ended ${commitId}`);
  };
  await reconcile({ ...ports, store, finishApply }, firstLooks());
  expect(told).toEqual(['released check-1', 'ended c-1', 'released apply-c-1']);
});
