import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { turnsOf } from '../workflows/helpers.ts';

const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });
const claim = reply.call('attempt_completion', { result: 'answer.txt holds the answer.' });
const leavesWriter =
  "setsid nohup sh -c 'while :; do date +%N > tick.txt; sleep 0.02; done' > /dev/null 2>&1 & " +
  'sleep 0.1; test -f tick.txt';

const scripts: Record<string, Script> = {
  works: sequence([write, claim]),
  'leaves-writer': sequence([write, reply.call('run_command', { command: leavesWriter }), claim]),
};
const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);

/** What a person does at the moment in which a gate has looked and nothing is committed yet. */
const people = new Map<string, () => Promise<void>>();

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script, worker: false });
  await world.startWorker((ports) => ({
    ...ports,
    journal: {
      ...ports.journal,
      unread: async (goalId) => {
        await people.get(goalId)?.();
        return ports.journal.unread(goalId);
      },
    },
  }));
});
afterAll(() => world.close());

let writer: NodeJS.Timeout | undefined;
afterEach(() => clearInterval(writer));

async function open(name: string, commands: string[]): Promise<{ goalId: string; path: string }> {
  const path = await world.workspace({});
  const { goalId } = await world.start({
    objective: `${name}: go`,
    workspace: { path },
    criteria: commands.map((command) => ({ kind: 'command' as const, command })),
  });
  return { goalId, path };
}

const settled = ({ status }: Goal) => status !== 'active';
const exists = 'test -f answer.txt';

// Each refusal costs two gates of two rounds.
describe('files that move while the gate looks', () => {
  test('a rerun that writes files of its own stays proof', async () => {
    const { goalId } = await open('works', [exists, `date +%N > report.xml && ${exists}`]);
    const goal = await world.until(goalId, settled);
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    expect(goal.completion?.changedFiles).toEqual(['answer.txt']);
  });

  test('a check that breaks what an earlier one proved is found in the second round', async () => {
    const { goalId } = await open('works', [exists, `${exists} && rm answer.txt`]);
    const goal = await world.until(goalId, settled);
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(goal.criteria.map(({ state }) => state)).toEqual(['unmet', 'unmet']);
  });

  test('R40 a writer that never rests ends as gate_exhausted with its paths, and a resume completes', async () => {
    const { goalId, path } = await open('works', [`sleep 0.2 && ${exists}`]);
    writer = setInterval(() => void writeFile(join(path, 'tick.txt'), `${Math.random()}`), 20);
    const stuck = await world.until(goalId, settled);
    expect(stuck.pause).toMatchObject({ reason: 'gate_exhausted', missing: ['workspace'] });
    expect((await turnsOf(world, goalId)).length).toBe(3);
    const gate = await world.client.get<{ reasons: Record<string, string> }>(
      `/v1/goals/${goalId}/gate`,
    );
    expect(gate.reasons.workspace).toMatch(/tick\.txt.*run_command.*attempt_completion/);
    clearInterval(writer);
    await world.client.send('POST', `/v1/goals/${goalId}/resume`, {});
    const goal = await world.until(goalId, ({ status }) => status === 'complete');
    expect(goal.completion?.verification).toBe('verified');
  });

  test('a process that the model leaves behind ends with its turn, before the gate looks', async () => {
    const { goalId } = await open('leaves-writer', [exists]);
    const goal = await world.until(goalId, settled);
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
  });

  test('a person who writes once between gate and commit makes the host look again', async () => {
    const { goalId, path } = await open('works', [exists]);
    let gates = 0;
    people.set(goalId, async () => {
      const { criteria } = await world.get(goalId);
      // Called by slices as well: only after a gate is there a run of it.
      const runs = await world.client.get<{ items: unknown[] }>(
        `/v1/goals/${goalId}/ledger?tool=check.gate`,
      );
      if (criteria.length === 0 || runs.items.length === 0) return;
      gates += 1;
      if (gates === 1) await writeFile(join(path, 'note.txt'), 'by hand');
    });
    const goal = await world.until(goalId, settled);
    expect(goal.status).toBe('complete');
    expect(gates).toBe(2);
  });

  test('a person who writes after every gate gets a refusal that names the file', async () => {
    const { goalId, path } = await open('works', [exists]);
    people.set(goalId, () => writeFile(join(path, 'note.txt'), `${Math.random()}`));
    const goal = await world.until(goalId, settled);
    expect(goal.pause?.reason).toBe('gate_exhausted');
    const gate = await world.client.get<{ reasons: Record<string, string> }>(
      `/v1/goals/${goalId}/gate`,
    );
    expect(gate.reasons.workspace).toContain('note.txt');
  });
});
