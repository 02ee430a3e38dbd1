import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, reply, sequence } from '../../demo/script.ts';
import type { Checkpoints } from '../../schema/checkpoint.ts';
import type { Delegate } from '../../schema/delegate.ts';
import type { StartGoal } from '../../schema/goal.ts';
import { createRemovedGoals } from '../../src/store/retention/removed-goals.ts';
import { createCheckpointStore } from '../../src/store/workspaces/checkpoints.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { ageSeals } from '../support/aged-seals.ts';
import { eventually } from '../support/eventually.ts';
import { startRepository } from '../support/git.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf, waitUntil } from './helpers.ts';

const file = (path: string, content: string) => reply.call('write_file', { path, content });
const run = (command: string) => reply.call('run_command', { command });
const ask = reply.call('ask_user', { question: 'Is it right?' });
const next = reply.text('That is there, more comes next.');
const slow = { ...reply.text('Thinking.'), delayMs: 600_000 };

/** Checkpoints of this name can't be made. */
let failing: string | null = null;

const wrapPorts = (ports: TurnPorts): TurnPorts => ({
  ...ports,
  checkpoints: {
    ...ports.checkpoints,
    async keep(fence, checkpoint, mayReplace) {
      if (checkpoint.name === failing) throw new Error('the disk is full');
      return await ports.checkpoints.keep(fence, checkpoint, mayReplace);
    },
  },
});

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(
    {
      first: sequence([file('one.txt', 'one\n'), next, file('two.txt', 'two\n'), ask]),
      moving: sequence([file('one.txt', 'one\n'), next, file('two.txt', 'two\n'), slow]),
      ends: sequence([
        ...[run("printf '*.txt eol=crlf\\n' > .gitattributes"), next],
        ...[run('rm .gitattributes'), ask],
      ]),
      inside: sequence([file('one.txt', 'one\n'), next, file('sub/s.txt', 'edited\n'), ask]),
      family: sequence([
        reply.call('delegate', { task: 'child: write', mode: 'agent' }),
        next,
        ask,
      ]),
      polls: sequence([
        file('one.txt', 'one\n'),
        reply.call('wait_for', { command: 'echo x >> polled.txt; false' }),
      ]),
      child: sequence([file('child.txt', 'by the delegate\n'), reply.text('Written.')]),
      other: sequence([ask]),
    },
    { wrapPorts },
  );
});
afterAll(() => goals.world.close());

type Workspace = NonNullable<StartGoal['workspace']>;

async function origin() {
  const path = await goals.world.workspace({ 'a.txt': 'a\n' });
  return { path, git: startRepository(path) };
}

const forkOf = (path: string, goalId: string, turn: number) =>
  goals.run('other', { workspace: { path, mode: 'worktree', from: { goalId, turn } } });

/** What a start answers, and an estimate of it. */
async function refusals(path: string, goalId: string, turn: number) {
  const workspace: Workspace = { path, mode: 'worktree', from: { goalId, turn } };
  const body = { objective: 'other: go', criteria: [], workspace };
  const { client } = goals.world;
  const answers = [
    await problemOf(goals.start('other', { workspace })),
    await problemOf(client.send('POST', '/v1/goals/estimate', body)),
  ];
  return answers.map(({ status, field }) => [status, field]);
}

const twice = <Answer>(answer: Answer): readonly Answer[] => [answer, answer];

test('CON-115: a turn that is under way has no state to begin with, and the one before it has', async () => {
  const { path } = await origin();
  const goalId = await goals.start('moving', { workspace: { path } });
  const asked = () => goals.world.model.requests.filter((one) => goalIdOf(one) === goalId).length;
  await waitUntil(() => asked() === 4);
  expect(await refusals(path, goalId, 2)).toEqual(twice([409, 'workspace.from.turn']));
  expect(await refusals(path, goalId, 3)).toEqual(twice([400, 'workspace.from.turn']));
  const before = await forkOf(path, goalId, 1);
  const names = () => readdirSync(before.workspace.path).filter((name) => name.endsWith('.txt'));
  expect(names()).toEqual(['a.txt', 'one.txt']);
  await goals.send(goalId, 'pause');
  await goals.world.recorded(goalId);
  const after = await forkOf(path, goalId, 2);
  expect(existsSync(join(after.workspace.path, 'two.txt'))).toBe(true);
});

test('CON-116: a turn whose checkpoint failed stands for no earlier one, in forks, rewinds and diffs', async () => {
  const { path } = await origin();
  failing = 't2';
  const { goalId } = await goals.run('first', { workspace: { path } });
  failing = null;
  const list = `/v1/goals/${goalId}/checkpoints`;
  const { checkpoints } = await goals.world.client.get<Checkpoints>(list);
  expect(checkpoints.map(({ name }) => name)).toEqual(['t0', 't1']);
  expect(await refusals(path, goalId, 2)).toEqual(twice([404, 'workspace.from.turn']));
  const diff = (query: string) => goals.world.client.get(`/v1/goals/${goalId}/diff?${query}`);
  for (const ask of [
    () => diff('from=2'),
    () => diff('from=0&to=2'),
    () => goals.send(goalId, 'rewind', { turn: 2 }),
  ])
    expect(await problemOf(ask())).toMatchObject({
      ...{ status: 404, detail: expect.stringContaining('no checkpoint of turn 2') },
    });
  await diff('from=0&to=1');
  expect(existsSync(join(path, 'two.txt'))).toBe(true);
  const forked = await forkOf(path, goalId, 1);
  expect(existsSync(join(forked.workspace.path, 'one.txt'))).toBe(true);
  await goals.send(goalId, 'rewind', { turn: 1 });
  expect(existsSync(join(path, 'two.txt'))).toBe(false);
});

test('CON-132: what the looks of a wait write comes behind the turn, which keeps its checkpoint', async () => {
  const { path } = await origin();
  const policy = { continuation: { pollMinSeconds: 1, pollMaxSeconds: 1 } };
  const goalId = await goals.start('polls', { workspace: { path }, policy });
  await waitUntil(async () => {
    const looks = await goals.world.database`
      SELECT 1 FROM ledger WHERE goal_id = ${goalId} AND phase = 'settled'
        AND call_id LIKE '%.look.%'`;
    return looks.count > 0;
  });
  const forked = await forkOf(path, goalId, 1);
  const names = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.txt'));
  expect(names(forked.workspace.path)).toEqual(['a.txt', 'one.txt']);
  await goals.send(goalId, 'rewind', { turn: 1 });
  expect(names(path)).toEqual(['a.txt', 'one.txt']);
});

test('CON-117: a goal whose files are kept no more is named as such, by a start and by its estimate', async () => {
  const { path } = await origin();
  const { goalId } = await goals.run('first', { workspace: { path } });
  await goals.world.recorded(goalId);
  // A turn that was never there is refused by an estimate as by a start.
  expect(await refusals(path, goalId, 9)).toEqual(twice([400, 'workspace.from.turn']));
  expect(await refusals(path, 'g-0000000000000000', 1)).toEqual(
    twice([404, 'workspace.from.goalId']),
  );
  await goals.send(goalId, 'complete', { result: 'by hand' });
  const forked = await forkOf(path, goalId, 1);
  expect(existsSync(join(forked.workspace.path, 'one.txt'))).toBe(true);
  await goals.world.database`
    UPDATE goal SET updated_at = now() - interval '31 days' WHERE goal_id = ${goalId}`;
  await ageSeals(goals.world.database, goalId, 31);
  expect(await refusals(path, goalId, 1)).toEqual(twice([404, 'workspace.from.goalId']));
  const cleared = await goals.run('first', { workspace: { path } });
  await goals.send(cleared.goalId, 'clear');
  await goals.world.until(cleared.goalId, ({ archivedAt }) => archivedAt !== undefined);
  expect(await refusals(path, cleared.goalId, 1)).toEqual(twice([404, 'workspace.from.goalId']));
  await removedAsOld(goalId);
  expect(await refusals(path, goalId, 0)).toEqual(twice([410, 'workspace.from.goalId']));
});

/** As retention removes it; its archive is not looked at here. */
async function removedAsOld(goalId: string): Promise<void> {
  const { store, ledgerKeys } = goals.world;
  const removing = createRemovedGoals(store.sql, ledgerKeys, []);
  const archive = { path: '/archive/goal.jsonl', host: 'here', bytes: 7, sha256: 'a'.repeat(64) };
  await eventually(async () => {
    const kept = { complete: 30, cleared: null, archive: '/archive' };
    const due = (await removing.due(kept, null)).find((goal) => goal.goalId === goalId);
    if (due === undefined) throw new Error(`${goalId} is not due`);
    await removing.withLock(async (remove) => {
      expect(await remove(due, archive)).toBeNull();
    });
  });
}

test('CON-118, CON-160: files that git would change on their way are refused by a start and by its estimate, as the turn had them and not as they lie there now', async () => {
  const { path, git } = await origin();
  const { goalId } = await goals.run('ends', { workspace: { path } });
  expect(existsSync(join(path, '.gitattributes'))).toBe(false);
  expect(await refusals(path, goalId, 1)).toEqual(twice([400, 'workspace.from.turn']));
  const workspace: Workspace = { path, mode: 'worktree', from: { goalId, turn: 1 } };
  expect(await problemOf(goals.start('other', { workspace }))).toMatchObject({
    detail: expect.stringMatching(/changes line ends.*name another turn/),
  });
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  const later = await forkOf(path, goalId, 2);
  expect(readFileSync(join(later.workspace.path, 'a.txt'), 'utf8')).toBe('a\n');
});

test('CON-137, CON-154: a turn that wrote inside of a submodule is refused by a start and by its estimate, and the one before it makes a worktree', async () => {
  const path = await goals.world.workspace({ 'a.txt': 'a\n', 'sub/s.txt': 's\n' });
  const pinned = startRepository(join(path, 'sub'))('rev-parse', 'HEAD');
  const git = startRepository(path);
  expect(git('ls-tree', 'HEAD', 'sub')).toBe(`160000 commit ${pinned}\tsub`);
  const { goalId } = await goals.run('inside', { workspace: { path } });
  expect(await refusals(path, goalId, 2)).toEqual(twice([400, 'workspace.from.turn']));
  const workspace: Workspace = { path, mode: 'worktree', from: { goalId, turn: 2 } };
  expect(await problemOf(goals.start('other', { workspace }))).toMatchObject({
    detail: expect.stringContaining('sub/s.txt, which lies in the submodule sub'),
  });
  const before = await forkOf(path, goalId, 1);
  expect(readFileSync(join(before.workspace.path, 'one.txt'), 'utf8')).toBe('one\n');
});

test('CON-155: where no worktree can be made an estimate refuses what the start does', async () => {
  const { client } = goals.world;
  const refused = async (path: string) => {
    const workspace: Workspace = { path, mode: 'worktree' };
    const body = { objective: 'other: go', criteria: [], workspace };
    const answers = [
      await problemOf(client.send('POST', '/v1/goals/estimate', body)),
      await problemOf(goals.start('other', { workspace })),
      // By now it is known as it was.
      await problemOf(client.send('POST', '/v1/goals/estimate', body)),
    ];
    return answers.map(({ status, field, problem }) => [status, field, problem]);
  };
  const bare = await goals.world.workspace({ 'a.txt': 'a\n' });
  const all = (problem?: string) => [1, 2, 3].map(() => [400, 'workspace.mode', problem]);
  expect(await refused(bare)).toEqual(all());
  const { path, git } = await origin();
  git('config', 'core.autocrlf', 'true');
  expect(await refused(path)).toEqual(all('line_ends'));
});

test('ROW-133: a checkpoint that the service did not write is listed nowhere, and nothing begins with it', async () => {
  const { path } = await origin();
  const { goalId } = await goals.run('first', { workspace: { path } });
  const { store, ledgerKeys, database, client } = goals.world;
  const names = async () => {
    const { list } = createCheckpointStore(store, ledgerKeys);
    const shown = await client.get<Checkpoints>(`/v1/goals/${goalId}/checkpoints`);
    return [await list(goalId), shown.checkpoints].map((all) => all.map(({ name }) => name));
  };
  expect(await names()).toEqual(twice(['t0', 't1', 't2']));
  await database`
    UPDATE checkpoint SET commit_hash = (
      SELECT commit_hash FROM checkpoint WHERE goal_id = ${goalId} AND name = 't0')
    WHERE goal_id = ${goalId} AND name = 't2'`;
  expect(await names()).toEqual(twice(['t0', 't1']));
  expect(await refusals(path, goalId, 2)).toEqual(twice([404, 'workspace.from.turn']));
  const diff = client.get(`/v1/goals/${goalId}/diff?from=2`);
  expect(await problemOf(diff)).toMatchObject({ status: 404 });
});

test('CON-119: the work of a delegate is gone on with on the workspace of its family', async () => {
  const { path, git } = await origin();
  const workspace: Workspace = { path, mode: 'worktree' };
  const family = await goals.run('family', { workspace });
  const list = `/v1/goals/${family.goalId}/delegates`;
  const child = async () =>
    (await goals.world.client.get<{ items: Delegate[] }>(list)).items[0]?.goalId ?? '';
  await waitUntil(async () => (await child()) !== '');
  const goalId = await child();
  await goals.world.until(goalId, ({ status }) => status !== 'active');
  await goals.world.recorded(goalId);
  const forked = await forkOf(path, goalId, 1);
  const read = (name: string) => readFileSync(join(forked.workspace.path, name), 'utf8');
  expect([read('a.txt'), read('child.txt')]).toEqual(['a\n', 'by the delegate\n']);
  expect(git('log', '-1', '--format=%H', `goal/${forked.goalId}`)).toMatch(/^[0-9a-f]{40}$/);
});
