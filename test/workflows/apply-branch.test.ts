import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { AppliedBranch } from '../../schema/applied-branch.ts';
import { payloadOfLine } from '../../src/attest/dsse.ts';
import { createClient } from '../../src/cli/client.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { EffectsLost } from '../../src/workspace/helper/errors.ts';
import { start as startCommand } from '../cli/command-line.ts';
import { startRepository } from '../support/git.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { problemOf, temporalClient, waitUntil } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Is it right?' });
const slow = { ...reply.text('Thinking.'), delayMs: 600_000 };
const file = (path: string, content: string) => reply.call('write_file', { path, content });

let goals: ScriptedGoals;
/** How often a placing dies before one does not. */
let deaths = 0;
beforeAll(async () => {
  goals = await openScriptedGoals(
    {
      done: sequence([write, file('more.txt', 'more\n'), claim]),
      asks: sequence([write, ask]),
      works: sequence([write, slow]),
      differs: sequence([file('answer.txt', 'other\n'), slow]),
    },
    { wrapPorts: diesWhilePlacing },
  );
});
afterAll(() => goals.world.close());

function diesWhilePlacing(ports: TurnPorts): TurnPorts {
  return {
    ...ports,
    startEffects(...given) {
      const effects = ports.startEffects(...given);
      let placed = 0;
      return {
        ...effects,
        async placeEntry(order) {
          if (deaths > 0 && placed++ > 0) {
            deaths -= 1;
            throw new EffectsLost('the helper died');
          }
          return await effects.placeEntry(order);
        },
      };
    },
  };
}

async function repository() {
  const path = await goals.world.workspace({ 'a.txt': 'one\n' });
  const git = startRepository(path);
  return { path, git, status: () => git('status', '--porcelain') };
}

const apply = (goalId: string, key?: string, token?: string) => {
  const { client, url } = goals.world;
  const asked = token === undefined ? client : createClient({ url, token });
  return asked.send<AppliedBranch>('POST', `/v1/goals/${goalId}/apply`, {}, key);
};

const goalkeeper = (...args: string[]) =>
  startCommand(args, {
    GOALKEEPER_URL: goals.world.url,
    GOALKEEPER_TOKEN: TOKENS.operator,
  }).done;

/** Until its file is there; the turn goes on. */
const wrote = (goalId: string) =>
  waitUntil(async () => {
    const { path } = (await goals.world.get(goalId)).workspace;
    return path !== '' && existsSync(join(path, 'answer.txt'));
  });

const applied = async (goalId: string) =>
  await goals.world.database<{ data: { commit: string } }[]>`
    SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'branch.applied'`;

const leases = () => goals.world.database`
  SELECT name FROM workspace WHERE lease_check_id IS NOT NULL`;

test('CON-82: a complete goal’s branch is applied once under one key, whoever dies in the middle, and TERM-71 by the command line', async () => {
  const { path, git, status } = await repository();
  const goal = await goals.run('done', { workspace: { path, mode: 'worktree' } });
  expect(goal.status).toBe('complete');
  deaths = 1;
  const first = await apply(goal.goalId, 'one-key');
  expect(first).toMatchObject({ goalId: goal.goalId, isNew: true, files: 2, left: [] });
  expect([deaths, status()]).toEqual([0, '']);
  expect(readFileSync(join(path, 'more.txt'), 'utf8')).toBe('more\n');
  expect(git('rev-parse', 'main')).toBe(first.commit);
  // A repeat under the key is answered alike, also when the workspace is another one by now.
  git('reset', '-q', '--hard', 'HEAD~1');
  expect(await apply(goal.goalId, 'one-key')).toEqual(first);
  expect(existsSync(join(path, 'more.txt'))).toBe(false);
  expect(await applied(goal.goalId)).toMatchObject([{ data: { commit: first.commit } }]);
  expect(await leases()).toEqual([]);

  const { out, exitCode } = await goalkeeper('apply', goal.goalId);
  expect(exitCode).toBe(0);
  expect(out).toMatch(/ is at [0-9a-f]{12} with goal\/g-[0-9a-f]+: 2 files\./);
  expect((await goalkeeper('apply', goal.goalId)).out).toMatch(/ has all of goal\/\S+ already/);
  expect((await goalkeeper('ledger', 'verify', goal.goalId)).exitCode).toBe(0);
  await goals.send(goal.goalId, 'clear');
  await waitUntil(async () => {
    const rows = await goals.world.database`
      SELECT 1 FROM workspace WHERE name = ${`worktree-${goal.goalId}`} AND path = ''`;
    return rows.count === 1;
  });
  git('reset', '-q', '--hard', 'HEAD~1');
  writeFileSync(join(path, 'more.txt'), 'mine\n');
  const refused = await goalkeeper('apply', goal.goalId);
  expect([refused.exitCode, refused.err]).toEqual([1, expect.stringContaining('more.txt')]);
  expect(refused.err).toContain('Commit or stash them there');
});

test('CON-82: a paused goal’s branch is applied, and the goal goes on; one at work, or no branch, or a busy workspace refuses it', async () => {
  const { path, status } = await repository();
  const goal = await goals.run('asks', { workspace: { path, mode: 'worktree' } });
  expect(goal.status).toBe('paused');
  expect(await apply(goal.goalId)).toMatchObject({ isNew: true, files: 1 });
  expect(status()).toBe('');
  const answered = await goals.send(goal.goalId, 'answers', {
    ...{ questionId: goal.pause?.questionId, text: 'yes' },
  });
  expect(answered.status).toBe('active');
  await goals.rest(goal.goalId);

  const other = await repository();
  const works = await goals.start('works', { workspace: { path: other.path, mode: 'worktree' } });
  await wrote(works);
  const told = async (goalId: string) => await problemOf(apply(goalId));
  expect(await told(works)).toMatchObject({ status: 409, code: 'invalid_transition' });
  await goals.send(works, 'pause');
  await goals.world.recorded(works);
  const holder = await goals.start('differs', { workspace: { path: other.path } });
  await wrote(holder);
  expect(await told(works)).toMatchObject({ code: 'workspace_busy', goalId: holder });
  await goals.send(holder, 'pause');
  await goals.world.recorded(holder);
  expect(await told(holder)).toMatchObject({ code: 'cannot_apply', problem: 'no_branch' });
  // What the goal that worked there wrote is in the way now.
  expect(await told(works)).toMatchObject({ problem: 'uncommitted', files: ['answer.txt'] });
  expect(await leases()).toEqual([]);
});

test('CON-83: nobody but a person applies a branch, and Temporal alone orders none', async () => {
  const { path, git } = await repository();
  const { goalId } = await goals.run('done', { workspace: { path, mode: 'worktree' } });
  const before = git('rev-parse', 'HEAD');
  for (const role of ['viewer', 'agent'] as const) {
    expect(await problemOf(apply(goalId, undefined, TOKENS[role]))).toMatchObject({ status: 403 });
  }
  const raw = temporalClient(goals.world);
  const start = (ref: object) =>
    raw.workflow.execute('applyBranchWorkflow', {
      workflowId: `apply:${JSON.stringify(ref)}`,
      taskQueue: goals.world.queues.goals,
      args: [ref],
    });
  await expect(start({ goalId, commitId: 'nobody-ordered' })).rejects.toThrow();
  // An order of something else is none for this.
  await goals.send(goalId, 'clear');
  const [order] = await goals.world.database<{ commit_id: string }[]>`
    SELECT commit_id FROM goal_order WHERE goal_id = ${goalId} AND kind = 'clear'`;
  await expect(start({ goalId, commitId: order?.commit_id })).rejects.toThrow();
  expect(git('rev-parse', 'HEAD')).toBe(before);
  await raw.connection.close();
});

interface Ended {
  readonly branch: string;
  readonly commit: string;
  readonly isProven: boolean;
}

const ended = (goalId: string) =>
  waitUntil(async () => {
    const [row] = await goals.world.database<{ data: Ended }[]>`
      SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'branch.ended'`;
    return row?.data;
  });

test('CON-125: the branch of a complete goal ends in a commit with its proof, git merges it, and nobody commits again', async () => {
  const { path, git } = await repository();
  const { goalId } = await goals.run('done', { workspace: { path, mode: 'worktree' } });
  const branch = `goal/${goalId}`;
  const end = await ended(goalId);
  expect(end).toMatchObject({ branch, isProven: true, files: 2, added: 2, removed: 0 });
  const bundle = await goals.world.client.text(`/v1/goals/${goalId}/proof`);
  const payload = payloadOfLine(bundle.split('\n')[0] ?? '');
  const digest = createHash('sha256').update(payload).digest('hex');
  expect(git('log', '-1', '--format=%(trailers)', branch)).toBe(
    `Goal-Id: ${goalId}\nGoal-Level: verified\nGoal-Proof: sha256:${digest}`,
  );
  expect(git('log', '--format=%H', `main..${branch}`)).toBe(end.commit);
  git('merge', '-q', '--ff-only', branch);
  expect(readFileSync(join(path, 'more.txt'), 'utf8')).toBe('more\n');
  expect((await goalkeeper('apply', goalId)).out).toMatch(/ has all of goal\/\S+ already/);
  await goals.send(goalId, 'clear');
  await waitUntil(() => !git('worktree', 'list').includes(goalId));
  expect(git('rev-parse', branch)).toBe(end.commit);
  expect(
    await goals.world.database`
    SELECT 1 FROM event WHERE goal_id = ${goalId} AND type = 'branch.ended'`,
  ).toHaveLength(1);
});

test('CON-133: a goal whose file git ignores does not complete, and its refusal and its start say why', async () => {
  const path = await goals.world.workspace({ 'a.txt': 'one\n', '.gitignore': 'answer.txt\n' });
  startRepository(path);
  const goal = await goals.run('done', { workspace: { path, mode: 'worktree' } });
  expect(goal).toMatchObject({
    status: 'paused',
    notices: expect.arrayContaining([expect.objectContaining({ code: 'ignored_file' })]),
  });
  expect(JSON.stringify(goal.criteria)).toContain(
    'answer.txt is ignored by git (.gitignore:1: answer.txt)',
  );
});

test('CON-133: with a submodule beside it the branch of a goal is proven', {
  tags: 'campaign',
}, async () => {
  const path = await goals.world.workspace({ 'a.txt': 'one\n', 'sub/s.txt': 's\n' });
  startRepository(join(path, 'sub'));
  const git = startRepository(path);
  const { goalId } = await goals.run('done', { workspace: { path, mode: 'worktree' } });
  expect(await ended(goalId)).toMatchObject({ isProven: true, files: 2 });
  expect(git('ls-tree', `goal/${goalId}`, 'sub')).toMatch(/^160000 /);
});

test('CON-143: a lock that keeps the branch from its end is told at the goal, once, and the end follows once it is gone', {
  tags: 'campaign',
}, async () => {
  const { path, git } = await repository();
  const { goalId } = await goals.run('asks', { workspace: { path, mode: 'worktree' } });
  const lock = join(path, '.git/refs/heads/goal', `${goalId}.lock`);
  writeFileSync(lock, '');
  await goals.world.client.send('POST', `/v1/goals/${goalId}/complete`, { result: 'by hand' });
  const stuck = async () =>
    await goals.world.database<{ data: { branch: string; why: string } }[]>`
      SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'branch.stuck'`;
  await waitUntil(async () => (await stuck()).length > 0);
  const [told] = await stuck();
  expect(told?.data).toMatchObject({
    branch: `goal/${goalId}`,
    why: expect.stringContaining(`${goalId}.lock`),
  });
  rmSync(lock);
  expect(await ended(goalId)).toMatchObject({ files: 1 });
  expect(await stuck()).toHaveLength(1);
  expect(git('show', `goal/${goalId}:answer.txt`)).toBe('42');
});

test('CON-144: a worktree that is gone before its branch had an end brings nothing in, and says so', async () => {
  const { path, git } = await repository();
  const { goalId, workspace } = await goals.run('asks', { workspace: { path, mode: 'worktree' } });
  rmSync(workspace.path, { recursive: true });
  const gone = await problemOf(apply(goalId));
  expect(gone).toMatchObject({ status: 409, code: 'cannot_apply', problem: 'no_branch' });
  expect(gone.detail).toContain(`The worktree of ${goalId} is gone`);
  await goals.world.client.send('POST', `/v1/goals/${goalId}/complete`, { result: 'by hand' });
  expect(await problemOf(apply(goalId))).toMatchObject({ problem: 'no_branch' });
  expect([git('status', '--porcelain'), git('log', '--format=%s')]).toEqual(['', 'start']);
});

test('CON-125: what a person completed ends without a proof, and so does a goal that is cleared at once', async () => {
  const { path, git } = await repository();
  const { goalId } = await goals.run('asks', { workspace: { path, mode: 'worktree' } });
  await goals.world.client.send('POST', `/v1/goals/${goalId}/complete`, { result: 'by hand' });
  await goals.send(goalId, 'clear');
  const end = await ended(goalId);
  expect(end).toMatchObject({ isProven: false, files: 1 });
  expect(git('log', '-1', '--format=%(trailers)', `goal/${goalId}`)).toBe(
    `Goal-Id: ${goalId}\nGoal-Level: accepted_by_person`,
  );
  await waitUntil(() => !git('worktree', 'list').includes(goalId));
  expect(git('rev-parse', `goal/${goalId}`)).toBe(end.commit);
});
