import { execFile } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { Goal } from '../../schema/goal.ts';
import type { PolicyInput } from '../../schema/policy.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const shell = promisify(execFile);
const write = (path: string, content: string) => reply.call('write_file', { path, content });
const run = (command: string) => reply.call('run_command', { command });
const claim = reply.call('attempt_completion', { result: 'It is done.' });
const answer = write('answer.txt', '42\n');

const scripts: Record<string, Script> = {
  works: sequence([answer, claim]),
  claims: sequence([claim]),
  shows: sequence([
    claim,
    run('grep -q 42 answer.txt'),
    answer,
    claim,
    run('grep -q 42 answer.txt'),
    claim,
  ]),
  stale: sequence([answer, run('grep -q 42 answer.txt'), write('late.txt', 'x'), claim]),
  tampers: sequence([
    write('locked.txt', 'mine'),
    run('echo mine > locked.txt'),
    answer,
    claim,
    run('printf first > locked.txt'),
    claim,
  ]),
  commits: sequence([
    answer,
    run('git commit -q --allow-empty -m nothing'),
    claim,
    run('git add answer.txt && git commit -q -m answer && echo x > stray.txt'),
    claim,
    run('rm stray.txt'),
    claim,
  ]),
  wanders: sequence([write('other.txt', 'x'), run('git add -A && git commit -q -m other'), claim]),
  repairs: sequence([claim, write('app.py', 'print(1)\n'), claim]),
};

const script: Script = (request) =>
  (scripts[objectiveOf(request).split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

interface Ended {
  readonly goal: Goal;
  readonly path: string;
  /** What each refused claim was told, oldest first. */
  readonly refusals: readonly Record<string, string>[];
}

async function end(
  name: string,
  criteria: readonly Criterion[],
  files: Record<string, string> = {},
  prepare: (path: string) => Promise<unknown> = async () => {},
  policy: PolicyInput = {},
): Promise<Ended> {
  const path = await world.workspace(files);
  await prepare(path);
  const started = await world.start({
    objective: `${name}: go`,
    workspace: { path },
    criteria: [...criteria],
    policy,
  });
  const goal = await world.until(started.goalId, ({ status }) => status !== 'active');
  const rows = await world.database<{ reasons: Record<string, string> }[]>`
    SELECT outcome->'reasons' AS reasons FROM decision
    WHERE goal_id = ${goal.goalId} AND outcome->'reasons' <> '{}' ORDER BY turn`;
  return { goal, path, refusals: rows.map(({ reasons }) => reasons) };
}

const verified = { status: 'complete', completion: { verification: 'verified' } };
/** A run of the model supports a claim and proves nothing. */
const supported = { status: 'complete', completion: { verification: 'supported' } };
const isEnough = { completion: 'supported' } as const;
const noSetUp = async () => {};
const gitWorkspace = async (path: string) => {
  const git = (...args: string[]) => shell('git', ['-C', path, ...args]);
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.email', 'a@example.com');
  await git('config', 'user.name', 'A');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'first');
};
const checkouts = async () =>
  (await readdir(tmpdir())).filter((name) =>
    name.startsWith(`goalkeeper-checkout-${process.pid}-`),
  );
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe('a command', () => {
  test.each([
    ['that does not exist', { command: 'no-such-program --now' }, /exited 127.*not found/],
    [
      'that takes too long',
      { command: `node -e 'setTimeout(() => {}, 9000)'`, timeoutSeconds: 1 },
      /timed out after 1 s/,
    ],
    [
      'in a folder that is not there',
      { command: 'true', cwd: 'none' },
      /folder none does not exist/,
    ],
  ])('%s leaves its criterion unmet with that reason', async (_what, spec, reason) => {
    const { goal, refusals } = await end('works', [{ kind: 'command', ...spec }]);
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(goal.criteria[0]).toMatchObject({ state: 'unmet' });
    expect(refusals[0]?.c1).toMatch(reason);
  });

  test('expectExit and attempts: all tries are receipts, in the workspace and in the proof run', async () => {
    const flaky =
      'n=$(cat .count 2>/dev/null || echo 0); echo $((n + 1)) > .count\n' +
      'test -f answer.txt || exit 9; [ $(((n + 1) % 3)) = 0 ] && exit 4; exit 9\n';
    const spec = { kind: 'command', command: 'bash flaky.sh', expectExit: 4, attempts: 3 } as const;
    const files = { '.gitignore': '.count\n', 'flaky.sh': flaky };
    const { goal } = await end('works', [spec], files);
    expect(goal).toMatchObject(verified);
    expect(goal.criteria[0]?.receipts).toHaveLength(6);
    expect(goal.criteria[0]?.reason).toMatch(/^3 of 3 attempts: 1\. exited 9/);
  });

  test('check clean runs after its setup in a checkout, which is removed', async () => {
    const spec = {
      kind: 'command',
      command: 'grep -q answer built.txt && test ! -e left-out.txt',
      setup: 'ls > built.txt',
      check: 'clean',
    } as const;
    const files = { '.gitignore': 'left-out.txt\n', 'left-out.txt': 'x' };
    const { goal, path } = await end('works', [spec], files, gitWorkspace);
    expect(goal).toMatchObject(verified);
    expect(await isThere(join(path, 'built.txt'))).toBe(false);
    expect(await checkouts()).toEqual([]);
  });

  test('check clean is unmet by what would not be delivered', async () => {
    const spec = { kind: 'command', command: 'grep -q 42 answer.txt', check: 'clean' } as const;
    const { goal, refusals } = await end('works', [spec], { '.gitignore': 'answer.txt\n' });
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(refusals[0]?.c1).toContain('in a fresh checkout it exited 2');
  });

  test('R11 check receipt wants a run of the model itself, after the write', async () => {
    const spec = { kind: 'command', command: 'grep -q 42 answer.txt', check: 'receipt' } as const;
    const { goal, refusals } = await end('shows', [spec], {}, noSetUp, isEnough);
    expect(goal).toMatchObject(supported);
    expect(refusals).toHaveLength(2);
    expect(refusals[0]?.c1).toMatch(/unmet.*call run_command with `grep -q 42 answer.txt`/s);
  });

  test('R39 check receipt is stale after a later write in its scope, and names the call', async () => {
    const spec = { kind: 'command', command: 'grep -q 42 answer.txt', check: 'receipt' } as const;
    const { goal, refusals } = await end('stale', [spec]);
    expect(goal.criteria[0]?.state).toBe('stale');
    expect(refusals[0]?.c1).toMatch(/late\.txt.*call run_command with `grep/s);
    const within = { ...spec, scope: ['answer.txt'] };
    const scoped = await end('stale', [within], {}, noSetUp, isEnough);
    expect(scoped.goal).toMatchObject(supported);
  });
});

describe('a file', () => {
  test('that has to exist and to match carries verified', async () => {
    const { goal } = await end('works', [
      { kind: 'file', path: 'answer.txt', exists: true },
      { kind: 'file', path: 'answer.txt', matches: '^42$' },
    ]);
    expect(goal).toMatchObject(verified);
    expect(goal.criteria.map(({ baseline }) => baseline)).toEqual(['unmet', 'unmet']);
  });

  test('a pattern without end is unmet, and the commands after it are not run', async () => {
    const { goal, refusals } = await end(
      'claims',
      [
        { kind: 'command', command: 'true' },
        { kind: 'file', path: 'long.txt', matches: '^(a+)+$' },
      ],
      { 'long.txt': `${'a'.repeat(60)}!` },
    );
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(refusals[0]?.c2).toContain('took too long');
    expect(refusals[0]?.c1).toContain('not looked at yet');
    expect(goal.criteria[0]?.receipts).toEqual([]);
  });

  test('that is protected: tools are refused, a command is found at the gate', async () => {
    const { goal, refusals } = await end(
      'tampers',
      [
        { kind: 'file', path: 'locked.txt', protect: true },
        { kind: 'file', path: 'answer.txt', exists: true },
      ],
      { 'locked.txt': 'first' },
    );
    expect(goal).toMatchObject(verified);
    expect(refusals[0]?.c1).toMatch(/locked\.txt is changed since the start/);
    const { items } = await world.client.get<{ items: { receipt?: { reason?: string } }[] }>(
      `/v1/goals/${goal.goalId}/ledger?outcome=refused`,
    );
    expect(items[0]?.receipt?.reason).toBe(
      'criterion c1 protects locked.txt, so it stays as it is',
    );
  });
});

describe('git', () => {
  test('C19 the change has to be committed without stray files, and that alone is never verified', async () => {
    const { goal, refusals } = await end(
      'commits',
      [{ kind: 'git', branch: 'main', allowedPaths: ['*.txt'], clean: true }],
      { 'readme.txt': 'x' },
      gitWorkspace,
    );
    expect(goal.pause?.reason).toBe('unverified_claim');
    expect(goal.criteria[0]?.state).toBe('met');
    expect(refusals.slice(0, 2).map(({ c1 }) => c1)).toEqual([
      expect.stringContaining('no commit since the start changes a file'),
      expect.stringContaining('stray files: stray.txt'),
    ]);
  });

  test('a change beyond the allowed paths is named', async () => {
    const { goal, refusals } = await end(
      'wanders',
      [{ kind: 'git', allowedPaths: ['src/**'] }],
      { 'readme.txt': 'x' },
      gitWorkspace,
    );
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(refusals[0]?.c1).toContain('changed outside of src/**: other.txt');
  });
});

describe('diagnostics', () => {
  test('errors before, none afterwards: verified', async () => {
    const { goal, refusals } = await end('repairs', [{ kind: 'diagnostics' }], {
      'app.py': 'print(\n',
    });
    expect(goal).toMatchObject(verified);
    expect(refusals[0]?.c1).toMatch(/python exited 1.*edit_file/s);
  });

  test('without a checker it is unmet with that reason', async () => {
    const { goal, refusals } = await end('works', [{ kind: 'diagnostics' }]);
    expect(goal.pause?.reason).toBe('gate_exhausted');
    expect(refusals[0]?.c1).toContain('no checker was found');
  });
});
