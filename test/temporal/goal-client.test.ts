import { type Client, ServiceError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { COME_AGAIN } from '../../src/contract/failure-types.ts';
import type { Reach } from '../../src/contract/reads.ts';
import { taskQueuesOf } from '../../src/contract/task-queues.ts';
import { createGoalClient } from '../../src/temporal/goal-client.ts';

const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;

const reach: Reach = {
  goalId: 'g-1',
  threadId: 't-1',
  epoch: 1,
  runId: 'run-1',
  status: 'active',
  revision: 3,
  isArchived: false,
  createdByRole: 'operator',
};

/** Reachable, but what becomes of the update is this. */
const clientWhoseUpdateFails = (error: Error): Client => clientWith(() => Promise.reject(error));

function clientWith(executeUpdate: (name: unknown, options: object) => Promise<unknown>): Client {
  const handle = { executeUpdate };
  const connection = {
    withDeadline: (_: number, work: () => Promise<unknown>) => work(),
    workflowService: { getSystemInfo: async () => ({}) },
  };
  return { connection, workflow: { getHandle: () => handle } } as unknown as Client;
}

const fromServer = (code: number) => {
  const cause = Object.assign(new Error('no'), { code, details: 'no', metadata: {} });
  return new ServiceError('Workflow Update failed', { cause });
};

const pauseThrough = (error: Error) => pauseBy(clientWhoseUpdateFails(error));

const pauseBy = (client: Client) => {
  const goals = createGoalClient({
    client,
    queues: taskQueuesOf('here'),
    diagnose: async () => null,
    reader: { reach: async () => reach },
    record: { commitMutation: () => Promise.reject(new Error('it has an execution')) },
    orders: { place: async () => {} },
    markLost: async () => {},
  });
  return goals.mutate({ kind: 'pause', commitId: 'c-1', role: 'operator', by: 'ada' }, 'g-1');
};

test('a server that breaks off during an update is an absent server, not a broken service', async () => {
  const unavailable = { code: 'temporal_unavailable' };
  await expect(pauseThrough(fromServer(UNAVAILABLE))).rejects.toMatchObject(unavailable);
});

test('a deadline that the client wraps is still a worker that did not answer', async () => {
  const unanswered = { code: 'worker_unavailable' };
  await expect(pauseThrough(fromServer(DEADLINE_EXCEEDED))).rejects.toMatchObject(unanswered);
});

test('a server that takes no more at this moment is a 503 that says so, and never a 500', async () => {
  await expect(pauseThrough(fromServer(RESOURCE_EXHAUSTED))).rejects.toMatchObject({
    code: 'temporal_unavailable',
    message: expect.stringContaining('takes no more calls at this moment'),
  });
});

test('what is no absence stays what it is', async () => {
  await expect(pauseThrough(new TypeError('a mistake'))).rejects.toThrow('a mistake');
});

test('an update that a run turns away because it ends is sent to the next one, under the same id', async () => {
  const ids: unknown[] = [];
  const turnedAway = new WorkflowUpdateFailedError(
    'no',
    ApplicationFailure.create({ type: COME_AGAIN, nonRetryable: true }),
  );
  const client = clientWith(async (_, { updateId }: { updateId?: string }) => {
    if (ids.push(updateId) < 6) throw turnedAway;
    return { goalId: 'g-1', revision: 4 };
  });
  expect(await pauseBy(client)).toEqual({ goalId: 'g-1', revision: 4 });
  expect(ids).toEqual(Array.from({ length: 6 }, () => 'c-1'));
});
