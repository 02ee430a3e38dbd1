import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { AppliedBranch } from '../../schema/applied-branch.ts';
import { compiled } from '../support/compiled.ts';
import { startRepository } from '../support/git.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { waitUntil } from './helpers.ts';

const FILES = 300;
/** Parts of the time that it takes undisturbed. */
const MOMENTS = [0.25, 0.5, 0.75];

const script: Script = sequence([
  reply.call('run_command', {
    command: `for n in $(seq ${FILES}); do echo "$n" > "new-$n.txt"; done; rm gone.txt; echo two > a.txt`,
  }),
  reply.call('ask_user', { question: 'Is it right?' }),
]);

let world: GoalWorld;
let worker: ChildProcess;
const startWorker = (): ChildProcess =>
  spawn(process.execPath, [compiled('src/cli/main.ts'), 'worker'], {
    env: { ...process.env, ...world.environment },
    stdio: 'ignore',
  });

async function killWorker(): Promise<void> {
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

beforeAll(async () => {
  world = await openGoalWorld({ script, worker: false });
  worker = startWorker();
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await world?.close();
});

const isFree = async () =>
  (await world.database`SELECT 1 FROM workspace WHERE lease_check_id IS NOT NULL`).count === 0;

async function branchOfOne() {
  const path = await world.workspace({ 'a.txt': 'one\n', 'gone.txt': 'x\n', 'kept.txt': 'k\n' });
  const git = startRepository(path);
  const base = git('rev-parse', 'HEAD');
  const { goalId } = await world.start({
    ...{ objective: 'Make them', criteria: [] },
    workspace: { path, mode: 'worktree' },
  });
  await world.until(goalId, ({ pause }) => pause?.reason === 'question');
  const apply = (key: string) =>
    world.client.send<AppliedBranch>('POST', `/v1/goals/${goalId}/apply`, {}, key);
  /** What is in the workspace: files, index and branch. */
  const look = () => {
    const names = readdirSync(path).filter((name) => name !== '.git');
    const isClean = git('status', '--porcelain') === '';
    const first = readFileSync(join(path, 'a.txt'), 'utf8');
    const hasMoved = git('rev-parse', 'HEAD') !== base;
    if (isClean && hasMoved && names.length === FILES + 2 && first === 'two\n') return 'all';
    if (isClean && !hasMoved && names.length === 3 && first === 'one\n') return 'nothing';
    return `${names.length} files, ${hasMoved ? 'moved' : 'as before'}, ${isClean ? 'clean' : 'not clean'}`;
  };
  return { goalId, git, base, apply, look };
}

/** While no worker is there yet, or another order has the workspace, the service says so. */
async function eventuallyApplied(apply: () => Promise<AppliedBranch>): Promise<AppliedBranch> {
  let last: AppliedBranch | undefined;
  await waitUntil(async () => {
    last = await apply().catch((error: { problem?: { status: number; code: string } }) => {
      const { status, code } = error.problem ?? {};
      if (status === 503 || code === 'workspace_busy') return undefined;
      throw error;
    });
    return last !== undefined;
  }, 120_000);
  if (last === undefined) throw new Error('nothing was applied');
  return last;
}

test('CON-130: whoever applies a branch is killed at any moment: all of it is in the workspace or nothing, and the next one ends it', async () => {
  const { goalId, git, base, apply, look } = await branchOfOne();
  const began = performance.now();
  expect(await apply('whole')).toMatchObject({ isNew: true, left: [] });
  const took = performance.now() - began;
  expect(look()).toBe('all');
  const seen: string[] = [];
  for (const [round, moment] of MOMENTS.entries()) {
    git('reset', '-q', '--hard', base);
    const key = `round-${round}`;
    const asked = apply(key).then(
      () => 'answered',
      ({ problem }) => `refused: ${problem?.code}`,
    );
    await after(took * moment);
    await killWorker();
    const dead = look();
    worker = startWorker();
    const first = await asked;
    await waitUntil(isFree, 120_000);
    const stands = look();
    seen.push(`${round}: dead with ${dead}, ${first}, then ${stands}`);
    expect(['all', 'nothing'], seen.join('\n')).toContain(stands);
    // The same order, and another one.
    const again = await eventuallyApplied(() => apply(round % 2 === 0 ? key : `${key}-again`));
    expect([again.left, look()], seen.join('\n')).toEqual([[], 'all']);
  }
  // Some of the deaths came before the end, or nothing was tried.
  expect(
    seen.filter((one) => !one.includes('dead with all')),
    seen.join('\n'),
  ).not.toEqual([]);
  const events = await world.database<{ data: { order: string } }[]>`
    SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'branch.applied'`;
  const orders = events.map(({ data }) => data.order);
  expect(new Set(orders).size).toBe(orders.length);
});

test('CON-131: orders that come at once apply a branch once: the others find it there, or hear who has the workspace', async () => {
  const { goalId, apply, look } = await branchOfOne();
  const answers = await Promise.allSettled(['a', 'a', 'b', 'c'].map((key) => apply(key)));
  const told = answers.map((one) =>
    one.status === 'fulfilled' ? one.value.isNew : one.reason.problem?.code,
  );
  const sorted = [...new Set(told.map(String))].sort();
  expect(['false', 'true', 'workspace_busy', 'request_in_progress']).toEqual(
    expect.arrayContaining(sorted),
  );
  expect(sorted).toContain('true');
  await waitUntil(isFree);
  expect(look()).toBe('all');
  const events = await world.database`
    SELECT 1 FROM event WHERE goal_id = ${goalId} AND type = 'branch.applied'`;
  expect(events.count).toBe(1);
  expect(await apply('d')).toMatchObject({ isNew: false, left: [] });
});
