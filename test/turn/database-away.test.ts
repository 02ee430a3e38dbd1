import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  assistantMessages,
  type ChatRequest,
  goalIdOf,
  reply,
  sequence,
} from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { JournalPort } from '../../src/contract/journal.ts';
import type { CallStart } from '../../src/contract/tool-call.ts';
import { type Database, DatabaseUnavailable, openDatabase } from '../../src/store/client.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { retryingJournal } from '../../src/store/journal/retrying-journal.ts';
import { addressIn, type Cable, layCable, throughCable } from '../support/cable.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const COMMAND = 'echo ran >> effects.log && cat answer.txt';
const CALLS = [
  reply.call('todo_write', { todos: [{ content: 'Write it', status: 'in_progress' }] }),
  reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
  reply.call('run_command', { command: COMMAND }),
  reply.call('complete_step', {
    step: '1',
    result: 'It is written.',
    evidence: [{ kind: 'verification', summary: 'read back', command: COMMAND }],
  }),
  reply.call('attempt_completion', { result: 'It is there.' }),
];

type Method = (...input: unknown[]) => Promise<unknown>;

/** The same journal, each of whose methods runs by `around`. */
function wrapped(
  journal: JournalPort,
  around: (name: string, method: Method, input: unknown[]) => Promise<unknown>,
): JournalPort {
  const entries = Object.entries(journal).map(([name, method]) => [
    name,
    (...input: unknown[]) => around(name, method as Method, input),
  ]);
  return Object.fromEntries(entries) as JournalPort;
}

/** And not of a baseline or gate, which are tried again as a whole. */
const isOfModel = ([, call]: unknown[]): boolean => /^t\d/.test((call as CallStart).callId);

async function play(world: GoalWorld) {
  const path = await world.workspace({});
  const { goalId } = await world.start({
    objective: 'Write the answer',
    // Without a command in the baseline, the write is the first to need a helper.
    criteria: [{ kind: 'file', path: 'answer.txt', exists: true }],
    workspace: { path },
  });
  const goal = await world.until(goalId, ({ status }) => status === 'complete');
  const { items } = await world.client.get<{ items: LedgerRow[] }>(
    `/v1/goals/${goalId}/ledger?limit=200`,
  );
  // The claim's end is the gate's.
  const own = items.filter(
    ({ tool, callId }) => /^t\d/.test(callId) && tool !== 'attempt_completion',
  );
  const settled = own.filter(({ phase }) => phase === 'settled');
  return { goal, path, own, settled };
}

const succeeded = ['todo_write', 'write_file', 'run_command', 'complete_step'].map((tool) => [
  tool,
  'succeeded',
]);
const endsOf = (settled: readonly LedgerRow[]) =>
  settled.map(({ tool, outcome }) => [tool, outcome]);
const attemptsOf = (rows: readonly LedgerRow[]) => new Set(rows.map(({ token }) => token)).size;

const STEER = 'Keep it short, please.';

/** A person steers while the model is asked for the second time. */
async function steeredOnce(request: ChatRequest) {
  const goalId = goalIdOf(request) ?? '';
  if (assistantMessages(request) === 1 && !steered.has(goalId)) {
    steered.add(goalId);
    const body = { text: STEER, delivery: 'steer' };
    await world.client.send('POST', `/v1/goals/${goalId}/messages`, body);
  }
  return sequence(CALLS)(request);
}

const steered = new Set<string>();
let world: GoalWorld;
let cable: Cable;
let database: Database;
beforeAll(async () => {
  world = await openGoalWorld({ script: steeredOnce, worker: false });
  const url = world.environment.DATABASE_URL ?? '';
  cable = await layCable(addressIn(url));
  database = openDatabase(throughCable(url, cable), { connections: 4 });
});
afterAll(async () => {
  await world.close();
  await database.end({ timeout: 0 });
  await cable.close();
});

test('REC-37 a tool call whose database goes away between its beginning and its effect waits for it, and is not lost', async () => {
  const failed: string[] = [];
  const journal = wrapped(
    createJournal(database, { ledgerKeys: world.ledgerKeys }),
    async (name, method, input) => {
      try {
        const done = await method(...input);
        if (name === 'startCall' && isOfModel(input)) cable.cut();
        return done;
      } catch (error) {
        if (error instanceof DatabaseUnavailable) failed.push(name);
        cable.mend();
        throw error;
      }
    },
  );
  const worker = await world.startWorker((ports) => ({
    ...ports,
    journal: retryingJournal(journal),
  }));
  const { path, own, settled } = await play(world);
  // What the write and the sign-off need before they can do anything.
  expect(failed).toEqual(expect.arrayContaining(['recordHelper', 'receipts']));
  expect(endsOf(settled)).toEqual(succeeded);
  expect(attemptsOf(own)).toBe(1);
  expect(await readFile(join(path, 'effects.log'), 'utf8')).toBe('ran\n');
  worker.stop();
  await worker.done;
});

test('REC-38 whatever a slice asks of its journal may lose its answer: no call is told as unknown, no step paid for twice, no word lost', async () => {
  const lost = new Set<string>();
  const journal = wrapped(
    createJournal(database, { ledgerKeys: world.ledgerKeys }),
    async (name, method, input) => {
      const done = await method(...input);
      const [, what] = input as [unknown, { tool?: string; step?: number } | undefined];
      const key = [name, what?.tool ?? what?.step ?? ''].join(' ').trim();
      if (lost.has(key)) return done;
      lost.add(key);
      throw new DatabaseUnavailable(new Error('the answer is lost'));
    },
  );
  // The gate asks as well, and is tried again as a whole.
  await world.startWorker((ports) => ({ ...ports, journal: retryingJournal(journal) }));
  const asked = world.model.requests.length;
  const { goal, path, own, settled } = await play(world);
  const asks = ['startCall write_file', 'startCall run_command', 'beginStep 2', 'recordHelper'];
  expect([...lost]).toEqual(expect.arrayContaining([...asks, 'raiseToken', 'openTurn']));
  expect([...lost].filter((key) => key.startsWith('takeSteering'))).not.toEqual([]);
  expect(endsOf(settled)).toEqual(succeeded);
  expect(attemptsOf(own)).toBe(1);
  expect(await readFile(join(path, 'effects.log'), 'utf8')).toBe('ran\n');
  const steps = await world.database<{ state: string }[]>`
    SELECT state FROM step WHERE goal_id = ${goal.goalId}`;
  expect(steps.map(({ state }) => state)).toEqual(CALLS.map(() => 'committed'));
  expect(world.model.requests.length - asked).toBe(CALLS.length);
  const heard = world.model.requests
    .slice(asked + 2)
    .map(({ messages }) => JSON.stringify(messages));
  expect(heard.map((messages) => messages.split(STEER).length - 1)).toEqual([1, 1, 1]);
});
