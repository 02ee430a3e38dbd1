import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Checkpoints, GoalDiff } from '../../schema/checkpoint.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TodoList } from '../../schema/todo.ts';
import { createClient } from '../../src/cli/client.ts';
import type { EffectsSession } from '../../src/contract/effects.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { EffectsLost } from '../../src/workspace/helper/errors.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf, waitUntil } from './helpers.ts';

const file = (path: string, content: string) => reply.call('write_file', { path, content });
const ask = reply.call('ask_user', { question: 'Is it right?' });
const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

const scripts: Record<string, Script> = {
  twice: sequence([
    reply.call('todo_write', { todos: [{ content: 'First', status: 'in_progress' }] }),
    file('a.txt', 'one\r\n'),
    reply.text('The first part is there. I continue.'),
    file('a.txt', `two ${token}\n`),
    reply.call('run_command', { command: 'mkdir sub && printf x > sub/b.bin && rm kept.txt' }),
    reply.call('complete_step', {
      step: 'First',
      result: 'done',
      evidence: [{ kind: 'diff', summary: 's', paths: ['a.txt'] }],
    }),
    ask,
    reply.call('complete_step', {
      step: 'First',
      result: 'done',
      evidence: [{ kind: 'diff', summary: 's', paths: ['a.txt'] }],
    }),
    ask,
  ]),
  several: sequence([file('a.txt', 'a'), file('b.txt', 'b'), file('c.txt', 'c'), ask]),
  hangs: sequence([file('a.txt', 'x'), { text: 'Let me think', hang: 'after_text' }]),
};

/** What goes wrong next, once. */
let fault: 'keep' | null = null;
/** What a person does in each moment in which a worker dies while it places b.txt. */
const deaths: (() => Promise<void>)[] = [];
/** No worker looks for an order. */
let isIdle = false;

function wrapPorts(ports: TurnPorts): TurnPorts {
  const failing = (point: typeof fault, error: () => Error) => {
    if (fault !== point) return;
    fault = null;
    throw error();
  };
  return {
    ...ports,
    checkpoints: {
      ...ports.checkpoints,
      async keep(...input) {
        failing('keep', () => new Error('the disk is full'));
        return await ports.checkpoints.keep(...input);
      },
      async pendingRewind(goalId) {
        if (isIdle) throw new Error('cut off');
        return await ports.checkpoints.pendingRewind(goalId);
      },
    },
    startEffects(...given) {
      const effects = ports.startEffects(...given);
      return {
        ...bound(effects),
        async placeEntry(order) {
          const death = order.path === 'b.txt' ? deaths.shift() : undefined;
          if (death !== undefined) {
            await death();
            throw new EffectsLost('it died');
          }
          return await effects.placeEntry(order);
        },
      };
    },
  };
}

const bound = (effects: EffectsSession): EffectsSession => ({
  runCommand: (order) => effects.runCommand(order),
  writeFile: (order) => effects.writeFile(order),
  placeEntry: (order) => effects.placeEntry(order),
  close: () => effects.close(),
});

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { wrapPorts });
});
afterAll(() => goals.world.close());

const get = <Answer>(path: string) => goals.world.client.get<Answer>(path);
const ledgerOf = async (goalId: string) =>
  (await get<{ items: LedgerRow[] }>(`/v1/goals/${goalId}/ledger?tool=rewind`)).items;
const writeSeqOf = async (name: string) => {
  const { items } = await get<{ items: { name: string; writeSeq: number }[] }>('/v1/workspaces');
  return items.find((one) => one.name === name)?.writeSeq ?? 0;
};

test('each turn that wrote can be compared and rewound to, a rewind can be taken back, and the model hears of both', async () => {
  const path = await goals.world.workspace({ 'kept.txt': 'mine\n', 'run.sh': 'true\n' });
  await chmod(join(path, 'run.sh'), 0o755);
  const text = (name: string) => readFileSync(join(path, name), 'utf8');
  const { goalId, revision, workspace } = await goals.run('twice', { workspace: { path } });
  const { checkpoints } = await get<Checkpoints>(`/v1/goals/${goalId}/checkpoints`);
  expect(checkpoints.map(({ name }) => name)).toEqual(['t0', 't1', 't2']);

  const diff = await get<GoalDiff>(`/v1/goals/${goalId}/diff`);
  expect(diff).toMatchObject({ from: 't0', to: 'now', nextCursor: null, total: { files: 3 } });
  expect(diff.files.map(({ path: changed, status }) => `${status} ${changed}`)).toEqual([
    'added a.txt',
    'deleted kept.txt',
    'added sub/b.bin',
  ]);
  expect(diff.files[0]?.diff).toContain('+two [masked]');
  const between = await get<GoalDiff>(`/v1/goals/${goalId}/diff?from=0&to=1&stat=true`);
  expect(between.files).toEqual([
    { path: 'a.txt', status: 'added', isBinary: false, added: 1, removed: 0 },
  ]);

  await writeFile(join(path, 'person.txt'), 'by hand\n');
  const seq = await writeSeqOf(workspace.name);
  const rewound = await goals.send(goalId, 'rewind', { turn: 1, expectedRevision: revision });
  expect(rewound).toMatchObject({ status: 'paused', pause: { reason: 'person' } });
  expect(
    readdirSync(path)
      .filter((name) => !name.startsWith('.'))
      .sort(),
  ).toEqual(['a.txt', 'kept.txt', 'run.sh']);
  expect([text('a.txt'), text('kept.txt')]).toEqual(['one\r\n', 'mine\n']);
  expect(statSync(join(path, 'run.sh')).mode & 0o777).toBe(0o755);
  const todos = () => get<TodoList>(`/v1/goals/${goalId}/todos`);
  expect((await todos()).items).toMatchObject([{ content: 'First', status: 'in_progress' }]);
  expect(await writeSeqOf(workspace.name)).toBe(seq + 1);
  expect((await ledgerOf(goalId)).filter(({ phase }) => phase === 'settled')).toMatchObject([
    {
      outcome: 'succeeded',
      receipt: {
        origin: 'person',
        rewind: { checkpoint: 't1' },
        writes: ['a.txt', 'kept.txt', 'person.txt', 'sub/b.bin'],
      },
    },
  ]);

  await goals.send(goalId, 'resume');
  await goals.settled(goalId);
  await goals.rest(goalId);
  const asked = goals.world.model.requests.filter((one) => goalIdOf(one) === goalId);
  const said = asked.flatMap(({ messages }) => messages.map((message) => message.text)).join('\n');
  expect(said).toContain('back to the state after turn 1: 4 files changed');
  expect(said).toContain('A person took \\"a.txt\\" back'.replaceAll('\\', ''));

  await goals.send(goalId, 'rewind', { undo: true });
  expect(text('a.txt')).toBe(`two ${token}\n`);
  expect(text('person.txt')).toBe('by hand\n');
  expect(existsSync(join(path, 'kept.txt'))).toBe(false);
  expect((await todos()).items).toMatchObject([{ status: 'completed' }]);
  const { rewinds } = await get<Checkpoints>(`/v1/goals/${goalId}/checkpoints`);
  expect(rewinds.map(({ checkpoint, state }) => `${checkpoint} ${state}`)).toEqual([
    't1 done',
    'r1 done',
  ]);
});

test('a goal that runs, one without checkpoints, and a program are refused a rewind, with the way out', async () => {
  const running = await goals.start('hangs');
  await goals.world.until(
    running,
    () => goals.world.model.requests.filter((one) => goalIdOf(one) === running).length > 1,
  );
  expect(await problemOf(goals.send(running, 'rewind', { turn: 0 }))).toMatchObject({
    status: 409,
    code: 'invalid_transition',
    detail: expect.stringContaining('pause it first'),
  });
  await goals.send(running, 'pause');
  const agent = createClient({ url: goals.world.url, token: TOKENS.agent });
  const path = `/v1/goals/${running}/rewind`;
  expect(await problemOf(agent.send('POST', path, { turn: 0 }))).toMatchObject({ status: 403 });
  await goals.send(running, 'rewind', { turn: 0 });
  const { rewinds } = await get<Checkpoints>(`/v1/goals/${running}/checkpoints`);
  expect(rewinds).toMatchObject([{ state: 'done', checkpoint: 't0', changed: 1 }]);
  const nothing = await goals.run('asks nothing');
  expect(await problemOf(goals.send(nothing.goalId, 'rewind', { turn: 0 }))).toMatchObject({
    status: 404,
  });
});

test('a rewind whose worker dies in the middle goes on, once, and keeps what was there before all of it', async () => {
  const path = await goals.world.workspace({ '0.txt': 'then', 'b.txt': 'then' });
  const { goalId } = await goals.run('several', { workspace: { path } });
  const names = ['0.txt', 'a.txt', 'b.txt', 'c.txt', 'late.txt', 'new.txt'];
  const byHand = async (...some: string[]) => {
    for (const name of some) await writeFile(join(path, name), 'by hand');
  };
  await byHand('0.txt');
  await chmod(join(path, 'a.txt'), 0o600);
  deaths.push(async () => {
    await byHand('a.txt', 'c.txt', 'new.txt');
    await chmod(join(path, 'new.txt'), 0o600);
  });
  deaths.push(() => byHand('late.txt'));
  await goals.send(goalId, 'rewind', { turn: 0 });
  const rewindsNow = async () =>
    (await get<Checkpoints>(`/v1/goals/${goalId}/checkpoints`)).rewinds;
  await waitUntil(async () => (await rewindsNow())[0]?.state === 'done');
  expect(deaths).toEqual([]);
  const present = readdirSync(path).filter((name) => name.endsWith('.txt'));
  expect(present.map((name) => [name, readFileSync(join(path, name), 'utf8')])).toEqual([
    ['0.txt', 'then'],
    ['b.txt', 'then'],
  ]);
  const rewinds = await rewindsNow();
  // What the first try had put back already is no edit.
  const edited = ['a.txt', 'c.txt', 'new.txt'].map((one) => ({ path: one, checkpoint: 'r1.2' }));
  edited.push({ path: 'late.txt', checkpoint: 'r1.3' });
  expect(rewinds).toMatchObject([{ number: 1, state: 'done', left: [], changed: 6, edited }]);
  const rows = await ledgerOf(goalId);
  expect(rows.map(({ phase }) => phase).sort()).toEqual(['settled', 'started']);
  expect(rows.find(({ phase }) => phase === 'settled')?.receipt?.writes).toEqual(names);
  await goals.send(goalId, 'rewind', { undo: true });
  const contents = names.map((name) => readFileSync(join(path, name), 'utf8'));
  expect(contents).toEqual(['by hand', 'by hand', 'b', 'by hand', 'by hand', 'by hand']);
  const modeOf = (name: string) => statSync(join(path, name)).mode & 0o777;
  expect([modeOf('new.txt'), modeOf('a.txt')]).toEqual([0o600, 0o644]);
});

test('an order that is carried out late overwrites no work that others did since', async () => {
  const path = await goals.world.workspace({});
  const { goalId, workspace } = await goals.run('several', { workspace: { path } });
  isIdle = true;
  await goals.send(goalId, 'rewind', { turn: 0 }).finally(() => {
    isIdle = false;
  });
  const rewinds = async () => (await get<Checkpoints>(`/v1/goals/${goalId}/checkpoints`)).rewinds;
  expect(await rewinds()).toMatchObject([{ state: 'begun' }]);
  // It lost the workspace, as after a lost execution, and another goal wrote.
  await goals.world.database`
    UPDATE workspace SET lease_goal_id = NULL, write_seq = write_seq + 1
    WHERE name = ${workspace.name}`;
  await goals.send(goalId, 'resume');
  await waitUntil(async () => (await rewinds())[0]?.state === 'failed');
  expect(await rewinds()).toMatchObject([
    { code: 'others_wrote', reason: expect.stringContaining('order it again') },
  ]);
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a');
  await goals.settled(goalId);
  await goals.rest(goalId);
});

test('a checkpoint that fails stops no turn, and people hear why there is none', async () => {
  fault = 'keep';
  const { goalId, pause } = await goals.run('several');
  expect(pause?.reason).toBe('question');
  const events = await goals.world.database<{ data: { reason: string } }[]>`
    SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'checkpoint.failed'`;
  expect(events.map(({ data }) => data.reason)).toEqual(['the disk is full']);
});
