import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatRequest, reply, type ScriptedReply } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Mutation } from '../../src/contract/mutation.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { createOrders } from '../../src/store/intake/orders.ts';
import { createRecord } from '../../src/store/record/record.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { type Fault, hasStruck, nameOf, threadOf } from './faults.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** Around the commit that hands over, and around the start of the goal that carries the plan out. */
const FAULTS: Fault[] = ['record.commitMutation', 'record.openExecution'].flatMap((method) =>
  ['before', 'after'].map((when) => ({ point: `${method}:${when}`, time: 1 })),
);

const PLANS = [reply.call('attempt_completion', { result: 'Append a line to runs.txt.' })];
const WORKS = [
  reply.call('run_command', { command: 'echo ran >> runs.txt' }),
  reply.call('attempt_completion', { result: 'Done.' }),
];

function script({ messages }: ChatRequest): ScriptedReply {
  const isWork = messages.some(({ text }) => text.includes('A person approved the plan'));
  const said = messages.filter(({ role }) => role === 'assistant').length;
  return (isWork ? WORKS[said - PLANS.length] : PLANS[said]) ?? reply.text('?');
}

let world: GoalWorld;
let worker: SupervisedWorker;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-plans-'));
  world = await openGoalWorld({ script, worker: false });
  worker = await superviseWorker(world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function planned(threadId: string) {
  const path = await world.workspace({});
  const criteria = [{ kind: 'command' as const, command: 'grep -c ran runs.txt' }];
  const { goalId } = await world.start({
    objective: 'Plan, then do.',
    mode: 'plan',
    criteria,
    scope: { change: ['runs.txt'] },
    threadId,
    workspace: { path },
  });
  await world.until(goalId, ({ status }) => status === 'paused', 120_000);
  const { items } = await world.client.get<{ items: Approval[] }>(`/v1/approvals?goalId=${goalId}`);
  return { path, goalId, approvalId: items[0]?.approvalId ?? '' };
}

/** One goal carries the plan out, once, and both know of each other. */
async function assertCarriedOutOnce(goalId: string, path: string): Promise<string> {
  const { handedTo = '' } = await world.until(
    goalId,
    (goal) => goal.handedTo !== undefined,
    60_000,
  );
  const done = await world.until(handedTo, ({ status }) => status === 'complete', 120_000);
  expect(done).toMatchObject({ plannedBy: goalId, completion: { verification: 'verified' } });
  expect(await readFile(join(path, 'runs.txt'), 'utf8')).toBe('ran\n');
  const rows = await world.database`SELECT goal_id FROM goal WHERE planned_by = ${goalId}`;
  expect(rows.map((row) => row.goal_id as string)).toEqual([handedTo]);
  return handedTo;
}

test.each(FAULTS.map((fault) => [nameOf(fault), fault] as const))(
  'a plan is carried out by one goal, once, also where the worker is killed at %s',
  async (_name, fault) => {
    const { path, goalId, approvalId } = await planned(threadOf([fault], crypto.randomUUID()));
    const key = crypto.randomUUID();
    const approve = () =>
      fetch(`${world.url}/v1/goals/${goalId}/approvals/${approvalId}`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer test-admin-token-0000',
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ decision: 'approve' }),
      });
    for (let status = 503; status === 503; ) status = (await approve()).status;
    // The same answer again, and another try after that.
    expect(((await (await approve()).json()) as Goal).handedTo).toBeDefined();
    const handedTo = await assertCarriedOutOnce(goalId, path);
    const owner = fault.point.startsWith('record.commit') ? goalId : handedTo;
    expect(hasStruck(folder, owner, fault)).toBe(true);
  },
  240_000,
);

test('a plan whose API died behind the commit is carried out all the same', async () => {
  const { path, goalId, approvalId } = await planned(`thread-${crypto.randomUUID()}`);
  const commitId = crypto.randomUUID();
  const principal = { name: 'admin', role: 'admin' } as const;
  const mutation: Mutation = {
    commitId,
    role: principal.role,
    by: principal.name,
    kind: 'approval',
    approvalId,
    decision: 'approve',
  };
  const asked = { route: 'POST /', key: commitId, bodyHash: '', body: {}, commitId, goalId };
  await createIntake(world.store, { ledgerKeys: world.ledgerKeys }).reserveRequest({
    principal,
    ...asked,
  });
  await createOrders(world.store, world.ledgerKeys).place(goalId, mutation);
  const [row] = await world.database<[{ epoch: number; run_id: string }]>`
    SELECT epoch, run_id FROM goal WHERE goal_id = ${goalId}`;
  const execution = { goalId, epoch: row.epoch, runId: row.run_id };
  await createRecord(world.database, { ledgerKeys: world.ledgerKeys }).commitMutation(
    execution,
    { commitId },
    goalId,
  );
  await assertCarriedOutOnce(goalId, path);
}, 240_000);
