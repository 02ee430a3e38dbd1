import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { superviseWorker } from './supervisor.ts';

const SLOW = 'echo begun >> begun.log && sleep 100 && echo late >> late.log';
const claim = reply.call('attempt_completion', { result: 'It is there.' });
const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });

const scripts: Record<string, Script> = {
  command: sequence([reply.call('run_command', { command: SLOW }), write, claim]),
  model: (request) =>
    request.seenBefore === 0 && request.messages.filter((m) => m.role === 'assistant').length === 0
      ? { ...write, delayMs: 4000 }
      : sequence([write, claim])(request),
};

let world: GoalWorld;
beforeAll(async () => {
  const script: Script = (request) =>
    (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);
  world = await openGoalWorld({ script, worker: false });
});
afterAll(() => world.close());

async function until(holds: () => Promise<boolean>, timeoutMs = 90_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await holds()); ) {
    if (Date.now() > deadline) throw new Error('it never came to that');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const tokenOf = async (goalId: string) =>
  (
    await world.database<{ token: number }[]>`SELECT token FROM journal WHERE goal_id = ${goalId}`
  )[0]?.token ?? 0;

for (const phase of ['command', 'model']) {
  test(`a worker frozen in a ${phase} and thawed after a takeover changes neither rows nor files`, async () => {
    const frozen = await superviseWorker(world);
    const path = await world.workspace({});
    const { goalId } = await world.start({
      objective: `${phase}: go`,
      criteria: [{ kind: 'command', command: 'grep -qx 42 answer.txt' }],
      workspace: { path },
    });
    await until(async () => {
      const begun =
        phase === 'command'
          ? await readFile(join(path, 'begun.log'), 'utf8').catch(() => '')
          : (await world.database`SELECT 1 FROM step WHERE goal_id = ${goalId}`).count > 0;
      return Boolean(begun);
    });
    const held = await tokenOf(goalId);
    frozen.kill('SIGSTOP');
    const second = await superviseWorker(world);
    try {
      await until(async () => (await tokenOf(goalId)) > held);
      await world.until(goalId, ({ status }) => status === 'complete', 60_000);
      const before = await snapshot(goalId, path);
      frozen.kill('SIGCONT');
      // What the thawed worker still does ends with its refused slice; its own stop waits for that.
      await frozen.stop();
      expect(await snapshot(goalId, path)).toEqual(before);
      const { items } = await world.client.get<{ items: LedgerRow[] }>(
        `/v1/goals/${goalId}/ledger?limit=200`,
      );
      const fromFrozen = items.filter(
        ({ token, phase: half }) => token <= held && half === 'settled',
      );
      expect(fromFrozen.filter(({ tool }) => tool === 'run_command')).toEqual([]);
      expect(before.late).toBe('');
    } finally {
      frozen.kill('SIGCONT');
      await Promise.all([frozen.stop(), second.stop()]);
    }
  });
}

async function snapshot(goalId: string, path: string) {
  const [rows] = await world.database`
    SELECT j.token, j.ledger_seq, j.message_seq, j.event_seq, j.input_tokens, j.steps, g.revision
    FROM journal j JOIN goal g USING (goal_id) WHERE goal_id = ${goalId}`;
  const read = (file: string) => readFile(join(path, file), 'utf8').catch(() => '');
  return { rows, answer: await read('answer.txt'), late: await read('late.log') };
}
