import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { CheckResult, Estimate, TryCheck } from '../../schema/estimate.ts';
import { ApiProblem } from '../../src/cli/client.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createReconcileStore } from '../../src/store/record/reconcile.ts';
import { createCheckLoans } from '../../src/store/workspaces/check-loan.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

let world: GoalWorld;
let path: string;
beforeAll(async () => {
  const slow = { ...reply.text('Still thinking.'), delayMs: 600_000 };
  const write = reply.call('write_file', { path: 'done.txt', content: 'x\n' });
  world = await openGoalWorld({ script: sequence([write, slow]) });
  path = await world.workspace({ 'answer.txt': '42\n' });
});
afterAll(async () => await world?.close());

const tryOne = (criterion: TryCheck['criterion'], workspace: object = { path }) =>
  world.client.send<CheckResult>('POST', '/v1/checks', { workspace, criterion });
const refusal = async (answer: Promise<unknown>) => {
  const error = await answer.catch((reason: unknown) => reason);
  return error instanceof ApiProblem ? [error.problem.code, error.problem.field] : error;
};
const leases = () => world.database`SELECT lease_check_id FROM workspace WHERE path = ${path}`;

const writeSeq = async () => {
  const [row] = await world.database<{ write_seq: number }[]>`
    SELECT write_seq FROM workspace WHERE path = ${path}`;
  return row?.write_seq ?? 0;
};

test('a criterion is looked at as a baseline would, and no goal and no lease is left of it', async () => {
  const failed = await tryOne({ kind: 'command', command: 'echo nearly; test -f done.txt' });
  expect(failed).toMatchObject({ state: 'unmet', exitCode: 1, output: 'nearly\n', isCut: false });
  const long = await tryOne({ kind: 'command', command: 'seq 1 5000; cat answer.txt' });
  expect(long).toMatchObject({ state: 'met', exitCode: 0, isCut: true });
  expect(long.output.endsWith('5000\n42\n')).toBe(true);
  const missing = await tryOne({ kind: 'command', command: 'no-such-program-here' });
  expect(missing).toMatchObject({ state: 'not_run', exitCode: 127 });
  const late = {
    kind: 'command',
    command: 'node -e "setTimeout(() => {}, 30000)"',
    timeoutSeconds: 1,
  } as const;
  expect((await tryOne(late)).reason).toMatch(/timed out after 1 s/);
  const file = await tryOne({ kind: 'file', path: 'answer.txt', matches: '^42$' });
  expect(file).toMatchObject({ state: 'met', exitCode: null });
  expect(await world.client.get('/v1/goals')).toMatchObject({ items: [] });
  // Nobody saw what the four commands wrote; a file was only read.
  expect(await writeSeq()).toBe(4);
  expect(await leases()).toEqual([{ lease_check_id: null }]);
  expect(await world.database`SELECT 1 FROM attempt`).toHaveLength(0);
});

test('an estimate names what would be enforced and refuses what a start would; it registers nothing', async () => {
  const fresh = await world.workspace({ 'a.txt': 'a\n' });
  const body = { objective: 'Try it', workspace: { path: fresh }, criteria: [] };
  const estimate = await world.client.send<Estimate>('POST', '/v1/goals/estimate', body);
  expect(estimate).toMatchObject({
    workspace: { isKnown: false },
    budget: { tokens: 5_000_000, turns: 100 },
    policy: { completion: 'verified' },
    past: { scope: 'none' },
    prices: null,
  });
  expect(await world.database`SELECT 1 FROM workspace WHERE path = ${fresh}`).toHaveLength(0);
  const masked = { kind: 'command', command: 'npm test || true' };
  const bad = world.client.send('POST', '/v1/goals/estimate', { ...body, criteria: [masked] });
  expect(await refusal(bad)).toEqual(['invalid_request', 'criteria.0.command']);
});

test('no check runs where a goal works, and one that its worker left is taken away', async () => {
  const { goalId } = await world.start({ objective: 'Hold it', workspace: { path }, criteria: [] });
  await world.until(goalId, ({ usage }) => usage.steps >= 1);
  const check = { kind: 'command', command: 'true' } as const;
  expect(await refusal(tryOne(check))).toEqual(['workspace_busy', 'workspace']);
  const { name } = (await world.get(goalId)).workspace;
  await world.client.send('POST', `/v1/goals/${goalId}/pause`, {});
  await world.recorded(goalId);
  await world.database`
    UPDATE workspace SET lease_check_id = 'left', leased_at = now()
    WHERE name = ${name}`;
  const [known] = await world.database`SELECT host, worker_id FROM worker`;
  await world.database`
    INSERT INTO check_run (check_id, host, worker_id)
    VALUES ('left', ${known?.host}, ${known?.worker_id})`;
  const store = createReconcileStore(world.store, { ledgerKeys: world.ledgerKeys });
  const [{ host }] = await world.database<[{ host: string }]>`SELECT host FROM worker`;
  expect(await store.staleLeases(host)).toEqual([]);
  await world.database`UPDATE workspace SET leased_at = now() - interval '5 minutes'`;
  for (const lease of await store.staleLeases(host)) await store.releaseLease(lease);
  expect(await leases()).toEqual([{ lease_check_id: null }]);

  // The sooner, where its worker is known to be gone.
  const [{ worker_id: workerId }] = await world.database<[{ worker_id: string }]>`
    SELECT worker_id FROM worker`;
  const loan = { checkId: 'lost', workspace: name, host, workerId };
  const loans = createCheckLoans(world.database, noKeys);
  const beside = createReconcileStore(world.store, { ledgerKeys: world.ledgerKeys });
  const isStale = async () => (await beside.staleLeases(host)).length > 0;
  await world.database`
    INSERT INTO workspace_queue (workspace, goal_id) VALUES (${name}, ${goalId})`;
  expect(await refusal(tryOne(check))).toEqual(['workspace_busy', 'workspace']);
  await world.database`DELETE FROM workspace_queue WHERE goal_id = ${goalId}`;
  await loans.take(loan);
  expect(await isStale()).toBe(false);
  const helper = { host, pid: 7, startedAt: '8', isInit: true };
  await loans.recordHelper(loan, helper);
  await world.database`UPDATE check_run SET worker_id = 'unseen' WHERE check_id = 'lost'`;
  const [stale] = await beside.staleLeases(host);
  expect(stale).toMatchObject({ holder: { kind: 'check', id: 'lost' }, helper });
  if (stale !== undefined) await beside.releaseLease(stale);
  expect(await world.database`SELECT 1 FROM check_run WHERE check_id = 'lost'`).toHaveLength(0);
  // A worker that was only slow begins nothing any more.
  await expect(loans.recordHelper(loan, helper)).rejects.toThrow('A goal works in');
  const seen = { workerId: 'w9', host, taskQueues: [], version: '0', isolation: 'none' } as const;
  await beside.workerSeen({ ...seen, pid: 1 });
  await loans.take({ ...loan, workerId: 'w9' });
  expect(await isStale()).toBe(false);
  await world.database`UPDATE worker SET seen_at = now() - interval '20 s' WHERE worker_id = 'w9'`;
  expect(await isStale()).toBe(true);
  // The same name, and another process.
  await world.database`UPDATE workspace SET leased_at = now() - interval '5 s'`;
  await beside.workerSeen({ ...seen, pid: 2 });
  expect(await isStale()).toBe(true);
  await loans.giveBack(loan);
  const estimate = await world.client.send<Estimate>('POST', '/v1/goals/estimate', {
    objective: 'Again',
    workspace: { path },
  });
  expect(estimate).toMatchObject({ detectsCriteria: true, workspace: { name, isKnown: true } });
});
