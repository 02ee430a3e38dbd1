import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, type ScriptedReply } from '../../demo/script.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { type Fault, hasStruck, nameOf, threadOf } from './faults.ts';
import { bothSides } from './points.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

const elect = (delaySeconds: number) =>
  reply.call('continue_work', { delaySeconds, reason: 'CI is running' });

/** By the calls that the model made: a killed worker may leave half a word of it as well. */
const inOrder =
  (replies: readonly ScriptedReply[]): Script =>
  ({ messages }) => {
    const calls = messages.flatMap((message) => message.calls).length;
    return replies[Math.min(calls, replies.length - 1)] ?? reply.empty();
  };

const scripts = {
  wakes: inOrder([elect(1), reply.call('wait_for', { command: 'true' }), write, claim]),
  delays: inOrder([elect(8), write, claim]),
  // The second look finds what the first one and itself have written.
  writes: inOrder([
    reply.call('wait_for', { command: 'echo x >> seen; [ $(wc -l < seen) -ge 2 ]' }),
    write,
    claim,
  ]),
  talks: inOrder([elect(300), reply.text('It goes well.')]),
};
const policy = { continuation: { delayMinSeconds: 1, pollMinSeconds: 1, pollMaxSeconds: 1 } };

/** Where a wake is asked for, looked for, fired and begun. */
const OF_WAKES: readonly (readonly [string, number])[] = [
  ['record.settleSlice', 1],
  ['record.fireWait', 1],
  ['journal.openTurn', 2],
  ['journal.borrowWorkspace', 1],
  ['workspace.runCommand', 1],
  ['journal.returnWorkspace', 1],
  ['journal.countLook', 1],
  ['record.fireWait', 2],
];
/** Where a message is stored, taken and answered. */
const OF_MESSAGES: readonly (readonly [string, number])[] = [
  ['record.commitMutation', 1],
  ['journal.openTurn', 2],
  ['journal.commitStep', 2],
  ['record.settleSlice', 2],
];

const faultsAt = (points: typeof OF_WAKES): Fault[] =>
  points.flatMap(([name, time]) => bothSides([name]).map((point) => ({ point, time })));

let goals: ScriptedGoals;
let folder: string;
let worker: SupervisedWorker;

beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { worker: false });
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-chaos-'));
  worker = await superviseWorker(goals.world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await goals.world.close();
  await rm(folder, { recursive: true, force: true });
});

const countOf = async (goalId: string, type: string) =>
  (
    await goals.world.database`
      SELECT 1 FROM event WHERE goal_id = ${goalId} AND type = ${type}`
  ).count;
const begin = (name: string, faults: readonly Fault[]) =>
  goals.start(name, { policy, threadId: threadOf(faults, randomUUID()) });
const complete = (goalId: string) =>
  goals.world.until(goalId, ({ status }) => status === 'complete', 300_000);

for (const fault of faultsAt(OF_WAKES)) {
  test.concurrent(`O33 a worker killed at ${nameOf(fault)} wakes its goal once each time`, async () => {
    const goalId = await begin('wakes', [fault]);
    await complete(goalId);
    await waitUntil(() => hasStruck(folder, goalId, fault));
    expect(await goals.story(goalId)).toEqual([
      'start: 7 wait',
      'wake: 7 wait',
      'wake: 4 complete',
    ]);
    expect(await countOf(goalId, 'election.fired')).toBe(2);
    expect(await countOf(goalId, 'election.granted')).toBe(2);
  });
}

test('a worker killed behind a look that wrote leaves no receipt fresh', async () => {
  const fault = { point: 'workspace.runCommand:after', time: 1 };
  const goalId = await begin('writes', [fault]);
  await complete(goalId);
  await waitUntil(() => hasStruck(folder, goalId, fault));
  const [{ write_seq: counted } = { write_seq: 0 }] = await goals.world.database<
    { write_seq: number }[]
  >`
    SELECT w.write_seq FROM workspace w JOIN goal g ON g.workspace_name = w.name
    WHERE g.goal_id = ${goalId}`;
  // The look that nobody saw end, the one that held, the file.
  expect(counted).toBe(3);
});

/** As a caller does who got no answer: the same key, until there is one. */
async function say(goalId: string, text: string): Promise<void> {
  const key = randomUUID();
  await waitUntil(async () => {
    const response = await fetch(`${goals.world.url}/v1/goals/${goalId}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKENS.operator}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ text }),
    });
    return response.ok;
  }, 120_000);
}

for (const fault of faultsAt(OF_MESSAGES)) {
  test.concurrent(`a worker killed at ${nameOf(fault)} delivers a message once`, async () => {
    const goalId = await begin('talks', [fault]);
    await goals.world.until(goalId, ({ activity }) => activity.on === 'timer', 120_000);
    await say(goalId, 'How is it going?');
    await goals.world.until(goalId, ({ pause }) => pause?.reason === 'message', 300_000);
    await waitUntil(() => hasStruck(folder, goalId, fault));
    const said = await goals.world.database<{ text: string }[]>`
      SELECT content->>'text' AS text FROM message
      WHERE goal_id = ${goalId} AND voice = 'person'`;
    expect(said.map(({ text }) => text)).toEqual(['How is it going?']);
    expect(await goals.story(goalId)).toEqual(['start: 7 wait', 'message: 5 pause']);
    expect(await countOf(goalId, 'election.fired')).toBe(0);
  });
}

test('O33 a worker killed during the delay: the goal wakes once, and not before its time', async () => {
  const goalId = await begin('delays', []);
  const { activity } = await goals.world.until(
    goalId,
    (goal) => goal.activity.on === 'timer',
    120_000,
  );
  await worker.untilRunning();
  worker.kill('SIGKILL');
  await complete(goalId);
  const [fired] = await goals.world.database<{ at: Date }[]>`
    SELECT at FROM event WHERE goal_id = ${goalId} AND type = 'election.fired'`;
  expect(await countOf(goalId, 'election.fired')).toBe(1);
  expect(new Date(fired?.at ?? 0).getTime()).toBeGreaterThanOrEqual(
    Date.parse(activity.until ?? ''),
  );
});
