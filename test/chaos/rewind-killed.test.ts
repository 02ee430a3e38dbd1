import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Checkpoints } from '../../schema/checkpoint.ts';
import type { Goal } from '../../schema/goal.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { type Fault, hasStruck, nameOf, threadOf } from './faults.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

const NAMES = ['a.txt', 'b.txt', 'c.txt'];
const file = (path: string) => reply.call('write_file', { path, content: `${path}\n` });

/** Of the checkpoints `t0`, `t1`, `r1` and `a1`, and of the files that are placed. */
const FAULTS: Fault[] = [
  ...[1, 2, 3, 4].flatMap((time) => pair('checkpoints.keep', time)),
  ...[1, 2, 3].flatMap((time) => pair('workspace.placeEntry', time)),
  ...pair('checkpoints.pendingRewind', 1),
  ...pair('checkpoints.endRewind', 1),
];

function pair(method: string, time: number): Fault[] {
  return ['before', 'after'].map((when) => ({ point: `${method}:${when}`, time }));
}

let world: GoalWorld;
let worker: SupervisedWorker;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-rewinds-'));
  const question = reply.call('ask_user', { question: 'Is it right?' });
  world = await openGoalWorld({
    script: sequence([...NAMES.map(file), question]),
    worker: false,
  });
  worker = await superviseWorker(world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

for (const fault of FAULTS) {
  test.concurrent(`a rewind is carried out whole and once, also where its worker is killed at ${nameOf(fault)}`, async () => {
    const path = await world.workspace({ 'kept.txt': 'mine\n' });
    const { goalId } = await world.start({
      objective: 'Write them.',
      criteria: [],
      threadId: threadOf([fault], crypto.randomUUID()),
      workspace: { path },
    });
    await world.until(goalId, ({ status }) => status === 'paused', 120_000);
    // Its worker may be dead at this moment: the same order may be given again.
    const key = crypto.randomUUID();
    const order = () =>
      fetch(`${world.url}/v1/goals/${goalId}/rewind`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer test-admin-token-0000',
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ turn: 0 }),
      });
    for (let status = 503; status === 503; ) status = (await order()).status;
    const rewinds = async () =>
      (await world.client.get<Checkpoints>(`/v1/goals/${goalId}/checkpoints`)).rewinds;
    for (let tries = 0; tries < 600 && (await rewinds())[0]?.state !== 'done'; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(hasStruck(folder, goalId, fault)).toBe(true);
    expect(await rewinds()).toMatchObject([{ number: 1, state: 'done', left: [] }]);
    const left = readdirSync(path).filter((name) => name.endsWith('.txt'));
    expect(left).toEqual(['kept.txt']);
    const rows = await world.database`
      SELECT 1 FROM ledger WHERE goal_id = ${goalId} AND tool = 'rewind' AND phase = 'settled'`;
    expect(rows.count).toBe(1);
    // What was there before the first try is what an undo gives back.
    await world.client.send<Goal>('POST', `/v1/goals/${goalId}/rewind`, { undo: true });
    const contents = NAMES.map((name) => readFileSync(join(path, name), 'utf8'));
    expect(contents).toEqual(NAMES.map((name) => `${name}\n`));
  }, 240_000);
}
