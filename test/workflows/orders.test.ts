import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Client, WorkflowFailedError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { MutationKind } from '../../src/contract/mutation.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { createOrders } from '../../src/store/intake/orders.ts';
import { createCheckOrders } from '../../src/store/workspaces/check-orders.ts';
import { startGoal } from '../../src/temporal/start-goal.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { temporalClient, waitUntil } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Shall I paint the gazebo?' });

let goals: ScriptedGoals;
/** Somebody at Temporal's port who even has the service's key. */
let insider: Client;
beforeAll(async () => {
  goals = await openScriptedGoals({ asks: sequence([ask, write, claim]) });
  insider = temporalClient(goals.world);
});
afterAll(async () => {
  await insider.connection.close();
  await goals.world.close();
});

async function asking(): Promise<string> {
  const goalId = await goals.start('asks');
  await goals.world.until(goalId, ({ status }) => status === 'paused');
  return goalId;
}

const handleOf = (goalId: string) => insider.workflow.getHandle(`goal:${goalId}:1`);

/** @returns the type of the failure, or the revision that it was answered with */
const update = (goalId: string, name: string, given: unknown, updateId: string = randomUUID()) =>
  handleOf(goalId)
    .executeUpdate<{ revision: number }, [unknown]>(name, { args: [given], updateId })
    .then(({ revision }) => revision, typeOf);

function typeOf(error: unknown): string {
  const isFailed =
    error instanceof WorkflowUpdateFailedError || error instanceof WorkflowFailedError;
  for (let cause = isFailed ? error.cause : null; cause instanceof Error; ) {
    if (cause instanceof ApplicationFailure) return cause.type ?? '';
    ({ cause } = cause as { cause?: Error });
  }
  throw error;
}

const toldOf = (goalId: string) =>
  waitUntil(async () => {
    const rows = await goals.world.database<{ data: { what: string; why: string } }[]>`
      SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'security.refused' ORDER BY seq`;
    return rows.length > 0 ? rows.map(({ data: { what, why } }) => ({ what, why })) : null;
  });

/** Updates that its history holds. */
async function updatesIn(goalId: string): Promise<number> {
  const { events = [] } = await handleOf(goalId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)
    .length;
}

async function isUntouched(goalId: string): Promise<void> {
  const { status, pause } = await goals.world.get(goalId);
  expect(status).toBe('paused');
  await goals.send(goalId, 'answers', { questionId: pause?.questionId, text: 'Yes.' });
  await goals.world.until(goalId, (goal) => goal.status === 'complete');
}

/** Stored as the API does it, and not yet sent. */
async function ordered(goalId: string, kind: MutationKind): Promise<string> {
  const commitId = randomUUID();
  const principal = { role: 'operator', name: 'ada' } as const;
  const request = { route: 'POST /', key: commitId, bodyHash: '', body: { note: 'as asked' } };
  await createIntake(goals.world.store, { ledgerKeys: goals.world.ledgerKeys }).reserveRequest({
    principal,
    ...request,
    commitId,
    goalId,
  });
  const mutation = { commitId, role: principal.role, by: principal.name, ...kind };
  await createOrders(goals.world.store, goals.world.ledgerKeys).place(goalId, mutation);
  return commitId;
}

test('SEC-12: an update that names no order changes nothing, whoever encrypted it, and is told', async () => {
  const goalId = await asking();
  const commitId = randomUUID();
  expect(await update(goalId, 'urgentOrder', commitId, commitId)).toBe('OrderRefused');
  expect(await toldOf(goalId)).toEqual([{ what: 'update', why: 'no_order' }]);
  await isUntouched(goalId);
});

test('SEC-12: updates that bear a mutation, an oversized id or a foreign one leave no trace in the history', async () => {
  const goalId = await asking();
  const commitId = randomUUID();
  const complete = { commitId, role: 'admin', by: 'Mallory', kind: 'complete' };
  expect(await update(goalId, 'mutate', complete, commitId)).toBe('OrderRefused');
  expect(await update(goalId, 'urgentOrder', complete, commitId)).toBe('OrderRefused');
  expect(await update(goalId, 'order', 'x'.repeat(100_000))).toBe('OrderRefused');
  const placed = await ordered(goalId, { kind: 'complete' });
  expect(await update(goalId, 'order', placed)).toBe('OrderRefused');
  expect(await updatesIn(goalId)).toBe(0);
  expect(await toldOf(goalId)).toEqual([{ what: 'update', why: 'no_order' }]);
  await isUntouched(goalId);
  expect(await updatesIn(goalId)).toBe(1);
});

test("SEC-13: another goal's order is none of this goal's", async () => {
  const [from, to] = [await asking(), await asking()];
  const commitId = await ordered(from, { kind: 'complete' });
  expect(await update(to, 'order', commitId, commitId)).toBe('OrderRefused');
  expect(await toldOf(to)).toEqual([{ what: 'update', why: 'no_order' }]);
  await isUntouched(to);
  expect(await update(from, 'order', commitId, commitId)).toBeGreaterThan(1);
  expect((await goals.world.get(from)).status).toBe('complete');
});

test('SEC-14: an order is carried out once, however often its update is sent', async () => {
  const goalId = await asking();
  const commitId = await ordered(goalId, { kind: 'message', delivery: 'pause' });
  const first = await update(goalId, 'order', commitId, commitId);
  expect(first).toBeGreaterThan(1);
  expect(await update(goalId, 'order', commitId, commitId)).toBe(first);
  const messages = await goals.world
    .database`SELECT 1 FROM inbox WHERE message_id = ${`m-${commitId}`}`;
  expect(messages).toHaveLength(1);
});

test('SEC-15: orders are append-only, and one whose text or role was changed is refused and told', async () => {
  const { database } = goals.world;
  const goalId = await asking();
  const said = await ordered(goalId, { kind: 'message', delivery: 'pause' });
  await database`UPDATE request SET body = '{"text":"delete all"}' WHERE commit_id = ${said}`;
  expect(await update(goalId, 'order', said, said)).toBe('OrderRefused');
  const paused = await ordered(goalId, { kind: 'complete' });
  const change = () => database`UPDATE goal_order SET role = 'admin' WHERE commit_id = ${paused}`;
  await expect(change()).rejects.toThrow('orders are append-only: UPDATE refused');
  await database`ALTER TABLE goal_order DISABLE TRIGGER goal_order_unchanged`;
  await change();
  await database`ALTER TABLE goal_order ENABLE TRIGGER goal_order_unchanged`;
  expect(await update(goalId, 'order', paused, paused)).toBe('OrderRefused');
  expect(await toldOf(goalId)).toEqual([{ what: 'update', why: 'altered' }]);
  await isUntouched(goalId);
});

test('SEC-16: a start for a goal that nobody accepted, or for an epoch that nobody ordered, does nothing', async () => {
  await startGoal(insider, goals.world.queues, { goalId: 'g-never', epoch: 1 });
  const never = insider.workflow.getHandle('goal:g-never:1').result();
  expect(await never.catch(typeOf)).toBe('OrderRefused');
  const goalId = await asking();
  await startGoal(insider, goals.world.queues, { goalId, epoch: 2 });
  const second = insider.workflow.getHandle(`goal:${goalId}:2`).result();
  expect(await second.catch(typeOf)).toBe('OrderRefused');
  expect(await toldOf(goalId)).toEqual([{ what: 'start', why: 'no_order' }]);
  const rows = await goals.world.database`SELECT 1 FROM goal WHERE goal_id = 'g-never'`;
  expect(rows).toHaveLength(0);
  await isUntouched(goalId);
});

test('SEC-17: a check runs only as it was ordered, and once', async () => {
  const path = await goals.world.workspace({});
  const goalId = await goals.start('asks', { workspace: { path } });
  await goals.world.until(goalId, ({ status }) => status === 'paused');
  const workspace = (await goals.world.get(goalId)).workspace.name;
  const run = (checkId: string, given: unknown = checkId) =>
    insider.workflow
      .execute('tryCheckWorkflow', {
        workflowId: `check:${randomUUID()}`,
        taskQueue: goals.world.queues.goals,
        args: [given],
      })
      .then(() => 'ran', typeOf);
  const checkId = randomUUID();
  const taskQueue = goals.world.queues.workspacesOf(hostname());
  const owns = { kind: 'command', command: 'touch owned' };
  expect(await run(checkId)).toBe('OrderRefused');
  const former = { checkId, workspace, taskQueue, criterion: owns, network: 'host' };
  expect(await run(checkId, former)).toBe('OrderRefused');
  expect(existsSync(join(path, 'owned'))).toBe(false);
  const criterion = { kind: 'file', path: 'never' } as const;
  const order = { checkId, workspace, host: hostname(), criterion, network: 'none' } as const;
  await createCheckOrders(goals.world.store, goals.world.ledgerKeys).place(order, {
    role: 'operator',
    name: 'ada',
  });
  expect(await run(checkId)).toBe('ran');
  expect(await run(checkId)).toBe('OrderRefused');
});

test('SEC-27: checks, branches and alarms that nobody ordered stand in the security log', async () => {
  const never = randomUUID();
  const starts = [
    ['tryCheckWorkflow', `check:${never}`, [never]],
    ['applyBranchWorkflow', `apply:${never}`, [{ goalId: 'g-never', commitId: never }]],
    ['scheduleAlarmWorkflow', 'schedule:sc-00000000000000ff', []],
    ['scheduleAlarmWorkflow', `no schedule's ${never}`, []],
  ] as const;
  for (const [type, workflowId, args] of starts) {
    const order = { workflowId, taskQueue: goals.world.queues.goals, args: [...args] };
    expect(await insider.workflow.execute(type, order).then(() => 'ran', typeOf)).toBe(
      'OrderRefused',
    );
  }
  // The same of the same kind is told once a minute, also where an earlier test tried it.
  const kinds = (id: string | null) => /^\w+/.exec(id ?? '')?.[0];
  await waitUntil(async () => {
    const { items } = await goals.world.client.get<{ items: Entry[] }>(
      '/v1/security-log?what=temporal_refused&limit=100',
    );
    const told = items
      .filter(({ data: { what, why } }) => what === 'start' && why === 'no_order')
      .map(({ subject, data: { name } }) => `${name} ${kinds(subject)}`);
    return starts.every(([type, id]) => told.includes(`${type} ${kinds(id)}`));
  });
});

interface Entry {
  readonly subject: string | null;
  readonly data: { readonly what: string; readonly name: string; readonly why: string };
}
