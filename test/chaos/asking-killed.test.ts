import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import { startWorkerProcess } from '../evidence/worker-process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { answerExists, claim, openApprovalWorld, write } from '../workflows/approval-world.ts';
import { waitUntil } from '../workflows/helpers.ts';

const finish = [write('answer.txt'), claim()];
const once = 'rm -rf old; echo ran >> runs.txt; if [ -f hold ]; then sleep 60; fi';

const scripts = {
  removes: sequence([reply.call('run_command', { command: once }), ...finish]),
  asks: sequence([reply.call('ask_user', { question: 'Which?', default: 'this' }), ...finish]),
  blocked: sequence([reply.call('report_blocker', { kind: 'external', blocker: 'No access.' })]),
};

let receiver: Receiver;
let the: Awaited<ReturnType<typeof openApprovalWorld>>;
let worker: RunningWorker | null = null;
beforeAll(async () => {
  receiver = await startReceiver();
  const environment = { GOALKEEPER_ALLOWED_ADDRESSES: '127.0.0.1' };
  the = await openApprovalWorld(scripts, { worker: false, environment });
});
afterEach(async () => {
  worker?.stop();
  await worker?.done;
  worker = null;
});
afterAll(async () => {
  await the.world.close();
  receiver.close();
});

const criteria = [answerExists];
const startWorker = async () => {
  worker = await the.world.startWorker();
};
const completes = (goalId: string) =>
  the.world.until(goalId, ({ status }) => status === 'complete', 45_000);
const asked = (goalId: string) => waitUntil(async () => (await the.approvals(goalId))[0], 30_000);
const runsIn = async (path: string) =>
  (await readFile(join(path, 'runs.txt'), 'utf8').catch(() => '')).split('\n').length - 1;

async function commandsOf(goalId: string): Promise<LedgerRow[]> {
  const page = `/v1/goals/${goalId}/ledger?limit=100`;
  const { items } = await the.world.client.get<{ items: LedgerRow[] }>(page);
  return items.filter(({ phase, tool }) => phase === 'settled' && tool === 'run_command');
}

describe('a worker killed around an approved call', () => {
  test('between decision and run: the next one runs it, once', async () => {
    const first = startWorkerProcess(the.world);
    const { goalId, path } = await the.open('removes', { criteria });
    const approval = await asked(goalId);
    // Nobody can take the goal over while this lock is held, so nothing of it can run.
    await the.world.database.begin(async (tx) => {
      await tx`LOCK TABLE attempt IN ACCESS EXCLUSIVE MODE`;
      await the.decide(approval, 'approve');
      await waitUntil(async () => {
        const waiting = await tx`
          SELECT 1 FROM pg_locks WHERE relation = 'attempt'::regclass AND NOT granted`;
        return waiting.count > 0;
      });
      await first.kill();
    });
    expect(await runsIn(path)).toBe(0);
    await startWorker();
    await completes(goalId);
    expect(await runsIn(path)).toBe(1);
    expect(await commandsOf(goalId)).toMatchObject([{ outcome: 'succeeded' }]);
  }, 90_000);

  test('M22 in the middle of it: its end is unknown, and it is neither run nor asked about again', async () => {
    const first = startWorkerProcess(the.world);
    const { goalId, path } = await the.open('removes', { criteria });
    const approval = await asked(goalId);
    await writeFile(join(path, 'hold'), '');
    await the.decide(approval, 'approve');
    await waitUntil(() => existsSync(join(path, 'runs.txt')));
    await first.kill();
    await rm(join(path, 'hold'));
    await startWorker();
    await completes(goalId);
    expect(await runsIn(path)).toBe(1);
    expect(await commandsOf(goalId)).toMatchObject([
      { outcome: 'unknown', receipt: { policy: { approvalId: approval.approvalId } } },
    ]);
    expect(await the.approvals(goalId, 'all')).toHaveLength(1);
  }, 90_000);

  test('while it waits: the approval is still there, and decides', async () => {
    const first = startWorkerProcess(the.world);
    const { goalId, path } = await the.open('removes', { criteria });
    const approval = await asked(goalId);
    await first.kill();
    await startWorker();
    expect(await the.approvals(goalId)).toMatchObject([{ approvalId: approval.approvalId }]);
    await the.decide(approval, 'approve');
    await completes(goalId);
    expect(await runsIn(path)).toBe(1);
  }, 90_000);
});

test('a question whose time ends while no worker lives is answered once, by the clock', async () => {
  const first = startWorkerProcess(the.world);
  const policy = { questionTimeoutSeconds: 2 };
  const { goalId } = await the.open('asks', { criteria, policy });
  const { pause } = await the.world.until(goalId, ({ status }) => status === 'paused', 30_000);
  await first.kill();
  await waitUntil(() => Date.now() > Date.parse(pause?.until ?? ''));
  expect((await the.world.get(goalId)).status).toBe('paused');
  await startWorker();
  await completes(goalId);
  const events = await the.eventTypes(goalId);
  expect(events.filter((type) => type === 'question.expired')).toHaveLength(1);
}, 90_000);

test('a worker killed between sending a webhook and noting it: it comes again under the same id', async () => {
  receiver.answers = () => null;
  const first = startWorkerProcess(the.world);
  const notify = [{ url: `${receiver.url}/killed`, secret: 'a-secret-of-the-goal' }];
  const { goalId } = await the.open('blocked', { criteria, notify });
  await waitUntil(() => receiver.received.length === 1, 30_000);
  await first.kill();
  receiver.answers = () => 204;
  // As if the lease of the dead sender were over.
  await the.world.database`UPDATE delivery SET next_at = now() WHERE goal_id = ${goalId}`;
  await startWorker();
  await waitUntil(async () => {
    const rows = await the.world.database<{ state: string }[]>`
      SELECT state FROM delivery WHERE goal_id = ${goalId}`;
    return rows.every(({ state }) => state === 'delivered');
  });
  expect(receiver.received).toHaveLength(2);
  const [lost, second] = receiver.received;
  expect(second?.headers['webhook-id']).toBe(lost?.headers['webhook-id']);
  expect(second?.body).toBe(lost?.body);
}, 90_000);
