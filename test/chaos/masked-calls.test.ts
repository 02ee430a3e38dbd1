import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectiveOf, reply, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { type Fault, hasStruck, nameOf, threadOf } from './faults.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** Known by its shape, so that it is stored nowhere. */
const TOKEN = `ghp_${'Qw3Er4Ty'.repeat(5)}`;

const calls = {
  command: reply.call('run_command', { command: `echo ${TOKEN} >> secret.txt` }),
  write: reply.call('write_file', { path: 'secret.txt', content: `${TOKEN}\n` }),
} as const;
const answers = sequence([reply.call('ask_user', { question: 'What became of it?' })]);

const NOT_STORED = 'its arguments held a secret, which is never stored';
const UNSEEN = 'the process died while this ran; its end was not seen';

interface Case {
  readonly call: keyof typeof calls;
  readonly point: string;
  readonly outcome: string;
  readonly reason?: string;
  /** How often the secret is in the workspace afterwards. */
  readonly times: number;
}

const CASES: readonly Case[] = [
  {
    call: 'command',
    point: 'journal.commitStep:after',
    outcome: 'refused',
    reason: NOT_STORED,
    times: 0,
  },
  {
    call: 'command',
    point: 'journal.startCall:after',
    outcome: 'unknown',
    reason: UNSEEN,
    times: 0,
  },
  {
    call: 'command',
    point: 'workspace.runCommand:after',
    outcome: 'unknown',
    reason: UNSEEN,
    times: 1,
  },
  { call: 'command', point: 'journal.settleCall:after', outcome: 'succeeded', times: 1 },
  {
    call: 'write',
    point: 'journal.startCall:after',
    outcome: 'refused',
    reason: NOT_STORED,
    times: 0,
  },
  {
    call: 'write',
    point: 'workspace.writeFile:before',
    outcome: 'refused',
    reason: NOT_STORED,
    times: 0,
  },
  { call: 'write', point: 'workspace.writeFile:after', outcome: 'succeeded', times: 1 },
];

let world: GoalWorld;
let worker: SupervisedWorker;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-masked-'));
  world = await openGoalWorld({
    script: (request) => {
      if (request.messages.some(({ role }) => role === 'tool'))
        return answers({ ...request, messages: [] });
      return objectiveOf(request).includes('write') ? calls.write : calls.command;
    },
    worker: false,
  });
  worker = await superviseWorker(world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

for (const { call, point, outcome, reason, times } of CASES) {
  const fault: Fault = { point, time: 1 };
  // One at a time: a kill takes from every goal of the worker what only its memory holds.
  test(`a ${call} with a secret whose worker is killed at ${nameOf(fault)} is told as ${outcome}, and run at most once`, async () => {
    const path = await world.workspace({});
    const { goalId } = await world.start({
      objective: `Do a ${call}.`,
      criteria: [],
      threadId: threadOf([fault], crypto.randomUUID()),
      workspace: { path },
    });
    await world.until(goalId, ({ status }) => status === 'paused', 300_000);
    expect(hasStruck(folder, goalId, fault)).toBe(true);
    const query = `/v1/goals/${goalId}/ledger?limit=200`;
    const { items } = await world.client.get<{ items: LedgerRow[] }>(query);
    const row = items.find(({ phase, callId }) => phase === 'settled' && callId === 't1.s1.1');
    expect(row).toMatchObject({ outcome, ...(reason !== undefined && { receipt: { reason } }) });
    const file = join(path, 'secret.txt');
    const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
    expect(written).toBe(`${TOKEN}\n`.repeat(times));
    const rows = await world.database`
      SELECT content::text AS text FROM message WHERE goal_id = ${goalId}
      UNION ALL SELECT body::text FROM ledger WHERE goal_id = ${goalId}
      UNION ALL SELECT data::text FROM event WHERE goal_id = ${goalId}`;
    expect(JSON.stringify(rows)).not.toContain('Qw3Er4Ty');
  });
}
