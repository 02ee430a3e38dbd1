import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, reply, type Script } from '../../demo/script.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { restartWith, temporalClient, waitUntil } from '../workflows/helpers.ts';
import { type Fault, hasStruck, nameOf, threadOf } from './faults.ts';
import { bothSides } from './points.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

const SAID = ['The first word.', 'The second word.', 'The third word.', 'The fourth word.'];
const LAST = SAID.at(-1) ?? '';

const callsIn = (messages: readonly { readonly calls: readonly unknown[] }[]): number =>
  messages.flatMap(({ calls }) => calls).length;
const hasHeard = (texts: readonly { readonly text: string }[], word: string): boolean =>
  texts.some(({ text }) => text.includes(word));

/** Slow enough that what is said while it answers comes in the middle. */
const scripts: Readonly<Record<string, Script>> = {
  talks: ({ messages }) =>
    callsIn(messages) === 0
      ? reply.call('continue_work', { delaySeconds: 300, reason: 'CI is running' })
      : { ...reply.text('I see.'), delayMs: 150 },
  // One turn of many steps, until it has heard everything.
  works: ({ messages }) =>
    hasHeard(messages, LAST)
      ? reply.call('ask_user', { question: 'Shall I go on?' })
      : { ...reply.call('list_files', { glob: `${callsIn(messages)}*` }), delayMs: 150 },
};

type Point = readonly [name: string, time: number];
/** During turns that answer, while they settle, and between them. */
const OF_TALK: readonly Point[] = [
  ['record.commitMutation', 2],
  ['journal.openTurn', 2],
  ['journal.openTurn', 3],
  ['journal.beginStep', 2],
  ['journal.commitStep', 2],
  ['journal.unread', 2],
  ['record.settleSlice', 2],
  ['record.settleSlice', 3],
];
/** Where a message gets into the middle of a turn. */
const OF_STEERING: readonly Point[] = [
  ['record.commitMutation', 1],
  ['journal.takeSteering', 1],
  ['journal.beginStep', 2],
  ['journal.commitStep', 2],
];
/** The next run of a chain opens. */
const OF_CHAINS: readonly Point[] = [
  ['record.openExecution', 2],
  ['record.openExecution', 3],
];

const faultsAt = (points: readonly Point[]): Fault[] =>
  points.flatMap(([name, time]) => bothSides([name]).map((point) => ({ point, time })));

let goals: ScriptedGoals;
let folder: string;
let worker: SupervisedWorker;
/** Goals whose runs continue as new after a few events, by their fault. */
const short = new Map<string, string>();

beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { worker: false });
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-chaos-'));
  const temporal = temporalClient(goals.world);
  for (const fault of faultsAt(OF_CHAINS)) {
    const goalId = await begin('talks', [fault]);
    await restartWith(goals.world, temporal, goalId, 20);
    short.set(nameOf(fault), goalId);
  }
  await temporal.connection.close();
  worker = await superviseWorker(goals.world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await goals.world.close();
  await rm(folder, { recursive: true, force: true });
});

const begin = (name: string, faults: readonly Fault[]) =>
  goals.start(name, { threadId: threadOf(faults, randomUUID()) });

/** As a caller does who got no answer: the same key, until there is one. */
async function say(goalId: string, text: string, delivery = 'pause'): Promise<void> {
  const key = randomUUID();
  await waitUntil(async () => {
    const response = await fetch(`${goals.world.url}/v1/goals/${goalId}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKENS.operator}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ text, delivery }),
    });
    return response.ok;
  }, 120_000);
}

/** What people said, as the newest request has it: in whose voice, how often, in which order. */
function heardBy(goalId: string): { role: string; text: string }[] {
  const newest = goals.world.model.requests.findLast((request) => goalIdOf(request) === goalId);
  return (newest?.messages ?? []).flatMap(({ role, text }) =>
    SAID.filter((word) => text.includes(word)).map((word) => ({ role, text: word })),
  );
}

async function expectHeardOnce(goalId: string): Promise<void> {
  expect(heardBy(goalId)).toEqual(SAID.map((text) => ({ role: 'user', text })));
  const stored = await goals.world.database<{ text: string }[]>`
    SELECT content->>'text' AS text FROM message
    WHERE goal_id = ${goalId} AND voice = 'person' ORDER BY seq`;
  expect(stored.map(({ text }) => text)).toEqual(SAID);
  const [left] = await goals.world.database<[{ count: number }]>`
    SELECT count(*)::int FROM inbox WHERE goal_id = ${goalId} AND taken_by_turn IS NULL`;
  expect(left.count).toBe(0);
}

async function talk(goalId: string): Promise<void> {
  await goals.world.until(goalId, ({ activity }) => activity.on === 'timer', 120_000);
  for (const text of SAID) await say(goalId, text);
  await goals.world.until(
    goalId,
    ({ pause }) => pause?.reason === 'message' && heardBy(goalId).length >= SAID.length,
    300_000,
  );
}

for (const fault of faultsAt(OF_TALK)) {
  test.concurrent(`M20 M23 a worker killed at ${nameOf(fault)} delivers every message once, in order`, async () => {
    const goalId = await begin('talks', [fault]);
    await talk(goalId);
    await waitUntil(() => hasStruck(folder, goalId, fault));
    await expectHeardOnce(goalId);
  });
}

for (const fault of faultsAt(OF_CHAINS)) {
  test.concurrent(`M23 a worker killed at ${nameOf(fault)}, as a run continues as new, delivers every message once`, async () => {
    const goalId = short.get(nameOf(fault)) ?? '';
    await talk(goalId);
    await waitUntil(() => hasStruck(folder, goalId, fault));
    await expectHeardOnce(goalId);
  });
}

for (const fault of faultsAt(OF_STEERING)) {
  test.concurrent(`M21 a worker killed at ${nameOf(fault)} steers the turn that runs with every message once`, async () => {
    const goalId = await begin('works', [fault]);
    await goals.asked(goalId);
    for (const text of SAID) await say(goalId, text, 'steer');
    await goals.world.until(goalId, ({ pause }) => pause?.reason === 'question', 300_000);
    await waitUntil(() => hasStruck(folder, goalId, fault));
    await expectHeardOnce(goalId);
  });
}

test('M23 what is said while the worker is down is heard when it is back, in order', async () => {
  const goalId = await begin('talks', []);
  await goals.world.until(goalId, ({ activity }) => activity.on === 'timer', 120_000);
  await worker.untilRunning();
  worker.kill('SIGKILL');
  await talk(goalId);
  await expectHeardOnce(goalId);
});
