import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const write = (path: string, content: string) => reply.call('write_file', { path, content });
const run = (command: string) => reply.call('run_command', { command });
const claim = reply.call('attempt_completion', { result: 'It is done.' });
const answer = write('answer.txt', '42\n');

const scripts: Record<string, Script> = {
  claims: sequence([answer, claim]),
  edits: sequence([answer, claim, claim, write('answer.txt', '42 \n'), claim]),
  repairs: sequence([claim, answer, claim]),
  tries: sequence([answer, run('CHECK'), claim]),
  links: sequence([run('mv answer.txt "$(mktemp -u)" && ln -s /etc/hostname answer.txt'), claim]),
};

/** The model's own run is the check itself, which a script can't know. */
const script: Script = (request) => {
  const [name = '', command = ''] = objectiveOf(request).split(': ');
  const next = (scripts[name] ?? sequence([reply.text('?')]))(request);
  const plain = command.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return JSON.parse(JSON.stringify(next).replace('"CHECK"', () => JSON.stringify(plain)));
};

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

/**
 * Passes in the workspace as the letters say, run by run; what it remembers lies in a file that git
 * ignores, and so in no proof run.
 */
const unsteady = (passes: string): string =>
  'test -f answer.txt && { test ! -e runs.log || { echo >> runs.log && ' +
  `echo ${passes} | cut -c "$(wc -l < runs.log)" | grep -q y; }; }`;

const IGNORED = { '.gitignore': 'runs.log\n', 'runs.log': '' };

interface Ended {
  readonly goal: Goal;
  readonly runs: readonly string[];
  readonly changes: readonly ShownChange[];
}

async function end(name: string, command: string, more: object = {}): Promise<Ended> {
  const { goalId } = await world.start({
    objective: `${name}: ${command}`,
    workspace: { path: await world.workspace(name === 'links' ? { 'answer.txt': '' } : IGNORED) },
    criteria: [{ kind: 'command', command, ...more }],
  });
  const goal = await world.until(goalId, ({ status }) => status !== 'active');
  const ledger = await world.client.get<{ items: { phase: string; outcome: string }[] }>(
    `/v1/goals/${goalId}/ledger?tool=check.gate&limit=100`,
  );
  const { changes } = await world.client.get<Pick<Ended, 'changes'>>(`/v1/goals/${goalId}/gate`);
  const settled = ledger.items.filter(({ phase }) => phase === 'settled');
  return { goal, runs: settled.map(({ outcome }) => outcome), changes };
}

describe('a check that passes now and then', () => {
  test('R43 passes once after a failure on the same files and fails again: no proof', async () => {
    const { goal, runs } = await end('claims', unsteady('nynyynyyn'));
    expect(goal.pause?.reason).toBe('gate_exhausted');
    const [no, yes] = ['failed', 'succeeded'];
    expect(runs).toEqual([no, yes, no, yes, yes, no, yes, yes, no]);
    const [criterion] = goal.criteria;
    expect(criterion?.receipts).toHaveLength(3);
    expect(criterion?.reason).toMatch(/3 times in a row: 1\. exited 0; 2\. exited 0; 3\. exited 1/);
  });

  test('passes three times in a row after a failure on the same files: proof, with all runs, the one of the proof and the one on the original', async () => {
    const { goal, runs } = await end('claims', unsteady('nyyy'));
    expect(goal.completion).toMatchObject({ verification: 'verified' });
    expect(runs).toEqual(['failed', 'succeeded', 'succeeded', 'succeeded']);
    expect(goal.criteria[0]?.receipts).toHaveLength(5);
  });

  test('that failed when the model ran it is as suspicious', { tags: 'campaign' }, async () => {
    const { goal, runs } = await end('tries', unsteady('nynyny'));
    expect(goal.status).toBe('paused');
    expect(runs.slice(0, 2)).toEqual(['succeeded', 'failed']);
  });

  test('is not believed after an edit either, once it was seen to change its mind', {
    tags: 'campaign',
  }, async () => {
    const { goal, runs } = await end('edits', unsteady('nynynynyny'));
    expect(goal.status).toBe('paused');
    expect(runs.slice(0, 5)).toEqual(['failed', 'succeeded', 'failed', 'succeeded', 'failed']);
  });

  test('needs one pass where its caller gave it attempts', async () => {
    const { goal, runs } = await end('claims', unsteady('nnny'), { attempts: 3 });
    expect(goal.completion).toMatchObject({ verification: 'verified' });
    expect(runs).toHaveLength(4);
  });

  test('an honest repair after a refused claim runs the check once', async () => {
    const { goal, runs } = await end('repairs', 'test -f answer.txt');
    expect(goal.completion).toMatchObject({ verification: 'verified' });
    expect(runs).toEqual(['failed', 'succeeded']);
  });
});

test('R11 a file that became a link out of the workspace is for a person to accept', async () => {
  const { goal, changes } = await end('links', 'test -s answer.txt');
  expect(goal.completion).toBeUndefined();
  expect(changes).toEqual([
    expect.objectContaining({
      name: 'answer.txt',
      kind: 'beyond_scope',
      diff: expect.stringContaining('+/etc/hostname'),
    }),
  ]);
});
